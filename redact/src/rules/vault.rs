//! Keepers of secrets.

use super::Rule;
use crate::kind::Kind;

const VAULT: &str = "https://developer.hashicorp.com/vault/docs/concepts/tokens";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "vault-token",
        "Vault and OpenBao service, batch and recovery tokens",
        &["hvs.", "hvb.", "hvr."],
        r"hv[sbr]\.[A-Za-z0-9_-]{24,400}",
    )
    .glued()
    .entropy(3.0)
    .doc(VAULT)
    .takes(&["hvs.{A24}", "hvb.{A150}", "vault login hvs.CAESI{A90}"])
    .leaves(&["hvs.token", "hvs.xxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("vault-legacy-token", "Vault service tokens of the old form", &["s."], r"s\.[A-Za-z0-9]{24}\b")
        .mixed()
        .entropy(3.4)
        .doc(VAULT)
        .takes(&["VAULT s.{A24}", "vault login s.{A24}"])
        .leaves(&["s.doSomethingWithTheseItem", "s.AbCdEfGhIjKlMnOpQrStUvWx", "s.length"]),
    Rule::new(
        "vault-legacy-batch-token",
        "Vault batch tokens of the old form",
        &["b.AAAAAQ"],
        r"b\.AAAAAQ[A-Za-z0-9_-]{80,300}",
    )
    .doc(VAULT)
    .takes(&["b.AAAAAQ{A150}", "VAULT=b.AAAAAQ{A120}"])
    .leaves(&["b.AAAAAQ", "b.AAAAAQ{A20}"]),
    Rule::beside(
        "vault-unseal-key",
        "Vault unseal and recovery keys",
        &["unseal key", "recovery key"],
        r"[A-Za-z0-9+/]{43,44}={0,1}",
    )
    .kind(Kind::PrivateKey)
    .entropy(3.8)
    .doc("https://developer.hashicorp.com/vault/docs/concepts/seal")
    .takes(&["Unseal Key 1: {A44}", "Recovery Key 2: {A43}="])
    .leaves(&["Unseal Key (will be hidden):", "Unseal Key 1: <key>"]),
    Rule::new(
        "terraform-cloud-token",
        "HCP Terraform tokens",
        &[".atlasv1."],
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}",
    )
    .back(14)
    .doc("https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens")
    .takes(&["{A14}.atlasv1.{A67}", "token = \"{A14}.atlasv1.{A67}\""])
    .leaves(&[".atlasv1.", "xxxxxxxxxxxxxx.atlasv1.zzzzzzzzzzzzz"]),
    Rule::new(
        "doppler-token",
        "Doppler personal, service, CLI, account, SCIM and audit tokens",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.said.", "dp.scim.", "dp.audit."],
        r"dp\.(?:pt|st|ct|sa|said|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b",
    )
    .doc("https://docs.doppler.com/reference/auth-token-formats")
    .takes(&["dp.pt.{A43}", "dp.st.dev.{A43}", "doppler configure set dp.ct.{A43}"])
    .leaves(&["dp.pt.x", "dp.st.<config>.<token>"]),
    Rule::new(
        "onepassword-token",
        "1Password service account tokens",
        &["ops_eyJ"],
        r"ops_eyJ[A-Za-z0-9+/_-]{200,3500}={0,2}",
    )
    .doc("https://developer.1password.com/docs/service-accounts/")
    .takes(&["ops_eyJ{A260}", "OP=ops_eyJ{A800}"])
    .leaves(&["ops_eyJ", "ops_eyJ..."]),
    Rule::new(
        "onepassword-secret-key",
        "1Password secret keys",
        &["A3-"],
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b",
    )
    .entropy(3.5)
    .mixed()
    .doc("https://support.1password.com/secret-key-security/")
    .takes(&["A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}", "op account add A3-{U6}-{U11}-{U5}-{U5}-{U5}"])
    .leaves(&["A3-XXXXXX-XXXXXX-XXXXX-XXXXX-XXXXX-XXXXX", "A3-PAPER"]),
    Rule::new(
        "infisical-token",
        "Infisical service tokens",
        &["st."],
        r"st\.[0-9a-f-]{24,36}\.[A-Fa-f0-9]{32,64}(?:\.[A-Fa-f0-9]{32,64})?\b",
    )
    .doc("https://infisical.com/docs/documentation/platform/token")
    .takes(&["st.{x24}.{x32}.{x32}", "INFISICAL=st.{uuid}.{x64}.{x32}"])
    .leaves(&["st.name", "st.executeQuery"]),
    Rule::beside("akeyless-token", "Akeyless tokens", &["akeyless"], r"[tu]-[0-9a-f]{32}")
        .doc("https://docs.akeyless.io/docs/auth-methods")
        .takes(&["akeyless token t-{x32}", "AKEYLESS=u-{x32}"])
        .leaves(&["akeyless version t-{x32}", "akeyless/t-{x32}"]),
    Rule::new(
        "bitwarden-token",
        "Bitwarden Secrets Manager access tokens",
        &["0."],
        r"0\.[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{24}",
    )
    .doc("https://bitwarden.com/help/access-tokens/")
    .takes(&["0.{uuid}.{A30}:{b22}==", "bws list -t 0.{uuid}.{A30}:{A24}"])
    .leaves(&["0.1", "0.{uuid}"]),
    Rule::new("age-secret-key", "age secret keys", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}")
        .glued()
        .kind(Kind::PrivateKey)
        .doc("https://github.com/FiloSottile/age")
        .takes(&["AGE-SECRET-KEY-1{U58}", "# key\nAGE-SECRET-KEY-1{U58}\n"])
        .leaves(&["AGE-SECRET-KEY-1...", "age1{a58}"]),
    Rule::new(
        "age-plugin-key",
        "age identities of plugins",
        &["AGE-PLUGIN-"],
        r"AGE-PLUGIN-[A-Z0-9]{2,20}-1[A-Z0-9]{20,400}",
    )
    .kind(Kind::PrivateKey)
    .entropy(3.5)
    .mixed()
    .doc("https://github.com/FiloSottile/age")
    .takes(&["AGE-PLUGIN-YUBIKEY-1{U50}", "AGE-PLUGIN-SE-1{U90}"])
    .leaves(&["AGE-PLUGIN-NAME", "AGE-PLUGIN-YUBIKEY-1..."]),
    Rule::new(
        "django-secret-key",
        "Django's generated secret keys",
        &["django-insecure-"],
        r"django-insecure-[a-z0-9!@#$%^&*(\-_=+)]{50}",
    )
    .kind(Kind::SecretPattern)
    .doc("https://docs.djangoproject.com/en/stable/ref/settings/#secret-key")
    .takes(&["django-insecure-{a50}", "KEY = 'django-insecure-{a40}@#%{a7}'"])
    .leaves(&["django-insecure-", "django-insecure-<key>"]),
    Rule::new("laravel-app-key", "Laravel application keys", &["base64:"], r"base64:([A-Za-z0-9+/]{43}=)")
        .near(&["app_key", "app.key", "'key'", "previous_keys", "application key"])
        .kind(Kind::SecretPattern)
        .entropy(3.8)
        .doc("https://laravel.com/docs/encryption")
        .takes(&["APP_KEY=base64:{b43}=", "Application key [base64:{b43}=] set successfully."])
        .leaves(&["data:image/png;base64:{b43}=", "base64:{b43}="]),
    Rule::new(
        "extended-private-key",
        "Bitcoin-style extended private keys",
        &["xprv", "yprv", "zprv", "tprv"],
        r"[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107,108}\b",
    )
    .kind(Kind::PrivateKey)
    .doc("https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki")
    .takes(&["xprv{h107}", "seed tprv{h108}"])
    .leaves(&["xprv", "xpub{h107}"]),
    Rule::beside(
        "ethereum-private-key",
        "Ethereum private keys, near their name; addresses and transaction hashes stay",
        &["private key", "private_key", "privatekey", "private-key", "privkey", "deployer_key", "signer key"],
        r"(?:0x)?[0-9a-fA-F]{64}",
    )
    .kind(Kind::PrivateKey)
    .doc("https://ethereum.org/developers/docs/accounts/")
    .takes(&["cast send --private-key 0x{x64}", "Private Key: 0x{x64}"])
    .leaves(&["private key for tx hash 0x{x64}", "0x{x64}", "0x{x40}"]),
];
