//! Hosting, networks of delivery, domains and clouds besides the three large ones.

use super::Rule;

const CLOUDFLARE: &str = "https://developers.cloudflare.com/fundamentals/api/get-started/create-token/";
const UUID: &str = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "digitalocean-token",
        "DigitalOcean personal, OAuth and refresh tokens",
        &["dop_v1_", "doo_v1_", "dor_v1_"],
        r"do[opr]_v1_[A-Fa-f0-9]{64}\b",
    )
    .glued()
    .doc("https://docs.digitalocean.com/reference/api/create-personal-access-token/")
    .takes(&["dop_v1_{x64}", "doctl auth init -t doo_v1_{x64}"])
    .leaves(&["dop_v1_", "dop_v1_{x32}"]),
    Rule::beside(
        "digitalocean-spaces-key",
        "DigitalOcean tokens and Spaces secrets without prefix",
        &["digitalocean", "digital_ocean", "digital-ocean", "spaces_secret"],
        r"(?:[0-9a-f]{64}|[A-Za-z0-9+/]{43})",
    )
    .entropy(3.2)
    .doc("https://docs.digitalocean.com/products/spaces/how-to/manage-access/")
    .takes(&["digitalocean token {x64}", "digitalocean spaces key: {A43}"])
    .leaves(&["digitalocean image sha256:{x64}", "digitalocean ssh key fingerprint {x64}"]),
    Rule::new("heroku-token", "Heroku platform API tokens", &["HRKU-"], r"HRKU-[A-Za-z0-9_-]{36,80}")
        .glued()
        .doc("https://devcenter.heroku.com/articles/authentication")
        .takes(&["HRKU-AA{A58}", "HRKU-{uuid}"])
        .leaves(&["HRKU-", "HRKU-<your-key>"]),
    Rule::beside("heroku-key", "Heroku API keys that are a UUID", &["heroku"], UUID)
        .doc("https://devcenter.heroku.com/articles/authentication")
        .takes(&["heroku token {uuid}", "HEROKU={uuid}"])
        .leaves(&["heroku request_id={uuid}", "heroku dyno id {uuid}", "heroku release {uuid}"]),
    Rule::new(
        "cloudflare-origin-key",
        "Cloudflare origin CA keys",
        &["v1."],
        r"v1\.0-[A-Fa-f0-9]{24}-[A-Fa-f0-9]{146}\b",
    )
    .doc("https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys/")
    .takes(&["v1.0-{x24}-{x146}", "X-Auth-User: v1.0-{x24}-{x146}"])
    .leaves(&["v1.0-alpha", "v1.0-{x24}"]),
    Rule::new(
        "cloudflare-token",
        "Cloudflare user and account tokens",
        &["cfut_", "cfat_", "cfk_"],
        r"cf(?:ut|at|k)_[A-Za-z0-9_-]{40,60}\b{end-half}",
    )
    .doc(CLOUDFLARE)
    .takes(&["cfut_{A40}{x8}", "wrangler: cfat_{A40}{x8}"])
    .leaves(&["cfat_x", "cfk_default_value"]),
    Rule::beside(
        "cloudflare-key",
        "Cloudflare API tokens and global keys without prefix",
        &["cloudflare", "wrangler", "cf_api", "cf-api", "x-auth-key"],
        r"(?:[A-Za-z0-9_-]{40}|[0-9a-f]{37})",
    )
    .entropy(3.2)
    .doc(CLOUDFLARE)
    .takes(&["cloudflare token {A40}", "cloudflare global key: {x37}"])
    .leaves(&["cloudflare worker commit {x40}", "cloudflare key the-name-of-some-worker-in-this-account-0"]),
    Rule::new(
        "cloudflare-tunnel-token",
        "Cloudflare tunnel tokens",
        &["eyJhIjoi"],
        r"eyJhIjoi[A-Za-z0-9+/_-]{100,400}={0,2}",
    )
    .entropy(4.0)
    .doc("https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/")
    .takes(&["cloudflared tunnel run --token eyJhIjoi{A160}", "eyJhIjoi{A140}=="])
    .leaves(&["eyJhIjoiYiJ9", "eyJhIjoi..."]),
    Rule::beside("fastly-token", "Fastly API tokens", &["fastly"], r"[A-Za-z0-9_-]{32}")
        .entropy(3.2)
        .doc("https://www.fastly.com/documentation/reference/api/auth-tokens/")
        .takes(&["fastly token {A32}", "FASTLY={A32}"])
        .leaves(&["fastly version {x32}", "fastly cache key {A32}"]),
    Rule::new(
        "fly-token",
        "Fly.io tokens",
        &["fo1_", "fm1a_", "fm1r_", "fm2_"],
        r"f(?:o1|m1[ar]|m2)_[A-Za-z0-9+/_-]{40,1200}={0,2}(?:,f[a-z0-9]{1,4}_[A-Za-z0-9+/=_-]{20,700}){0,4}",
    )
    .doc("https://fly.io/docs/security/tokens/")
    .takes(&["fo1_{A43}", "FlyV1 fm2_{A100},fm2_{A90}", "FLY=FlyV1 fm1r_{A120}"])
    .leaves(&["fo1_x", "fm2_{A20}"]),
    Rule::new(
        "netlify-token",
        "Netlify tokens",
        &["nfp_", "nfc_", "nfo_", "nfu_", "nfb_"],
        r"nf[pcoub]_[A-Za-z0-9_-]{36}\b{end-half}",
    )
    .doc("https://docs.netlify.com/api/get-started/")
    .takes(&["nfp_{A36}", "netlify deploy --auth=nfc_{A36}"])
    .leaves(&["nfp_x", "nfp_{A20}"]),
    Rule::beside("netlify-legacy-token", "Netlify tokens without prefix", &["netlify"], r"[A-Za-z0-9_-]{40,46}")
        .entropy(3.5)
        .doc("https://docs.netlify.com/api/get-started/")
        .takes(&["netlify token {A43}", "NETLIFY={A46}"])
        .leaves(&["netlify commit {x40}", "netlify auth the-long-name-of-a-site-that-somebody-has-0"]),
    Rule::new(
        "vercel-token",
        "Vercel personal, integration, app and AI gateway tokens",
        &["vcp_", "vci_", "vca_", "vcr_", "vck_"],
        r"vc[piark]_[A-Za-z0-9_-]{24,64}",
    )
    .entropy(3.8)
    .mixed()
    .doc("https://vercel.com/docs/rest-api")
    .takes(&["vcp_{A56}", "vck_{A56}"])
    .leaves(&["vcp_x", "vca_the_name_of_some_function_here"]),
    Rule::beside("vercel-legacy-token", "Vercel tokens without prefix", &["vercel", "zeit"], r"[A-Za-z0-9]{24}")
        .entropy(3.5)
        .doc("https://vercel.com/docs/rest-api")
        .takes(&["vercel --token {A24}", "VERCEL={A24}"])
        .leaves(&["vercel deployment {A24}", "VERCEL_ORG_ID={A24}"]),
    Rule::new("render-key", "Render API keys", &["rnd_"], r"rnd_[A-Za-z0-9]{28,32}\b")
        .mixed()
        .doc("https://render.com/docs/api")
        .takes(&["rnd_{A32}", "RENDER=rnd_{A28}"])
        .leaves(&["rnd_seed", "rnd_{A12}"]),
    Rule::beside("railway-token", "Railway tokens", &["railway"], UUID)
        .doc("https://docs.railway.com/reference/public-api")
        .takes(&["railway token {uuid}", "RAILWAY={uuid}"])
        .leaves(&["railway service id {uuid}", "RAILWAY_PROJECT_ID={uuid}"]),
    Rule::new("scaleway-access-key", "Scaleway access keys", &["SCW"], r"SCW[A-Z0-9]{17}\b")
        .entropy(3.0)
        .mixed()
        .doc("https://www.scaleway.com/en/docs/iam/how-to/create-api-keys/")
        .takes(&["SCW{U17}", "scw init access-key=SCW{U17}"])
        .leaves(&["SCW_ACCESS", "SCWDEFAULTPROJECTNAM"]),
    Rule::beside("scaleway-secret-key", "Scaleway secret keys", &["scaleway", "scw"], UUID)
        .doc("https://www.scaleway.com/en/docs/iam/how-to/create-api-keys/")
        .takes(&["scw secret-key {uuid}", "scaleway token: {uuid}"])
        .leaves(&["scw project-id={uuid}", "SCW_DEFAULT_ORGANIZATION_ID={uuid}"]),
    Rule::beside("linode-token", "Linode tokens", &["linode"], r"[0-9a-f]{64}")
        .doc("https://techdocs.akamai.com/linode-api/reference/get-started")
        .takes(&["linode token {x64}", "LINODE={x64}"])
        .leaves(&["linode image sha256 {x64}", "linode stackscript {x64}"]),
    Rule::beside("hetzner-token", "Hetzner Cloud tokens", &["hetzner", "hcloud"], r"[A-Za-z0-9]{64}")
        .entropy(3.5)
        .doc("https://docs.hetzner.cloud/")
        .takes(&["hcloud token {A64}", "HCLOUD={A64}"])
        .leaves(&["hcloud image digest {x64}", "hetzner ssh key fingerprint {x64}"]),
    Rule::beside("vultr-key", "Vultr API keys", &["vultr"], r"(?:[A-Z0-9]{36}|[a-z0-9]{36})")
        .doc("https://www.vultr.com/api/")
        .takes(&["vultr key {U36}", "VULTR={U36}"])
        .leaves(&["vultr instance id {U36}", "vultr key ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJ"]),
    Rule::beside("civo-key", "Civo API keys", &["civo"], r"[A-Za-z0-9]{50}")
        .doc("https://www.civo.com/api")
        .takes(&["civo apikey {A50}", "CIVO={A50}"])
        .leaves(&["civo cluster {A50}", "civo version {A50}"]),
    Rule::new("upcloud-token", "UpCloud API tokens", &["ucat_"], r"ucat_[0-9A-Za-z]{24,32}\b")
        .doc("https://developers.upcloud.com/1.3/")
        .takes(&["ucat_{A26}", "upctl --auth=ucat_{A26}"])
        .leaves(&["ucat_x", "ucat_{A12}"]),
    Rule::new("exoscale-key", "Exoscale API keys", &["EXO"], r"EXO[A-Za-z0-9]{24,30}\b")
        .entropy(3.5)
        .mixed()
        .doc("https://community.exoscale.com/product/iam/")
        .takes(&["EXO{A24}", "exo config: EXO{x24}"])
        .leaves(&["EXO_VERSION", "EXOSKELETON"]),
    Rule::beside("ovh-key", "OVH application secrets and consumer keys", &["ovh"], r"[A-Za-z0-9]{32}")
        .doc("https://help.ovhcloud.com/csm/en-api-getting-started-ovhcloud-api")
        .takes(&["ovh application secret {A32}", "ovh consumer key: {A32}"])
        .leaves(&["ovh instance id {x32}", "ovh image checksum {x32}"]),
    Rule::new("dnsimple-token", "DNSimple API tokens", &["dnsimple_"], r"dnsimple_[uao]_[A-Za-z0-9]{32,48}\b")
        .doc("https://support.dnsimple.com/articles/api-access-token/")
        .takes(&["dnsimple_u_{A32}", "DNS=dnsimple_a_{A32}"])
        .leaves(&["dnsimple_account", "dnsimple_a_b"]),
    Rule::beside(
        "godaddy-key",
        "GoDaddy API keys and secrets",
        &["godaddy", "sso-key"],
        r"[A-Za-z0-9]{8,16}_[A-Za-z0-9]{21,23}(?::[A-Za-z0-9]{21,23})?",
    )
    .entropy(3.2)
    .doc("https://developer.godaddy.com/getstarted")
    .takes(&["godaddy key {A12}_{A22}", "sso-key {A10}_{A22}:{A22}"])
    .leaves(&["godaddy key domain_managementconsoleapi", "godaddy domain {A12}"]),
    Rule::new("porkbun-key", "Porkbun API keys and secrets", &["pk1_", "sk1_"], r"[ps]k1_[A-Fa-f0-9]{64}\b")
        .doc("https://porkbun.com/api/json/v3/documentation")
        .takes(&["pk1_{x64}", "sk1_{x64}"])
        .leaves(&["pk1_idx", "sk1_{x32}"]),
    Rule::new("scalingo-token", "Scalingo API tokens", &["tk-us-"], r"tk-us-[A-Za-z0-9_-]{48}\b{end-half}")
        .doc("https://developers.scalingo.com/tokens")
        .takes(&["tk-us-{A48}", "SCALINGO=tk-us-{A48}"])
        .leaves(&["tk-us-east", "tk-us-{A20}"]),
    Rule::new("alibaba-access-key", "Alibaba Cloud access key ids", &["LTAI"], r"LTAI[A-Za-z0-9]{12,26}\b")
        .entropy(3.0)
        .mixed()
        .doc("https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair")
        .takes(&["LTAI5t{A18}", "ak: LTAI{A20}"])
        .leaves(&["LTAI", "LTAI{A8}"]),
    Rule::new("alibaba-sts-key", "Alibaba Cloud temporary access key ids", &["STS."], r"STS\.[A-Za-z0-9]{20,64}\b")
        .entropy(3.0)
        .mixed()
        .doc("https://www.alibabacloud.com/help/en/ram/product-overview/what-is-sts")
        .takes(&["STS.N{A24}", "ak: STS.{A30}"])
        .leaves(&["STS.GetCallerIdentity", "STS.{A8}"]),
    Rule::beside(
        "alibaba-secret-key",
        "Alibaba Cloud secret keys and security tokens",
        &["alibaba", "aliyun", "alicloud", "ltai"],
        r"(?:CAIS[A-Za-z0-9]{16}[A-Za-z0-9+/_=-]{84,1000}|[A-Za-z0-9]{30})",
    )
    .entropy(3.5)
    .doc("https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair")
    .takes(&["aliyun configure set --access-key-secret {A30}", "alicloud secret: {A30}"])
    .leaves(&["aliyun request {A30}", "alicloud key alicloudresourceidentifiername"]),
    Rule::new("tencent-secret-id", "Tencent Cloud secret ids", &["AKID"], r"AKID[A-Za-z0-9]{32}\b")
        .entropy(3.0)
        .mixed()
        .doc("https://www.tencentcloud.com/document/product/598/32675")
        .takes(&["AKID{A32}", "tccli configure set secretId AKID{A32}"])
        .leaves(&["AKIDs", "AKID{A12}"]),
    Rule::new("volcengine-access-key", "Volcengine access key ids", &["AKLT"], r"AKLT[A-Za-z0-9+/]{28,60}={0,2}")
        .entropy(3.0)
        .mixed()
        .doc("https://www.volcengine.com/docs/6257/64983")
        .takes(&["AKLT{A43}", "ak: AKLT{A32}"])
        .leaves(&["AKLT", "AKLT{A12}"]),
    Rule::new(
        "baidu-key",
        "Baidu AI Cloud keys",
        &["bce-v3/ALTAK-"],
        r"bce-v3/ALTAK-[A-Za-z0-9]{20,24}/[A-Fa-f0-9]{40}\b",
    )
    .glued()
    .doc("https://cloud.baidu.com/doc/Reference/s/Um2wxbaps")
    .takes(&["bce-v3/ALTAK-{A21}/{x40}", "Bearer bce-v3/ALTAK-{A21}/{x40}"])
    .leaves(&["bce-v3/ALTAK-", "bce-v3/ALTAK-xxxx/xxxx"]),
    Rule::new("yandex-token", "Yandex OAuth tokens", &["y0_", "y1_"], r"y[01]_[A-Za-z0-9_-]{50,120}")
        .entropy(3.2)
        .mixed()
        .doc("https://yandex.ru/dev/id/doc/en/access")
        .takes(&["y0_{A55}", "OAuth y1_{A55}"])
        .leaves(&["y0_x", "y1_{A20}"]),
    Rule::new(
        "yandex-iam-token",
        "Yandex Cloud IAM tokens",
        &["t1.9eu"],
        r"t1\.9eu[A-Za-z0-9_-]{60,1000}(?:\.[A-Za-z0-9_-]{80,100})?={0,2}",
    )
    .doc("https://yandex.cloud/en/docs/iam/concepts/authorization/iam-token")
    .takes(&["t1.9euelZ{A200}.{A86}", "IAM=t1.9eu{A150}"])
    .leaves(&["t1.9eu", "t1.9eu..."]),
    Rule::new(
        "yandex-key",
        "Yandex Cloud API keys and static keys",
        &["AQVN", "YCA", "YCM", "YCP"],
        r"(?:AQVN[A-Za-z0-9_-]{35,38}|YC[AMP][A-Za-z0-9_-]{37})\b{end-half}",
    )
    .entropy(3.2)
    .mixed()
    .doc("https://yandex.cloud/en/docs/iam/concepts/authorization/api-key")
    .takes(&["AQVN{A35}", "YCA{A37}"])
    .leaves(&["AQVN{A10}", "YCMatrixWithAVeryLongNameThatSomebodyGave"]),
    Rule::beside(
        "ibm-cloud-key",
        "IBM Cloud API keys",
        &["ibmcloud", "ibm_cloud", "ibm-cloud", "bluemix", "watson", "ibm"],
        r"[A-Za-z0-9_-]{42,44}",
    )
    .entropy(3.8)
    .doc("https://cloud.ibm.com/docs/account?topic=account-userapikey")
    .takes(&["ibmcloud login --apikey {A44}", "watson api key: {A44}"])
    .leaves(&["ibm image digest {A44}", "ibm cloud key the-name-of-a-resource-group-in-the-dallas-0"]),
    Rule::new("fly-header", "Fly.io tokens behind their scheme", &["FlyV1 "], r"FlyV1 ([A-Za-z0-9=_,/+-]{60,3500})")
        .entropy(4.0)
        .doc("https://fly.io/docs/security/tokens/")
        .takes(&["FlyV1 fm2_{A100},fm2_{A90}", "FLY_API=FlyV1 {A120}="])
        .leaves(&["FlyV1 ", "FlyV1 <token>"]),
    Rule::beside("yandex-static-key", "Yandex Cloud static keys", &["yandex", "yc_"], r"YC[A-Za-z0-9_-]{38}")
        .doc("https://yandex.cloud/en/docs/iam/concepts/authorization/access-key")
        .takes(&["yandex secret key YC{A38}", "yandex key: YC{A38}"])
        .leaves(&["yandex image digest YC{A38}", "yandex id YC{A38}"]),
    Rule::new("portainer-token", "Portainer access tokens", &["ptr_"], r"ptr_[A-Za-z0-9+/]{40,48}={0,2}")
        .entropy(3.8)
        .mixed()
        .doc("https://docs.portainer.io/api/access")
        .takes(&["ptr_{b43}=", "X-Portainer: ptr_{A44}"])
        .leaves(&["ptr_to_struct", "ptr_{A12}"]),
    Rule::new(
        "salad-key",
        "SaladCloud API keys",
        &["salad_cloud_"],
        r"salad_cloud_[A-Za-z0-9]{1,8}_[A-Za-z0-9]{4,40}_[A-Za-z0-9]{40,80}\b",
    )
    .doc("https://docs.salad.com/")
    .takes(&["salad_cloud_user_{A7}_{A53}", "Salad-Api: salad_cloud_user_{A7}_{A53}"])
    .leaves(&["salad_cloud_user_name", "salad_cloud_"]),
];
