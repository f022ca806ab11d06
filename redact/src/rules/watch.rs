//! Monitoring, logs, alarms, flags and analytics.

use super::Rule;
use super::rule::Left;

const NEW_RELIC: &str = "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/";
const UUID: &str = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

pub(super) const RULES: &[Rule] = &[
    Rule::beside("datadog-key", "Datadog API and application keys", &["datadog", "dd_api", "dd-api", "dd_app", "dd-app", "dogapi"], r"(?:[a-z0-9]{32}|[A-Za-z0-9-]{40})")
        .doc("https://docs.datadoghq.com/account_management/api-app-keys/")
        .takes(&["datadog api key {x32}", "DD_API={x32}", "datadog application key: {x40}"])
        .leaves(&["datadog agent commit {x40}", "datadog trace id {x32}", "datadog/agent sha256:{x64}"]),
    Rule::new("datadog-token", "Datadog personal and service tokens, and keys with a prefix", &["ddpat_", "ddapp_", "ddapi_"], r"dd(?:pat|app|api)_[A-Za-z0-9_-]{30,80}")
        .mixed()
        .entropy(3.2)
        .doc("https://docs.datadoghq.com/account_management/api-app-keys/")
        .takes(&["ddpat_{A60}", "ddapp_{A34}"])
        .leaves(&["ddapi_x", "ddapp_name_of_the_application"]),
    Rule::new("new-relic-key", "New Relic user, ingest, insights, browser and REST keys", &["NRAK-", "NRJS-", "NRIQ-", "NRII-", "NRRA-"], r"(?:NR(?:AK-[A-Za-z0-9]{27}|JS-[A-Fa-f0-9]{19}|I[QI]-[A-Za-z0-9_-]{32}|RA-[A-Fa-f0-9]{42})\b)")
        .doc(NEW_RELIC)
        .takes(&["NRAK-{U27}", "NRII-{A32}", "NRJS-{x19}"])
        .leaves(&["NRAK-", "NRAK-XXXXXXXXXXXXXXXXXXXXXXXXXXX"]),
    Rule::new("new-relic-license-key", "New Relic license keys", &["FFFFNRAL"], r"[A-Fa-f0-9]{32}FFFFNRAL\b")
        .back(32)
        .doc(NEW_RELIC)
        .takes(&["{x32}FFFFNRAL", "license={x32}FFFFNRAL"])
        .leaves(&["FFFFNRAL", "{x12}FFFFNRAL"]),
    Rule::beside("new-relic-legacy-key", "New Relic keys without prefix", &["newrelic", "new_relic", "new-relic", "new relic"], r"(?:[0-9a-f]{40}|[0-9a-f]{47}|[A-Za-z0-9]{64})")
        .doc(NEW_RELIC)
        .takes(&["newrelic license key {x40}", "new_relic key: {x47}"])
        .leaves(&["newrelic agent commit {x40}", "newrelic trace {x40}"]),
    Rule::new("grafana-token", "Grafana service account and Grafana Cloud tokens", &["glsa_", "glc_"], r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b|glc_[A-Za-z0-9+/]{32,400}={0,2})")
        .doc("https://grafana.com/docs/grafana/latest/administration/service-accounts/")
        .takes(&["glsa_{A32}_{x8}", "glc_eyJ{A100}"])
        .leaves(&["glc_x", "glsa_{A12}"]),
    Rule::new("grafana-api-key", "Grafana API keys", &["eyJrIjoi"], r"eyJrIjoi[A-Za-z0-9+/_-]{40,400}={0,2}")
        .doc("https://grafana.com/docs/grafana/latest/developers/http_api/authentication/")
        .takes(&["eyJrIjoi{A80}", "Bearer eyJrIjoi{A90}=="])
        .leaves(&["eyJrIjoi", "eyJrIjoi..."]),
    Rule::new("dynatrace-token", "Dynatrace API, OAuth and platform tokens", &["dt0c01.", "dt0s01.", "dt0s02.", "dt0s16.", "dt0s08."], r"dt0[cs]\d\d\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}\b")
        .doc("https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens")
        .takes(&["dt0c01.{U24}.{U64}", "Api-Token dt0s16.{U24}.{U64}"])
        .leaves(&["dt0c01.x", "dt0c01.{U24}"]),
    Rule::new("honeycomb-key", "Honeycomb ingest and configuration keys", &["hcaik_", "hcxik_", "hcbik_", "hcalk_"], r"hc[a-z]{3}_[a-z0-9]{50,64}\b")
        .doc("https://docs.honeycomb.io/get-started/configure/environments/manage-api-keys/")
        .takes(&["hcaik_{a58}", "hcxik_01{a56}"])
        .leaves(&["hcaik_", "hcaik_{a12}"]),
    Rule::beside("honeycomb-legacy-key", "Honeycomb keys without prefix", &["honeycomb"], r"(?:[0-9a-f]{32}|[A-Za-z0-9]{22})")
        .doc("https://docs.honeycomb.io/get-started/configure/environments/manage-api-keys/")
        .takes(&["honeycomb key {x32}", "honeycomb key: {A22}"])
        .leaves(&["honeycomb trace id {x32}", "honeycomb dataset {x32}"]),
    Rule::new("posthog-key", "PostHog personal, project secret and OAuth keys; project keys stay", &["phx_", "phs_", "pha_", "phr_"], r"ph[xsar]_[A-Za-z0-9_-]{40,60}\b{end-half}")
        .mixed()
        .doc("https://posthog.com/docs/api")
        .takes(&["phx_{A43}", "phs_{A43}"])
        .leaves(&["phx_new", "phc_{A43}"]),
    Rule::new("sentry-token", "Sentry organization and user tokens", &["sntrys_", "sntryu_", "sntrya_", "sntryi_"], r"sntry(?:s_eyJ[A-Za-z0-9+/_-]{10}[A-Za-z0-9+/=_-]{50,560}|[uai]_[A-Fa-f0-9]{64})")
        .glued()
        .doc("https://docs.sentry.io/account/auth-tokens/")
        .takes(&["sntryu_{x64}", "sntrys_eyJ{A120}=_{A43}"])
        .leaves(&["sntrys_", "sntryu_{x20}"]),
    Rule::beside("sentry-legacy-token", "Sentry tokens without prefix", &["sentry"], r"[0-9a-f]{64}")
        .doc("https://docs.sentry.io/account/auth-tokens/")
        .takes(&["sentry token {x64}", "sentry-cli --auth-token {x64}"])
        .leaves(&["sentry image sha256 {x64}", "sentry event id {x32}"]),
    Rule::beside("splunk-token", "Splunk HEC tokens", &["splunk"], UUID)
        .doc("https://docs.splunk.com/Documentation/Splunk/latest/Data/UsetheHTTPEventCollector")
        .takes(&["splunk hec token {uuid}", "Authorization with key: Splunk token {uuid}"])
        .leaves(&["splunk sid {uuid}", "splunk index id {uuid}"]),
    Rule::beside("sumologic-key", "Sumo Logic access keys", &["sumo"], r"[A-Za-z0-9]{64}")
        .entropy(3.5)
        .doc("https://help.sumologic.com/docs/manage/security/access-keys/")
        .takes(&["sumo access key {A64}", "SUMO={A64}"])
        .leaves(&["sumo image sha256 {x64}", "sumo collector {x64}"]),
    Rule::beside("loggly-token", "Loggly, Papertrail and LogDNA tokens", &["loggly", "papertrail", "logdna", "logzio", "logz.io", "mezmo"], r"(?:[0-9a-f]{32}|[A-Za-z]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})")
        .doc("https://documentation.solarwinds.com/en/success_center/loggly/content/admin/token-based-api-authentication.htm")
        .takes(&["loggly token {uuid}", "logdna ingestion key {x32}"])
        .leaves(&["loggly event id {uuid}", "papertrail request {x32}"]),
    Rule::beside("error-tracker-key", "Rollbar, Bugsnag, Airbrake and Raygun keys", &["rollbar", "bugsnag", "airbrake", "raygun", "honeybadger"], r"(?:[0-9a-f]{32}|[A-Za-z0-9]{22})")
        .doc("https://docs.rollbar.com/docs/access-tokens")
        .takes(&["rollbar token {x32}", "bugsnag api key: {x32}"])
        .leaves(&["rollbar occurrence id {x32}", "bugsnag build uuid {x32}"]),
    Rule::beside("pagerduty-token", "PagerDuty REST and routing keys", &["pagerduty", "pager_duty", "pager-duty", "pdpyras"], r"(?:[0-9a-f]{32}|[A-Za-z0-9_-]{20}|u\+[A-Za-z0-9_+-]{18})")
        .entropy(3.2)
        .doc("https://support.pagerduty.com/main/docs/api-access-keys")
        .takes(&["pagerduty routing key {x32}", "pagerduty token {A20}"])
        .leaves(&["pagerduty incident id {x32}", "pagerduty service {A20}"]),
    Rule::beside("opsgenie-key", "Opsgenie keys", &["opsgenie", "geniekey"], UUID)
        .doc("https://support.atlassian.com/opsgenie/docs/api-key-management/")
        .takes(&["opsgenie api key {uuid}", "GenieKey {uuid}"])
        .leaves(&["opsgenie alert id {uuid}", "opsgenie request {uuid}"]),
    Rule::beside("uptimerobot-key", "UptimeRobot keys", &["uptimerobot", "uptime_robot", "uptime robot"], r"[um][0-9]{6,9}-[0-9a-f]{24}")
        .doc("https://uptimerobot.com/api/")
        .takes(&["uptimerobot key u1234567-{x24}", "UPTIMEROBOT=m123456789-{x24}"])
        .leaves(&["uptimerobot monitor 123456789", "uptimerobot version u1234567-{x24}"]),
    Rule::new("axiom-token", "Axiom tokens", &["xaat-", "xapt-"], r"xa[ap]t-[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}")
        .doc("https://axiom.co/docs/reference/tokens")
        .takes(&["xaat-{uuid}", "axiom auth xapt-{uuid}"])
        .leaves(&["xaat-x", "xapt-0.1"]),
    Rule::new("launchdarkly-key", "LaunchDarkly SDK and mobile keys", &["sdk-", "mob-"], r"(?:sdk|mob)-[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}\b")
        .doc("https://launchdarkly.com/docs/home/account/api")
        .takes(&["sdk-{uuid}", "LD=mob-{uuid}"])
        .leaves(&["sdk-version", "mob-{x8}"]),
    Rule::beside("launchdarkly-legacy-key", "LaunchDarkly API and relay keys", &["launchdarkly", "ld_api", "ld-api"], r"(?:(?:api|rel)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9_-]{40})")
        .doc("https://launchdarkly.com/docs/home/account/api")
        .takes(&["launchdarkly token api-{uuid}", "LAUNCHDARKLY={x40}"])
        .leaves(&["launchdarkly commit {x40}", "api-{uuid}"]),
    Rule::new("configcat-key", "ConfigCat SDK keys", &["configcat-sdk-1/"], r"configcat-sdk-1/[A-Za-z0-9_-]{22}/[A-Za-z0-9_-]{22}")
        .doc("https://configcat.com/docs/sdk-reference/overview/")
        .takes(&["configcat-sdk-1/{A22}/{A22}", "getClient('configcat-sdk-1/{A22}/{A22}')"])
        .leaves(&["configcat-sdk-1/", "configcat-sdk-1/TEST_KEY/x"]),
    Rule::new("devcycle-key", "DevCycle server keys; client and mobile keys stay", &["dvc_server_"], r"dvc_server_[A-Za-z0-9_]{8,80}")
        .mixed()
        .doc("https://docs.devcycle.com/essentials/keys")
        .takes(&["dvc_server_{x40}", "dvc_server_{A32}_{A7}"])
        .leaves(&["dvc_server_sdk", "dvc_client_{A32}"]),
    Rule::new("statsig-key", "Statsig and Stytch secrets", &["secret-"], r"secret-(?:(?:live|test)-)?[A-Za-z0-9_-]{36,70}={0,2}")
        .entropy(3.8)
        .mixed()
        .random()
        .left(Left::Apart)
        .doc("https://docs.statsig.com/guides/statsig-id-terms/")
        .takes(&["secret-{A43}", "secret-live-{A36}=="])
        .leaves(&["secret-manager-csi-driver-provider-aws-installer", "secret-{A12}"]),
    Rule::beside("amplitude-key", "Amplitude and Mixpanel secrets", &["amplitude", "mixpanel"], r"[0-9a-f]{32}")
        .doc("https://amplitude.com/docs/apis/authentication")
        .takes(&["amplitude secret key {x32}", "mixpanel api secret {x32}"])
        .leaves(&["amplitude event id {x32}", "mixpanel request {x32}"]),
    Rule::new("fullstory-key", "FullStory keys", &["na1.", "eu1."], r"(?:na|eu)1\.[A-Za-z0-9+/]{60,120}={0,2}")
        .entropy(3.8)
        .mixed()
        .doc("https://developer.fullstory.com/server/authentication/")
        .takes(&["na1.{A80}", "Basic-like eu1.{A100}=="])
        .leaves(&["na1.example.com", "eu1.{A12}"]),
    Rule::new("rootly-key", "Rootly API keys", &["rootly_"], r"rootly_[A-Fa-f0-9]{64}\b")
        .doc("https://docs.rootly.com/api-reference/overview")
        .takes(&["rootly_{x64}", "ROOTLY=rootly_{x64}"])
        .leaves(&["rootly_incident", "rootly_{x12}"]),
    Rule::beside("virustotal-key", "VirusTotal, AbuseIPDB, Shodan and Censys keys", &["virustotal", "vt_api", "abuseipdb", "shodan", "censys", "securitytrails"], r"(?:[0-9a-f]{64}|[0-9a-f]{80}|[A-Za-z0-9]{32})")
        .doc("https://docs.virustotal.com/docs/please-give-me-an-api-key")
        .takes(&["virustotal api key {x64}", "shodan init key {A32}", "abuseipdb key {x80}"])
        .leaves(&["virustotal file sha256 {x64}", "virustotal: {x64} is clean", "https://www.virustotal.com/gui/file/{x64}"]),
    Rule::new("ubidots-key", "Ubidots and Adafruit IO keys", &["BBFF-", "BBUS-", "aio_"], r"(?:BB(?:FF|US)-[A-Za-z0-9]{30,44}|aio_[A-Za-z0-9]{28})\b")
        .mixed()
        .doc("https://io.adafruit.com/api/docs/")
        .takes(&["aio_{A28}", "BBFF-{A30}", "BBUS-{A35}"])
        .leaves(&["aio_read", "BBFF-{A10}"]),
];
