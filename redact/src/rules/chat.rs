//! Chat, mail and telephony.

use super::Rule;

const SLACK: &str = "https://docs.slack.dev/authentication/tokens";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe."],
        r"xox[abcdeoprs][.-][A-Za-z0-9%+/=._-]{10,500}",
    )
    .doc(SLACK)
    .takes(&["xoxb-{d12}-{d12}-{A24}", "xoxe.xoxp-1-{A146}"])
    .leaves(&["xoxb-", "xoxb-xxxx"]),
    Rule::new("slack-app-token", &["xapp-"], r"xapp-\d-[A-Za-z0-9]+-\d+-[a-z0-9]+")
        .doc(SLACK)
        .takes(&["xapp-1-A{U10}-{d13}-{x64}"])
        .leaves(&["xapp-level"]),
    Rule::new(
        "slack-webhook",
        &["hooks.slack.com/"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{20,120})",
    )
    .doc("https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks")
    .takes(&["https://hooks.slack.com/services/T{U8}/B{U8}/{A24}"])
    .leaves(&["https://hooks.slack.com/services/", "https://hooks.slack.com/services/XXX/XXX/XXX"]),
    Rule::new(
        "discord-webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks/\d{17,20}/([A-Za-z0-9_-]{60,80})",
    )
    .doc("https://discord.com/developers/docs/resources/webhook")
    .takes(&["https://discord.com/api/webhooks/{d18}/{A68}"])
    .leaves(&["discord.com/api/webhooks/ID/TOKEN"]),
    Rule::new("telegram-bot-token", &[":AA"], r":(AA[A-Za-z0-9_-]{33})\b")
        .entropy(3.0)
        .doc("https://core.telegram.org/bots/api#authorizing-your-bot")
        .takes(&["bot{d10}:AA{A33}"])
        .leaves(&["a:AAB"]),
    Rule::new(
        "teams-webhook",
        &["webhook.office.com/webhookb2/"],
        r"webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{80,220})",
    )
    .doc("https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook")
    .takes(&["https://acme.webhook.office.com/webhookb2/{x36}@{x36}/IncomingWebhook/{x32}/{x36}"])
    .leaves(&["webhook.office.com/webhookb2/"]),
    Rule::new("sendgrid-key", &["SG."], r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}")
        .word()
        .doc("https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys")
        .takes(&["SG.{A22}.{A43}"])
        .leaves(&["SG.a.b"]),
    Rule::new("twilio-key", &["SK"], r"SK[0-9a-f]{32}\b")
        .word()
        .entropy(3.0)
        .doc("https://www.twilio.com/docs/iam/api-keys")
        .takes(&["SK{x32}"])
        .leaves(&["SKU1234", "SK{x64}"]),
    Rule::new("mailgun-key", &["key-"], r"key-[0-9a-f]{32}\b")
        .word()
        .entropy(3.0)
        .doc("https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/")
        .takes(&["key-{x32}"])
        .leaves(&["key-value"]),
    Rule::new("brevo-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}")
        .doc("https://developers.brevo.com/docs/getting-started")
        .takes(&["xkeysib-{x64}-{A16}"])
        .leaves(&["xkeysib-"]),
    Rule::new("resend-key", &["re_"], r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b")
        .word()
        .entropy(3.5)
        .doc("https://resend.com/docs/dashboard/api-keys/introduction")
        .takes(&["re_{A8}_{A24}"])
        .leaves(&["re_compile"]),
    Rule::new("facebook-token", &["EAA"], r"EAA[A-Za-z0-9]{100,400}\b")
        .word()
        .entropy(3.5)
        .doc("https://developers.facebook.com/docs/facebook-login/guides/access-tokens/")
        .takes(&["EAA{A120}"])
        .leaves(&["EAAB"]),
];
