//! Amazon.

use super::Rule;

const IDS: &str = "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html";
const KEYS: &str = "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "aws-access-key-id",
        "AWS access key ids: half of a credential, and enough to name its account",
        &["AKIA", "ASIA", "ABIA", "ACCA", "A3T"],
        r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}\b",
    )
    .entropy(2.5)
    .doc(IDS)
    .takes(&["AKIA{U16}", "\\nASIA{U16}", "X-Amz-Credential=AKIA{U16}%2F20240102%2Fus-east-1"])
    .leaves(&["AKIAlower", "SAKIA{U16}", "AKIAIOSFODNN7EXAMPLE"]),
    Rule::new(
        "aws-secret-access-key",
        "AWS secret access keys behind their key id",
        &["AKIA", "ASIA"],
        r#"A[KS]IA[A-Z0-9]{16}(?:["']?[\s,:;|/]{1,8}["']?|["']?,?\s{0,8}["']?[A-Za-z_]{0,24}["']?\s{0,4}[=:,]\s{0,4}["']?)([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)"#,
    )
    .mixed()
    .entropy(3.5)
    .doc(KEYS)
    .takes(&["AKIA{U16},{b40}", "AKIA{U16} {b40}", "key: AKIA{U16}\nsecret: {b40}", "('AKIA{U16}', '{b40}')"])
    .leaves(&["AKIA<id> {b20}", "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"]),
    Rule::new(
        "aws-secret-access-key-named",
        "AWS secret access keys behind their name",
        &["secret_access_key", "SECRET_ACCESS_KEY", "SecretAccessKey", "secretAccessKey", "aws_secret_key", "AWS_SECRET_KEY"],
        r#"(?:(?:secret_access|SECRET_ACCESS|aws_secret|AWS_SECRET)_(?:key|KEY)|[Ss]ecretAccessKey)\\?["'\])]{0,2}(?:\s|[=:,>(]){1,8}\\?["']?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)"#,
    )
    .glued()
    .mixed()
    .entropy(3.5)
    .doc(KEYS)
    .takes(&["aws configure set aws_secret_access_key {b40}", "<SecretAccessKey>{b40}</SecretAccessKey>", "AWS_SECRET_ACCESS_KEY={b40}"])
    .leaves(&["secret_access_key = var.key", "aws_secret_access_key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"]),
    Rule::new(
        "aws-session-token",
        "AWS session tokens",
        &["FwoGZXIvYXdz", "FQoGZXIvYXdz", "FQoDYXdz", "FwoDYXdz", "IQoJb3JpZ2lu", "AQoDYXdz"],
        r"(?:F[wQ]oGZXIvYXdz|F[wQ]oDYXdz|IQoJb3JpZ2lu|AQoDYXdz)[A-Za-z0-9+/_-]{8}[A-Za-z0-9+/%=_-]{72,3500}",
    )
    .entropy(3.5)
    .doc("https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_use-resources.html")
    .takes(&["FwoGZXIvYXdzE{b200}", "x-amz-security-token: IQoJb3JpZ2luX2Vj{A300}=="])
    .leaves(&["IQoJb3JpZ2lu", "FwoGZXIvYXdz<session token>"]),
    Rule::new(
        "aws-bedrock-key",
        "Amazon Bedrock API keys, long-lived and short-lived",
        &["ABSK", "bedrock-api-key-"],
        r"(?:ABSK[A-Za-z0-9+/]{109,269}={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{24,3500})",
    )
    .mixed()
    .doc("https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html")
    .takes(&["ABSK{A120}", "AWS_BEARER=bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{A90}"])
    .leaves(&["ABSK", "bedrock-api-key-name"]),
    Rule::new(
        "aws-mws-token",
        "Amazon Marketplace Web Service tokens",
        &["amzn.mws."],
        r"amzn\.mws\.[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}",
    )
    .doc("https://developer-docs.amazon.com/sp-api/docs/authorize-applications")
    .takes(&["amzn.mws.{uuid}", "MWS=amzn.mws.{uuid}"])
    .leaves(&["amzn.mws.auth", "amzn.mws.xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"]),
    Rule::new(
        "amazon-login-token",
        "Login with Amazon client secrets, access and refresh tokens",
        &["amzn1.oa2-cs.v1.", "Atza|", "Atzr|", "Atc|"],
        r"(?:amzn1\.oa2-cs\.v1\.[A-Fa-f0-9]{64}|At(?:za|zr|c)\|[A-Za-z0-9+/=_-]{40,3000})",
    )
    .doc("https://developer.amazon.com/docs/login-with-amazon/documentation-overview.html")
    .takes(&["amzn1.oa2-cs.v1.{x64}", "Atza|{A200}", "refresh: Atzr|{A200}"])
    .leaves(&["amzn1.oa2-cs.v1.<secret>", "Atza|token"]),
    Rule::new("aws-appsync-key", "AWS AppSync API keys", &["da2-"], r"da2-[a-z0-9]{26}\b")
        .entropy(3.0)
        .doc("https://docs.aws.amazon.com/appsync/latest/devguide/security-authz.html")
        .takes(&["da2-{a26}", "x-api: da2-{a26}"])
        .leaves(&["da2-fakeApiId", "da2-{a12}"]),
    Rule::new(
        "aws-ecr-token",
        "Amazon ECR login tokens",
        &["eyJwYXlsb2FkIjoi"],
        r"eyJwYXlsb2FkIjoi[A-Za-z0-9+/=]{100,4000}",
    )
    .doc("https://docs.aws.amazon.com/AmazonECR/latest/userguide/registry_auth.html")
    .takes(&["eyJwYXlsb2FkIjoi{b400}==", "docker login -u AWS -p eyJwYXlsb2FkIjoi{b400}"])
    .leaves(&["eyJwYXlsb2FkIjoi", "eyJwYXlsb2FkIjoi..."]),
];
