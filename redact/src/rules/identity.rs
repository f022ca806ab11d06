//! Identity: who signs in, and with what.

use super::Rule;
use super::rule::Left;

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "jwt",
        "JSON Web Tokens, signed, encrypted or unsigned",
        &["eyJ", "ewog"],
        r"(?:eyJ|ewog)[A-Za-z0-9_-]{13,}\.(?:(?:eyJ|ewog)[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?|[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+){0,2})",
    )
    .left(Left::Apart)
    .entropy(3.0)
    .doc("https://www.rfc-editor.org/rfc/rfc7519")
    .takes(&["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtYWRlLXVwIn0.{A43}", "token eyJhbGciOiJub25lIn0.eyJzdWIiOiJtYWRlLXVwIn0."])
    .leaves(&["eyJhbGciOiJIUzI1NiJ9", "eyJ.a.b"]),
    Rule::new("paseto", "PASETO tokens", &["v1.local.", "v2.local.", "v3.local.", "v4.local.", "v1.public.", "v2.public.", "v3.public.", "v4.public."], r"v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{60,3000}(?:\.[A-Za-z0-9_-]{1,400})?")
        .doc("https://github.com/paseto-standard/paseto-spec")
        .takes(&["v4.public.{A150}", "v2.local.{A200}.{A20}"])
        .leaves(&["v4.local.", "v1.public.api"]),
    Rule::beside("okta-token", "Okta API tokens", &["okta", "ssws"], r"00[A-Za-z0-9_-]{40}")
        .entropy(3.8)
        .doc("https://developer.okta.com/docs/guides/create-an-api-token/main/")
        .takes(&["okta token 00{A40}", "Authorization: SSWS 00{A40}"])
        .leaves(&["okta app 00{A10}", "okta request 00{A40}"]),
    Rule::beside("auth0-secret", "Auth0 client secrets", &["auth0"], r"[A-Za-z0-9_-]{64}")
        .entropy(4.0)
        .doc("https://auth0.com/docs/get-started/applications/credentials")
        .takes(&["auth0 client secret {A64}", "AUTH0={A64}"])
        .leaves(&["auth0 client id {A64}", "auth0 commit {x64}"]),
    Rule::beside("onelogin-secret", "OneLogin, Ping and JumpCloud secrets", &["onelogin", "jumpcloud", "pingone", "fusionauth", "keycloak"], r"(?:[0-9a-f]{64}|[A-Za-z0-9]{40}|[A-Za-z0-9]{32})")
        .entropy(3.5)
        .doc("https://developers.onelogin.com/api-docs/2/getting-started/working-with-api-credentials")
        .takes(&["onelogin client secret {x64}", "jumpcloud key {A40}"])
        .leaves(&["keycloak realm id {A32}", "keycloak image digest {x64}"]),
    Rule::new("jumpcloud-key", "JumpCloud API keys", &["jca_"], r"jca_[A-Za-z0-9]{36}\b")
        .mixed()
        .doc("https://docs.jumpcloud.com/api/")
        .takes(&["jca_{A36}", "x-api: jca_{A36}"])
        .leaves(&["jca_provider", "jca_{A12}"]),
    Rule::new("ory-token", "Ory tokens", &["ory_pat_", "ory_at_", "ory_rt_", "ory_ac_", "ory_st_", "ory_lo_", "ory_apikey_", "ory_wak_"], r"ory_(?:pat|at|rt|ac|st|lo|apikey|wak)_[A-Za-z0-9_-]{20,100}(?:\.[A-Za-z0-9_-]{20,100})?")
        .mixed()
        .doc("https://www.ory.com/docs/concepts/personal-access-token")
        .takes(&["ory_pat_{A32}", "ory_at_{A43}.{A43}"])
        .leaves(&["ory_st_x", "ory_pat_{A8}"]),
    Rule::new("authress-key", "Authress service client keys", &["scauth_", "authress_"], r"(?:scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}")
        .doc("https://authress.io/knowledge-base/docs/authorization/service-clients/")
        .takes(&["scauth_{a20}.{a4}.acc_{a12}.{A50}", "authress_{a10}.{a6}.acc-{a12}.{A60}="])
        .leaves(&["scauth_name", "authress_module.load"]),
    Rule::new("intra42-secret", "42 school client secrets", &["s-s4t2"], r"s-s4t2(?:ud|af)-[A-Fa-f0-9]{64}\b")
        .doc("https://api.intra.42.fr/apidoc/guides/getting_started")
        .takes(&["s-s4t2ud-{x64}", "FT=s-s4t2af-{x64}"])
        .leaves(&["u-s4t2ud-{x64}", "s-s4t2ud-"]),
    Rule::new("unkey-key", "Unkey root keys", &["unkey_"], r"unkey_[A-Za-z0-9]{20,32}\b")
        .entropy(3.5)
        .mixed()
        .doc("https://www.unkey.com/docs/security/root-keys")
        .takes(&["unkey_{A24}", "Bearer-like unkey_{A32}"])
        .leaves(&["unkey_id", "unkey_theNameOfSomethingLong"]),
    Rule::new("zuplo-key", "Zuplo API keys", &["zpka_"], r"zpka_[a-z0-9]{32}_[A-Fa-f0-9]{8}\b")
        .doc("https://zuplo.com/docs/articles/api-key-management")
        .takes(&["zpka_{a32}_{x8}", "ZUPLO=zpka_{a32}_{x8}"])
        .leaves(&["zpka_", "zpka_{a12}"]),
    Rule::new("onfido-token", "Onfido API tokens", &["api_live.", "api_live_us.", "api_live_ca.", "api_sandbox.", "api_sandbox_us.", "api_sandbox_ca."], r"api_(?:live|sandbox)(?:_(?:us|ca))?\.[A-Za-z0-9_-]{10,80}(?:\.[A-Za-z0-9_-]{20,40})?")
        .entropy(3.2)
        .mixed()
        .doc("https://documentation.onfido.com/api/latest/#api-tokens")
        .takes(&["api_live.{A11}.{A32}", "api_sandbox_us.{A11}.{A32}"])
        .leaves(&["api_live.", "api_sandbox.example.com"]),
    Rule::new("settlemint-token", "SettleMint tokens", &["sm_aat_", "sm_pat_", "sm_sat_"], r"sm_[aps]at_[A-Za-z0-9]{16,40}\b")
        .mixed()
        .doc("https://console.settlemint.com/documentation/")
        .takes(&["sm_aat_{A16}", "sm_pat_{A16}"])
        .leaves(&["sm_sat_x", "sm_pat_{A8}"]),
];
