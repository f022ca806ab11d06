//! Mail and newsletters.

use super::Rule;
use super::rule::Left;

const MAILGUN: &str = "https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/";
const UUID: &str = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "sendgrid-key",
        "SendGrid API keys",
        &["SG."],
        r"SG\.(?:[A-Za-z0-9=_.-]{66}\b|[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64})",
    )
    .doc("https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys")
    .takes(&["SG.{A22}.{A43}", "smtp://apikey@smtp.sendgrid.net pass SG.{A22}.{A43}"])
    .leaves(&["SG.a.b", "SG.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("mailgun-key", "Mailgun private keys", &["key-"], r"key-[A-Fa-f0-9]{32}\b")
        .entropy(3.0)
        .left(Left::Apart)
        .doc(MAILGUN)
        .takes(&["key-{x32}", "curl -u api:key-{x32} https://api.mailgun.net/v3"])
        .leaves(&["key-value", "pubkey-{x32}", "restore-key-{x32}", "key-{x20}"]),
    Rule::beside(
        "mailgun-signing-key",
        "Mailgun keys of three parts",
        &["mailgun", "mg_"],
        r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}",
    )
    .doc(MAILGUN)
    .takes(&["mailgun key {x32}-{x8}-{x8}", "MG_API={x32}-{x8}-{x8}"])
    .leaves(&["mailgun request {x32}-{x8}-{x8}", "mailgun version {x8}"]),
    Rule::new(
        "mailchimp-key",
        "Mailchimp API keys",
        &["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"],
        r"[A-Fa-f0-9]{32}-us\d{1,2}\b",
    )
    .back(32)
    .entropy(3.0)
    .doc("https://mailchimp.com/developer/marketing/guides/quick-start/")
    .takes(&["{x32}-us12", "MailchimpSDK('{x32}-us6')"])
    .leaves(&["image-us1", "{x12}-us12", "server: us12"]),
    Rule::new("mandrill-key", "Mailchimp Transactional keys", &["md-"], r"md-[A-Za-z0-9_-]{22}\b{end-half}")
        .entropy(3.8)
        .mixed()
        .random()
        .doc("https://mailchimp.com/developer/transactional/docs/fundamentals/")
        .takes(&["md-{A22}", "MANDRILL=md-{A22}"])
        .leaves(&["md-button-primary-outline-x", "md-{A10}"]),
    Rule::new("resend-key", "Resend API keys", &["re_"], r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b")
        .entropy(3.5)
        .mixed()
        .doc("https://resend.com/docs/dashboard/api-keys/introduction")
        .takes(&["re_{A8}_{A24}", "new Resend('re_{A8}_{A24}')"])
        .leaves(&["re_compile", "re_validate_somethingelseentirelyxy"]),
    Rule::new(
        "brevo-key",
        "Brevo API and SMTP keys",
        &["xkeysib-", "xsmtpsib-"],
        r"x(?:key|smtp)sib-[A-Fa-f0-9]{64}-[A-Za-z0-9]{16}\b",
    )
    .glued()
    .doc("https://developers.brevo.com/docs/getting-started")
    .takes(&["xkeysib-{x64}-{A16}", "smtp pass xsmtpsib-{x64}-{A16}"])
    .leaves(&["xkeysib-", "xkeysib-xxxxxxxx-xxxx"]),
    Rule::new("mailersend-token", "MailerSend API tokens", &["mlsn."], r"mlsn\.[A-Za-z0-9]{30,100}\b")
        .doc("https://developers.mailersend.com/general.html")
        .takes(&["mlsn.{x64}", "MAILERSEND=mlsn.{A40}"])
        .leaves(&["mlsn.x", "mlsn.{A12}"]),
    Rule::beside("postmark-token", "Postmark server and account tokens", &["postmark"], UUID)
        .doc("https://postmarkapp.com/developer/api/overview")
        .takes(&["postmark token {uuid}", "X-Postmark-Server-Token {uuid}"])
        .leaves(&["postmark message id {uuid}", "postmark-stream {uuid}"]),
    Rule::beside("mailjet-key", "Mailjet keys and secrets", &["mailjet"], r"[0-9a-f]{32}")
        .doc("https://dev.mailjet.com/email/guides/")
        .takes(&["mailjet api key {x32}", "mailjet secret: {x32}"])
        .leaves(&["mailjet campaign id {x32}", "mailjet message {x32}"]),
    Rule::beside("sparkpost-key", "SparkPost API keys", &["sparkpost"], r"[0-9a-f]{40}")
        .doc("https://developers.sparkpost.com/api/")
        .takes(&["sparkpost key {x40}", "SPARKPOST={x40}"])
        .leaves(&["sparkpost commit {x40}", "sparkpost message {x40}"]),
    Rule::beside(
        "elastic-email-key",
        "Elastic Email API keys",
        &["elasticemail", "elastic email", "elastic_email"],
        r"[0-9A-F]{96}",
    )
    .doc("https://elasticemail.com/developers/api-documentation")
    .takes(&["elasticemail key {X96}", "elastic email api key {X96}"])
    .leaves(&["elasticemail version {X96}", "elasticemail id {X32}"]),
    Rule::new(
        "klaviyo-key",
        "Klaviyo private keys",
        &["pk_"],
        r"pk_(?:[A-Fa-f0-9]{34}|[A-Za-z0-9]{6}_[A-Fa-f0-9]{34})\b",
    )
    .entropy(3.0)
    .doc("https://developers.klaviyo.com/en/docs/authenticate_")
    .takes(&["pk_{x34}", "Klaviyo-Key pk_{x34}"])
    .leaves(&["pk_live_{A24}", "pk_constraint_name"]),
    Rule::new("convertkit-key", "Kit API keys", &["kit_"], r"kit_[A-Fa-f0-9]{32}\b")
        .doc("https://developers.kit.com/api-reference/authentication")
        .takes(&["kit_{x32}", "X-Kit-Api: kit_{x32}"])
        .leaves(&["kit_name", "kit_{x12}"]),
    Rule::new("nylas-key", "Nylas API keys", &["nyk_"], r"nyk_(?:v0_)?[A-Za-z0-9]{60,70}\b")
        .doc("https://developer.nylas.com/docs/v3/auth/")
        .takes(&["nyk_{A67}", "nyk_v0_{A64}"])
        .leaves(&["nyk_x", "nyk_v0_"]),
    Rule::new("courier-key", "Courier API keys", &["pk_prod_", "pk_test_"], r"pk_(?:prod|test)_[A-Z0-9]{28}\b")
        .entropy(3.0)
        .mixed()
        .doc("https://www.courier.com/docs/platform/workspaces/environments-api-keys")
        .takes(&["pk_prod_{U28}", "COURIER=pk_test_{U28}"])
        .leaves(&["pk_prod_x", "pk_test_{A24}"]),
    Rule::beside("beamer-token", "Beamer API keys", &["beamer"], r"b_[A-Za-z0-9_/+-]{43}[A-Za-z0-9_/+=-]")
        .entropy(3.8)
        .doc("https://www.getbeamer.com/api")
        .takes(&["beamer token b_{A44}", "BEAMER=b_{A43}="])
        .leaves(&["b_{A44}", "beamer key b_value"]),
    Rule::beside("braze-key", "Braze REST keys", &["braze", "appboy"], UUID)
        .doc("https://www.braze.com/docs/api/basics/")
        .takes(&["braze api key {uuid}", "BRAZE={uuid}"])
        .leaves(&["braze campaign id {uuid}", "braze segment {uuid}"]),
    Rule::beside("hunter-key", "Hunter API keys", &["hunter"], r"[0-9a-f]{40}")
        .doc("https://hunter.io/api-documentation")
        .takes(&["hunter key {x40}", "https://api.hunter.io/v2/account?api_key={x40}"])
        .leaves(&["hunter commit {x40}", "bounty-hunter {x40}"]),
];
