//! Clouds and infrastructure.

use super::Rule;
use crate::kind::Kind;

pub(super) const RULES: &[Rule] = &[
    Rule::new("aws-access-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b")
        .word()
        .entropy(2.5)
        .doc("https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html")
        .takes(&["AKIA{U16}", "\\nASIA{U16}"])
        .leaves(&["AKIAlower", "SAKIA{U16}"]),
    Rule::new(
        "aws-bedrock-key",
        &["ABSK", "bedrock-api-key-"],
        r"(?:ABSK[A-Za-z0-9+/]{109,269}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{32,})",
    )
    .word()
    .doc("https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html")
    .takes(&["ABSK{A120}"])
    .leaves(&["ABSK"]),
    Rule::new("gcp-api-key", &["AIza"], r"AIza[A-Za-z0-9_-]{35}")
        .word()
        .doc("https://cloud.google.com/docs/authentication/api-keys")
        .takes(&["AIza{A35}", "key=AIza{A35}"])
        .leaves(&["AIzaShort"]),
    Rule::new("gcp-oauth-token", &["ya29."], r"ya29\.[A-Za-z0-9_-]{20,2048}")
        .word()
        .doc("https://cloud.google.com/docs/authentication/token-types")
        .takes(&["ya29.{A60}"])
        .leaves(&["ya29.abc"]),
    Rule::new("gcp-oauth-secret", &["GOCSPX-"], r"GOCSPX-[A-Za-z0-9_-]{20,40}")
        .doc("https://developers.google.com/identity/protocols/oauth2")
        .takes(&["GOCSPX-{A28}"])
        .leaves(&["GOCSPX-"]),
    Rule::new("gcp-refresh-token", &["1//0"], r"1//0[A-Za-z0-9_-]{40,200}")
        .word()
        .entropy(3.5)
        .doc("https://developers.google.com/identity/protocols/oauth2")
        .takes(&["1//0{A60}"])
        .leaves(&["1//0abc"]),
    Rule::new(
        "azure-storage-key",
        &["AccountKey=", "SharedAccessKey=", "accountkey="],
        r"(?:[Aa]ccount[Kk]ey|SharedAccessKey)=([A-Za-z0-9+/]{40,88}={0,2})",
    )
    .doc("https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage")
    .takes(&["AccountName=a;AccountKey={A86}==;EndpointSuffix=x", "SharedAccessKey={A43}="])
    .leaves(&["AccountKey=<key>", "AccountKey=;"]),
    Rule::new("azure-sas-signature", &["sig="], r"sig=([A-Za-z0-9%+/_-]{40,}(?:%3[Dd]|=){0,2})")
        .word()
        .entropy(3.5)
        .doc("https://learn.microsoft.com/azure/storage/common/storage-sas-overview")
        .takes(&["https://a.blob.core.windows.net/c?sv=2022&sig={A43}%3D"])
        .leaves(&["sig=abc"]),
    Rule::new("azure-client-secret", &["7Q~", "8Q~"], r"[78]Q~[A-Za-z0-9_.~-]{31,34}")
        .entropy(3.0)
        .doc("https://learn.microsoft.com/entra/identity-platform/quickstart-register-app")
        .takes(&["abc8Q~{A34}"])
        .leaves(&["8Q~"]),
    Rule::new("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"do[opr]_v1_[a-f0-9]{64}")
        .doc("https://docs.digitalocean.com/reference/api/create-personal-access-token/")
        .takes(&["dop_v1_{x64}"])
        .leaves(&["dop_v1_"]),
    Rule::new("heroku-token", &["HRKU-"], r"HRKU-[A-Za-z0-9_-]{36,80}")
        .doc("https://devcenter.heroku.com/articles/authentication")
        .takes(&["HRKU-AA{A58}"])
        .leaves(&["HRKU-"]),
    Rule::new("cloudflare-origin-key", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}")
        .word()
        .doc("https://developers.cloudflare.com/ssl/origin-configuration/origin-ca/")
        .takes(&["v1.0-{x24}-{x146}"])
        .leaves(&["v1.0-alpha"]),
    Rule::new(
        "fly-token",
        &["FlyV1 fm", "fo1_", "fm1a_", "fm1r_", "fm2_"],
        r"(?:FlyV1 )?f(?:o1|m1[ar]|m2)_[A-Za-z0-9+/=_-]{40,}(?:,f[a-z0-9]+_[A-Za-z0-9+/=_-]+)*",
    )
    .word()
    .doc("https://fly.io/docs/security/tokens/")
    .takes(&["fo1_{A43}", "FlyV1 fm2_{A100}"])
    .leaves(&["fo1_x"]),
    Rule::new("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_-]{24,300}")
        .word()
        .doc("https://developer.hashicorp.com/vault/docs/concepts/tokens")
        .takes(&["hvs.{A24}", "hvb.{A150}"])
        .leaves(&["hvs.token"]),
    Rule::new("vault-legacy-token", &["s."], r"s\.[A-Za-z0-9]{24}\b")
        .word()
        .mixed()
        .entropy(4.0)
        .doc("https://developer.hashicorp.com/vault/docs/concepts/tokens")
        .takes(&["VAULT s.{A24}"])
        .leaves(&["s.doSomethingWithTheseItem", "s.AbCdEfGhIjKlMnOpQrStUvWx", "s.length"]),
    Rule::new("terraform-cloud-token", &[".atlasv1."], r"\.atlasv1\.[A-Za-z0-9_=-]{60,}")
        .doc("https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens")
        .takes(&["{A14}.atlasv1.{A67}"])
        .leaves(&[".atlasv1."]),
    Rule::new("databricks-token", &["dapi"], r"dapi[a-f0-9]{32}(?:-\d)?\b")
        .word()
        .doc("https://docs.databricks.com/dev-tools/auth/pat.html")
        .takes(&["dapi{x32}", "dapi{x32}-2"])
        .leaves(&["dapivariable"]),
    Rule::new("pulumi-token", &["pul-"], r"pul-[a-f0-9]{40}\b")
        .word()
        .doc("https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/")
        .takes(&["pul-{x40}"])
        .leaves(&["pul-abc"]),
    Rule::new(
        "planetscale-token",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,64}",
    )
    .doc("https://planetscale.com/docs/concepts/service-tokens")
    .takes(&["pscale_tkn_{A43}"])
    .leaves(&["pscale_tkn_id"]),
    Rule::new(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    )
    .word()
    .doc("https://docs.doppler.com/reference/auth-token-formats")
    .takes(&["dp.pt.{A43}", "dp.st.dev.{A43}"])
    .leaves(&["dp.pt.x"]),
    Rule::new("alibaba-access-key", &["LTAI"], r"LTAI[A-Za-z0-9]{12,26}\b")
        .word()
        .entropy(3.0)
        .doc("https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair")
        .takes(&["LTAI5t{A18}"])
        .leaves(&["LTAI"]),
    Rule::new("tencent-secret-id", &["AKID"], r"AKID[A-Za-z0-9]{32}\b")
        .word()
        .entropy(3.0)
        .doc("https://www.tencentcloud.com/document/product/598/32675")
        .takes(&["AKID{A32}"])
        .leaves(&["AKIDs"]),
    Rule::new("scaleway-access-key", &["SCW"], r"SCW[A-Z0-9]{17}\b")
        .word()
        .entropy(3.0)
        .doc("https://www.scaleway.com/en/docs/iam/how-to/create-api-keys/")
        .takes(&["SCW{U17}"])
        .leaves(&["SCW_ACCESS"]),
    Rule::new(
        "yandex-token",
        &["t1.9eu", "y0_", "AQVN"],
        r"(?:t1\.9eu[A-Za-z0-9_-]{80,}(?:\.[A-Za-z0-9_-]{80,})?|y0_[A-Za-z0-9_-]{50,}|AQVN[A-Za-z0-9_-]{35,38}\b)",
    )
    .word()
    .doc("https://yandex.cloud/en/docs/iam/concepts/authorization/iam-token")
    .takes(&["y0_{A55}", "AQVN{A35}"])
    .leaves(&["y0_x"]),
    Rule::new("age-secret-key", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}")
        .kind(Kind::PrivateKey)
        .doc("https://github.com/FiloSottile/age")
        .takes(&["AGE-SECRET-KEY-1{U58}"])
        .leaves(&["AGE-SECRET-KEY-1..."]),
    Rule::new("openshift-token", &["sha256~"], r"sha256~[A-Za-z0-9_-]{43}\b")
        .doc("https://docs.openshift.com/container-platform/latest/authentication/index.html")
        .takes(&["sha256~{A43}"])
        .leaves(&["sha256~abc"]),
];
