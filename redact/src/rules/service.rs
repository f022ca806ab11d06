//! Payment, monitoring, and other services.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::new("stripe-key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"], r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}")
        .doc("https://docs.stripe.com/keys").takes(&["sk_live_{A24}", "rk_test_{A99}"]).leaves(&["pk_live_{A24}", "sk_test_..."]),
    Rule::new("stripe-webhook-secret", &["whsec_"], r"whsec_[A-Za-z0-9+/=]{24,100}")
        .doc("https://docs.stripe.com/webhooks").takes(&["whsec_{A32}"]).leaves(&["whsec_..."]),
    Rule::new("square-token", &["EAAA", "sq0atp-", "sq0csp-"], r"(?:EAAA[A-Za-z0-9_-]{60}\b|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43})").word()
        .doc("https://developer.squareup.com/docs/build-basics/access-tokens").takes(&["sq0atp-{A22}", "EAAA{A60}"]).leaves(&["sq0atp-"]),
    Rule::new("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_"], r"shp(?:at|ca|pa|ss|ua|tka)_[A-Fa-f0-9]{32}")
        .doc("https://shopify.dev/docs/apps/build/authentication-authorization").takes(&["shpat_{x32}", "shpss_{x32}"]).leaves(&["shpat_token"]),
    Rule::new("braintree-token", &["access_token$production$", "access_token$sandbox$"], r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}")
        .doc("https://developer.paypal.com/braintree/docs").takes(&["access_token$production${a16}${x32}"]).leaves(&["access_token$sandbox$"]),
    Rule::new("grafana-token", &["glsa_", "glc_"], r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400})").word()
        .doc("https://grafana.com/docs/grafana/latest/administration/service-accounts/").takes(&["glsa_{A32}_{x8}", "glc_eyJ{A100}"]).leaves(&["glc_x"]),
    Rule::new("grafana-api-key", &["eyJrIjoi"], r"eyJrIjoi[A-Za-z0-9+/=_-]{60,400}")
        .doc("https://grafana.com/docs/grafana/latest/developers/http_api/auth/").takes(&["eyJrIjoi{A80}"]).leaves(&["eyJrIjoi"]),
    Rule::new("linear-key", &["lin_api_", "lin_oauth_", "lin_wh_"], r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,64}")
        .doc("https://linear.app/developers").takes(&["lin_api_{A40}"]).leaves(&["lin_api_key"]),
    Rule::new("notion-token", &["ntn_", "secret_"], r"(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})\b").word().entropy(3.0)
        .doc("https://developers.notion.com/docs/authorization").takes(&["ntn_{A46}", "secret_{A43}"]).leaves(&["secret_name"]),
    Rule::new("postman-key", &["PMAK-"], r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}")
        .doc("https://learning.postman.com/docs/developer/postman-api/authentication/").takes(&["PMAK-{x24}-{x34}"]).leaves(&["PMAK-"]),
    Rule::new("sentry-token", &["sntrys_", "sntryu_"], r"sntry(?:s_eyJ[A-Za-z0-9+/=_-]{60,}|u_[a-f0-9]{64})")
        .doc("https://docs.sentry.io/account/auth-tokens/").takes(&["sntryu_{x64}", "sntrys_eyJ{A120}"]).leaves(&["sntrys_"]),
    Rule::new("new-relic-key", &["NRAK-", "NRJS-", "NRIQ-", "NRII-", "NRRA-"], r"NR(?:AK-[A-Z0-9]{27}|JS-[a-f0-9]{19}|I[QI]-[A-Za-z0-9_-]{32}|RA-[a-f0-9]{42})")
        .doc("https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/").takes(&["NRAK-{U27}", "NRII-{A32}"]).leaves(&["NRAK-"]),
    Rule::new("dynatrace-token", &["dt0c01.", "dt0s01.", "dt0s16."], r"dt0[cs]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}").word()
        .doc("https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens").takes(&["dt0c01.{U24}.{U64}"]).leaves(&["dt0c01.x"]),
    Rule::new("honeycomb-key", &["hcaik_", "hcxik_", "hcbik_"], r"hc[axb]ik_[a-z0-9]{58}")
        .doc("https://docs.honeycomb.io/").takes(&["hcaik_{a58}"]).leaves(&["hcaik_"]),
    Rule::new("posthog-key", &["phx_", "phs_"], r"ph[xs]_[A-Za-z0-9]{40,60}\b").word()
        .doc("https://posthog.com/docs/api").takes(&["phx_{A43}"]).leaves(&["phx_new"]),
    Rule::new("airtable-token", &["pat"], r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b").word()
        .doc("https://airtable.com/developers/web/guides/personal-access-tokens").takes(&["pat{A14}.{x64}"]).leaves(&["pathname", "patches.txt"]),
    Rule::new("figma-token", &["figd_", "figo_", "figor_"], r"fig(?:d|o|or)_[A-Za-z0-9_-]{36,64}").word()
        .doc("https://www.figma.com/developers/api#access-tokens").takes(&["figd_{A40}"]).leaves(&["figd_"]),
    Rule::new("onepassword-token", &["ops_eyJ"], r"ops_eyJ[A-Za-z0-9+/=_-]{200,}").word()
        .doc("https://developer.1password.com/docs/service-accounts/").takes(&["ops_eyJ{A260}"]).leaves(&["ops_eyJ"]),
    Rule::new("tailscale-key", &["tskey-"], r"tskey-(?:api|auth|client|scim|webhook)-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}")
        .doc("https://tailscale.com/kb/1085/auth-keys").takes(&["tskey-auth-{A12}CNTRL-{A32}"]).leaves(&["tskey-auth"]),
    Rule::new("supabase-key", &["sbp_", "sb_secret_"], r"(?:sbp_(?:v0_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{30,40})\b").word()
        .doc("https://supabase.com/docs/guides/api/api-keys").takes(&["sbp_{x40}"]).leaves(&["sbp_x"]),
    Rule::new("netlify-token", &["nfp_", "nfc_", "nfo_", "nfu_", "nfb_"], r"nf[pcoub]_[A-Za-z0-9]{36}\b").word()
        .doc("https://docs.netlify.com/api/get-started/").takes(&["nfp_{A36}"]).leaves(&["nfp_x"]),
    Rule::new("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], r"vc[piark]_[A-Za-z0-9_-]{24,64}").word().entropy(3.8)
        .doc("https://vercel.com/docs/rest-api").takes(&["vcp_{A56}"]).leaves(&["vcp_x"]),
    Rule::new("render-key", &["rnd_"], r"rnd_[A-Za-z0-9]{32}\b").word()
        .doc("https://render.com/docs/api").takes(&["rnd_{A32}"]).leaves(&["rnd_seed"]),
    Rule::new("prefect-key", &["pnu_", "pnb_"], r"pn[ub]_[A-Za-z0-9]{36}\b").word()
        .doc("https://docs.prefect.io/").takes(&["pnu_{a36}"]).leaves(&["pnu_x"]),
    Rule::new("readme-key", &["rdme_"], r"rdme_[a-z0-9]{70}\b")
        .doc("https://docs.readme.com/main/reference/intro/authentication").takes(&["rdme_{a70}"]).leaves(&["rdme_x"]),
    Rule::new("duffel-token", &["duffel_"], r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}")
        .doc("https://duffel.com/docs/api").takes(&["duffel_test_{A43}"]).leaves(&["duffel_test_"]),
    Rule::new("easypost-key", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{54}\b").word()
        .doc("https://docs.easypost.com/").takes(&["EZAK{A54}"]).leaves(&["EZAK"]),
    Rule::new("flutterwave-key", &["FLWSECK"], r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,40}(?:-X)?")
        .doc("https://developer.flutterwave.com/docs/authentication").takes(&["FLWSECK_TEST-{a32}-X"]).leaves(&["FLWSECK_TEST-"]),
    Rule::new("frameio-token", &["fio-u-"], r"fio-u-[A-Za-z0-9_=-]{64}")
        .doc("https://developer.frame.io/").takes(&["fio-u-{A64}"]).leaves(&["fio-u-"]),
    Rule::new("contentful-token", &["CFPAT-"], r"CFPAT-[A-Za-z0-9_-]{43}")
        .doc("https://www.contentful.com/developers/docs/references/authentication/").takes(&["CFPAT-{A43}"]).leaves(&["CFPAT-"]),
    Rule::new("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9_=.-]{40,60}").word()
        .doc("https://www.typeform.com/developers/get-started/personal-access-token/").takes(&["tfp_{A44}"]).leaves(&["tfp_x"]),
    Rule::new("hubspot-token", &["pat-na1-", "pat-eu1-"], r"pat-(?:na|eu)1-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}")
        .doc("https://developers.hubspot.com/docs/api/private-apps").takes(&["pat-na1-{x8}-{x4}-{x4}-{x4}-{x12}"]).leaves(&["pat-na1-x"]),
    Rule::new("adobe-secret", &["p8e-"], r"p8e-[A-Za-z0-9_-]{32}\b").word()
        .doc("https://developer.adobe.com/developer-console/docs/guides/authentication/").takes(&["p8e-{A32}"]).leaves(&["p8e-x"]),
    Rule::new("snyk-token", &["snyk_uat.", "snyk_sat."], r"snyk_[us]at\.[a-z0-9]{8}\.[A-Za-z0-9_.-]{40,}")
        .doc("https://docs.snyk.io/").takes(&["snyk_uat.{x8}.{A60}"]).leaves(&["snyk_uat.x"]),
];
