//! Databases, queues, search and pipelines of data.

use super::Rule;

const UUID: &str = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

pub(super) const RULES: &[Rule] = &[
    Rule::new("databricks-token", "Databricks personal access tokens and OAuth secrets", &["dapi", "dose"], r"(?:dapi|dose)[A-Fa-f0-9]{32}(?:-\d)?\b")
        .doc("https://docs.databricks.com/dev-tools/auth/pat.html")
        .takes(&["dapi{x32}", "dapi{x32}-2", "secret: dose{x32}"])
        .leaves(&["dapivariable", "doses"]),
    Rule::new("planetscale-token", "PlanetScale service tokens, passwords and OAuth tokens", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_-]{6}[A-Za-z0-9=._-]{26,58}")
        .doc("https://planetscale.com/docs/api/reference/service-tokens")
        .takes(&["pscale_tkn_{A43}", "mysql://a:pscale_pw_{A43}@aws.connect.psdb.cloud/db"])
        .leaves(&["pscale_tkn_id", "pscale_pw_<password>"]),
    Rule::new("neon-key", "Neon API keys", &["napi_"], r"napi_[A-Za-z0-9]{60,70}\b")
        .mixed()
        .doc("https://neon.com/docs/manage/api-keys")
        .takes(&["napi_{A64}", "NEON=napi_{a64}"])
        .leaves(&["napi_get_undefined", "napi_create_string_utf8"]),
    Rule::new("supabase-key", "Supabase secret keys and personal tokens; publishable keys stay", &["sbp_", "sb_secret_"], r"(?:sbp_(?:v0_|oauth_)?[a-z0-9A-F]{40}|sb_secret_[A-Za-z0-9_-]{30,42})\b{end-half}")
        .doc("https://supabase.com/docs/guides/api/api-keys")
        .takes(&["sbp_{x40}", "sb_secret_{A22}_{A8}", "sbp_v0_{x40}"])
        .leaves(&["sbp_x", "sb_publishable_{A22}_{A8}"]),
    Rule::new("mongodb-atlas-secret", "MongoDB Atlas service account secrets", &["mdb_sa_sk_"], r"mdb_sa_sk_[A-Za-z0-9_-]{40}\b{end-half}")
        .glued()
        .doc("https://www.mongodb.com/docs/atlas/api/service-accounts-overview/")
        .takes(&["mdb_sa_sk_{A40}", "ATLAS=mdb_sa_sk_{A40}"])
        .leaves(&["mdb_sa_id_{x24}", "mdb_sa_sk_"]),
    Rule::beside("mongodb-atlas-key", "MongoDB Atlas private keys", &["atlas", "mongocli"], UUID)
        .doc("https://www.mongodb.com/docs/atlas/configure-api-access/")
        .takes(&["atlas private key {uuid}", "mongocli config set private_api_key {uuid}"])
        .leaves(&["atlas project id {uuid}", "atlas cluster {uuid}"]),
    Rule::new("confluent-secret", "Confluent Cloud API secrets", &["cflt"], r"cflt[A-Za-z0-9+/]{60}\b")
        .entropy(3.8)
        .doc("https://docs.confluent.io/cloud/current/security/authenticate/workload-identities/service-accounts/api-keys/overview.html")
        .takes(&["cflt{A60}", "sasl secret cflt{b60}"])
        .leaves(&["cflt", "cflt{A20}"]),
    Rule::beside("confluent-key", "Confluent Cloud secrets without prefix", &["confluent", "ccloud"], r"[A-Za-z0-9+/]{64}")
        .entropy(3.8)
        .doc("https://docs.confluent.io/cloud/current/security/authenticate/workload-identities/service-accounts/api-keys/overview.html")
        .takes(&["confluent secret {A64}", "confluent api-key store ABCDEFGHIJKLMNOP {A64}"])
        .leaves(&["confluent image sha256 {x64}", "confluent cluster id {A64}"]),
    Rule::new("aiven-password", "Aiven service passwords", &["AVNS_"], r"AVNS_[A-Za-z0-9_-]{15,24}\b{end-half}")
        .doc("https://aiven.io/docs/platform/concepts/service-users")
        .takes(&["AVNS_{A19}", "postgres://avnadmin:AVNS_{A19}@pg.aivencloud.com:1234/db"])
        .leaves(&["AVNS_PASSWORD", "AVNS_x"]),
    Rule::new("elastic-cloud-key", "Elastic Cloud API keys", &["essu_"], r"essu_[A-Za-z0-9_-]{60,200}={0,2}")
        .doc("https://www.elastic.co/docs/deploy-manage/api-keys/elastic-cloud-api-keys")
        .takes(&["essu_{A70}==", "EC=essu_{A80}"])
        .leaves(&["essu_x", "essu_{A20}"]),
    Rule::beside("elastic-key", "Elasticsearch API keys", &["elastic", "apikey", "kibana"], r"[A-Za-z0-9_-]{20}[A-Za-z0-9+/_:=-]{36,44}")
        .entropy(4.0)
        .doc("https://www.elastic.co/docs/deploy-manage/api-keys/elasticsearch-api-keys")
        .takes(&["elasticsearch ApiKey VnVhQ2ZHY0JDZGJrU{A43}==", "kibana key {A20}:{A22}{A16}"])
        .leaves(&["elastic image sha256 {x64}", "elastic commit {x40}"]),
    Rule::new("cockroach-key", "CockroachDB Cloud API keys", &["CCDB1_"], r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}\b")
        .doc("https://www.cockroachlabs.com/docs/cockroachcloud/managing-access")
        .takes(&["CCDB1_{A22}_{A40}", "Bearer CCDB1_{A22}_{A40}"])
        .leaves(&["CCDB1_", "CCDB1_{A10}"]),
    Rule::new("clickhouse-secret", "ClickHouse Cloud API secrets", &["4b1d"], r"4b1d[A-Za-z0-9]{38}\b")
        .entropy(3.5)
        .mixed()
        .doc("https://clickhouse.com/docs/cloud/manage/openapi")
        .takes(&["4b1d{A38}", "ch secret 4b1d{A38}"])
        .leaves(&["4b1d{x36}", "4b1d"]),
    Rule::new("datastax-token", "DataStax Astra application tokens", &["AstraCS:"], r"AstraCS:[A-Za-z0-9]{20,30}(?::[A-Fa-f0-9]{60,70})?\b")
        .doc("https://docs.datastax.com/en/astra-db-serverless/administration/manage-application-tokens.html")
        .takes(&["AstraCS:{A24}:{x64}", "ASTRA=AstraCS:{A24}:{x64}"])
        .leaves(&["AstraCS:...", "AstraCS:<token>"]),
    Rule::new("fauna-secret", "Fauna secrets", &["fnA"], r"fnA[A-Za-z0-9_-]{37}\b{end-half}")
        .entropy(3.5)
        .mixed()
        .doc("https://github.com/fauna/faunadb-js")
        .takes(&["fnA{A37}", "new Client('fnA{A37}')"])
        .leaves(&["fnAdd", "fnApplyTheChangesToEveryElementOfTheListOf"]),
    Rule::new("tinybird-token", "Tinybird tokens", &["p."], r"p\.eyJ[A-Za-z0-9_-]{30,400}(?:\.[A-Za-z0-9_-]{20,100})?")
        .doc("https://www.tinybird.co/docs/forward/administration/tokens")
        .takes(&["p.eyJ{A80}.{A43}", "tb auth --t p.eyJ{A90}.{A43}"])
        .leaves(&["p.eyJ", "p.eyJ..."]),
    Rule::beside("influxdb-token", "InfluxDB tokens", &["influx"], r"[A-Za-z0-9_-]{16}[A-Za-z0-9+/_-]{70}==")
        .entropy(4.0)
        .doc("https://docs.influxdata.com/influxdb/v2/admin/tokens/")
        .takes(&["influx token {A86}==", "INFLUX={A86}=="])
        .leaves(&["influx bucket {x16}", "influx digest {A86}=="]),
    Rule::new("xata-key", "Xata API keys", &["xau_"], r"xau_[A-Za-z0-9]{30,50}\b")
        .mixed()
        .doc("https://xata.io/docs")
        .takes(&["xau_{A33}", "XATA=xau_{A40}"])
        .leaves(&["xau_x", "xau_{A12}"]),
    Rule::new("dbt-token", "dbt Cloud personal and service tokens", &["dbtc_", "dbtu_"], r"dbt[cu]_[A-Za-z0-9_-]{40,90}={0,2}")
        .mixed()
        .doc("https://docs.getdbt.com/docs/dbt-cloud-apis/authentication")
        .takes(&["dbtc_{A44}", "DBT=dbtu_{A64}"])
        .leaves(&["dbtc_project_evaluator", "dbtu_x"]),
    Rule::beside("snowflake-token", "Snowflake programmatic access tokens", &["snowflake"], r"[A-Za-z0-9_-]{100}[A-Za-z0-9_.-]{0,400}")
        .entropy(4.0)
        .doc("https://docs.snowflake.com/en/user-guide/programmatic-access-tokens")
        .takes(&["snowflake token {A160}", "snowflake auth={A200}"])
        .leaves(&["snowflake query {A160}", "snowflake image digest {A160}"]),
    Rule::beside("algolia-key", "Algolia admin and search keys", &["algolia", "docsearch"], r"[a-f0-9]{32}")
        .doc("https://www.algolia.com/doc/guides/security/api-keys/")
        .takes(&["algolia app ABCDEF1234, search key {x32}", "algolia admin key {x32}"])
        .leaves(&["algolia object id {x32}", "algolia settings hash {x32}"]),
    Rule::new("pinecone-key", "Pinecone API keys", &["pcsk_"], r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,70}\b")
        .doc("https://docs.pinecone.io/guides/projects/manage-api-keys")
        .takes(&["pcsk_{A6}_{A63}", "Pinecone('pcsk_{A5}_{A63}')"])
        .leaves(&["pcsk_abc", "pcsk_{A6}_{A8}"]),
    Rule::beside("pinecone-legacy-key", "Pinecone API keys that are a UUID", &["pinecone"], UUID)
        .doc("https://docs.pinecone.io/guides/projects/manage-api-keys")
        .takes(&["pinecone key {uuid}", "pinecone.init(auth={uuid})"])
        .leaves(&["pinecone index id {uuid}", "pinecone record {uuid}"]),
    Rule::new("chroma-key", "Chroma Cloud API keys", &["ck-"], r"ck-[A-Za-z0-9]{44}\b")
        .entropy(3.8)
        .mixed()
        .doc("https://docs.trychroma.com/cloud/getting-started")
        .takes(&["ck-{A44}", "x-chroma: ck-{A44}"])
        .leaves(&["ck-editor", "ck-{A12}"]),
    Rule::new("appwrite-key", "Appwrite API keys", &["standard_"], r"standard_[A-Fa-f0-9]{200,300}\b")
        .doc("https://appwrite.io/docs/advanced/platform/api-keys")
        .takes(&["standard_{x256}", "X-Appwrite: standard_{x256}"])
        .leaves(&["standard_deviation", "standard_{x40}"]),
    Rule::new("convex-key", "Convex deploy keys", &["|eyJ"], r"\|(eyJ[A-Za-z0-9+/]{57,400}={0,2})")
        .glued()
        .entropy(3.5)
        .doc("https://docs.convex.dev/cli/deploy-key-types")
        .takes(&["prod:happy-otter-123|eyJ{A90}==", "CONVEX=preview:acme:app|eyJ{A100}"])
        .leaves(&["dev:happy-otter-123|eyJ", "|eyJ|"]),
    Rule::beside("upstash-token", "Upstash REST tokens", &["upstash"], r"[A-Za-z0-9_-]{16}[A-Za-z0-9+/_-]{16,90}={0,2}")
        .entropy(4.0)
        .doc("https://upstash.com/docs/redis/features/restapi")
        .takes(&["upstash rest token AYNgAS{A50}==", "upstash auth: {A40}"])
        .leaves(&["upstash database id {uuid}", "https://{a16}.upstash.io"]),
    Rule::beside("ghost-admin-key", "Ghost admin keys", &["ghost"], r"[0-9a-f]{24}:[0-9a-f]{64}")
        .doc("https://ghost.org/docs/admin-api/#token-authentication")
        .takes(&["ghost admin key {x24}:{x64}", "GHOST={x24}:{x64}"])
        .leaves(&["ghost version {x24}:{x64}", "ghost post {x24}"]),
    Rule::new("segment-token", "Segment public API tokens", &["sgp_"], r"sgp_[A-Za-z0-9]{64}\b")
        .mixed()
        .doc("https://docs.segmentapis.com/")
        .takes(&["sgp_{A64}", "SEGMENT=sgp_{A64}"])
        .leaves(&["sgp_plan", "sgp_{A20}"]),
    Rule::beside("segment-write-key", "Segment write keys", &["segment", "analytics.load"], r"[A-Za-z0-9]{32}")
        .entropy(4.0)
        .doc("https://segment.com/docs/connections/find-writekey/")
        .takes(&["segment write key {A32}", "segment secret: {A32}"])
        .leaves(&["segment checksum {x32}", "segment key theNameOfTheVariableThatIsMeant1"]),
    Rule::beside("contentful-delivery-token", "Contentful delivery and preview tokens", &["contentful"], r"[A-Za-z0-9_-]{16}[A-Za-z0-9_=-]{27}")
        .entropy(3.8)
        .doc("https://www.contentful.com/developers/docs/references/authentication/")
        .takes(&["contentful token {A43}", "contentful preview auth {A43}"])
        .leaves(&["contentful entry {A43}", "contentful key the-name-of-a-content-type-of-this-space-000000"]),
    Rule::new("contentful-token", "Contentful personal access tokens", &["CFPAT-"], r"CFPAT-[A-Za-z0-9_-]{43}")
        .doc("https://www.contentful.com/developers/docs/references/authentication/")
        .takes(&["CFPAT-{A43}", "contentful login --management CFPAT-{A43}"])
        .leaves(&["CFPAT-", "CFPAT-{A12}"]),
    Rule::beside("sanity-token", "Sanity API tokens", &["sanity"], r"sk[A-Za-z0-9]{80,200}")
        .entropy(4.0)
        .doc("https://www.sanity.io/docs/content-lake/http-auth")
        .takes(&["sanity token sk{A178}", "SANITY=sk{A100}"])
        .leaves(&["sanity dataset sk", "sanity version sk{A100}"]),
    Rule::beside("datocms-token", "DatoCMS API tokens", &["dato"], r"[0-9a-f]{30}")
        .doc("https://www.datocms.com/docs/content-management-api/authentication")
        .takes(&["dato token {x30}", "DATOCMS={x30}"])
        .leaves(&["dato record {x30}", "dato image digest {x30}"]),
];
