//! Chat, telephony, push messages and hooks.

use super::Rule;
use super::rule::Left;

const SLACK: &str = "https://docs.slack.dev/authentication/tokens";
const DISCORD: &str = "https://discord.com/developers/docs/reference#authentication";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "slack-token",
        "Slack bot, user, app configuration, session and legacy tokens",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxe-", "xoxe."],
        r"xox[abceoprs][.-][A-Za-z0-9-]{11}[A-Za-z0-9+/=._-]{0,500}",
    )
    .glued()
    .doc(SLACK)
    .takes(&["xoxb-{d12}-{d12}-{A24}", "xoxe.xoxp-1-{A146}"])
    .leaves(&["xoxb-", "xoxb-xxxx", "xoxp-your-token-here"]),
    Rule::new("slack-cookie", "Slack session cookies", &["xoxd-"], r"xoxd-[A-Za-z0-9%+/=._-]{20,500}")
        .glued()
        .doc(SLACK)
        .takes(&["d=xoxd-{A60}%2B{A80}", "xoxd-{b120}=="])
        .leaves(&["xoxd-", "xoxd-xxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("slack-app-token", "Slack app-level tokens", &["xapp-"], r"xapp-\d{1,10}-[A-Za-z0-9]{6,20}-\d{6,20}-[A-Za-z0-9]{20,100}")
        .glued()
        .doc(SLACK)
        .takes(&["xapp-1-A{U10}-{d13}-{x64}", "SLACK=xapp-1-A{U10}-{d13}-{x64}"])
        .leaves(&["xapp-level", "xapp-1-A0-0-x"]),
    Rule::new(
        "slack-webhook",
        "Slack webhooks: the path behind the host",
        &["hooks.slack.com/", "hooks.slack-gov.com/"],
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{20,120})",
    )
    .doc("https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks")
    .takes(&["https://hooks.slack.com/services/T{U8}/B{U8}/{A24}", "https://hooks.slack.com/triggers/T{U8}/{d13}/{x32}"])
    .leaves(&["https://hooks.slack.com/services/", "https://hooks.slack.com/services/XXX/XXX/XXX"]),
    Rule::new(
        "discord-webhook",
        "Discord webhooks: the token in the URL",
        &["discord.com/api/", "discordapp.com/api/"],
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{15,22}/([A-Za-z0-9_-]{60,80})",
    )
    .doc("https://discord.com/developers/docs/resources/webhook")
    .takes(&["https://discord.com/api/webhooks/{d18}/{A68}", "https://canary.discord.com/api/v10/webhooks/{d19}/{A68}"])
    .leaves(&["discord.com/api/webhooks/ID/TOKEN", "https://discord.com/api/v10/users/@me"]),
    Rule::new(
        "discord-bot-token",
        "Discord bot tokens: they begin with the bot's id in base64",
        &[
            "MTA", "MTE", "MTI", "MTM", "MTQ", "MTU", "MTY", "MTc", "MTg", "MTk", "MjA", "MjE", "MjI", "MjM", "MjQ", "MjU",
            "MjY", "Mjc", "Mjg", "Mjk", "MzA", "MzE", "MzI", "MzM", "MzQ", "MzU", "MzY", "Mzc", "Mzg", "Mzk", "NDA", "NDE",
            "NDI", "NDM", "NDQ", "NDU", "NDY", "NDc", "NDg", "NDk", "NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc",
            "NTg", "NTk", "NjA", "NjE", "NjI", "NjM", "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk", "NzA", "NzE", "NzI", "NzM",
            "NzQ", "NzU", "NzY", "Nzc", "Nzg", "Nzk", "ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY", "ODc", "ODg", "ODk",
            "OTA", "OTE", "OTI", "OTM", "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk",
        ],
        r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
    )
    .entropy(3.8)
    .mixed()
    .doc(DISCORD)
    .takes(&["MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.{A27}", "client.login('NzAyNDgzNDcxOTI1MjQ4MTIz.X{A5}.{A38}')"])
    .leaves(&["MTk4NjIyNDgzNDcxOTI1MjQ4", "MTA.b.c"]),
    Rule::beside("discord-secret", "Discord client secrets and keys", &["discord"], r"(?:[A-Za-z0-9_-]{32}|[0-9a-f]{64})")
        .entropy(3.5)
        .doc(DISCORD)
        .takes(&["discord client secret {A32}", "discord api key {x64}"])
        .leaves(&["discord public key {x64}", "discord guild id {A32}"]),
    Rule::new("matrix-token", "Matrix (Synapse) access tokens", &["syt_", "syr_", "mct_", "mcr_"], r"(?:sy[tr]_[A-Za-z0-9_-]{4,80}_[A-Za-z]{20}_[A-Za-z0-9]{6}|mc[tr]_[A-Za-z0-9]{30}_[A-Za-z0-9]{6})\b")
        .doc("https://element-hq.github.io/synapse/latest/usage/administration/admin_api/")
        .takes(&["syt_am9l_{l20}_{A6}", "mct_{A30}_{A6}"])
        .leaves(&["syt_abc", "mct_x"]),
    Rule::beside("mattermost-token", "Mattermost tokens", &["mattermost"], r"[a-z0-9]{26}")
        .entropy(3.5)
        .doc("https://docs.mattermost.com/developer/personal-access-tokens.html")
        .takes(&["mattermost token {a26}", "MATTERMOST={a26}"])
        .leaves(&["mattermost channel id {a26}", "mattermost post {a26}"]),
    Rule::beside("line-token", "LINE channel tokens and secrets", &["line_channel", "line-channel", "linebot", "line notify", "line_notify", "line_bot"], r"(?:[A-Za-z0-9]{16}[A-Za-z0-9+/]{100,160}={0,2}|[A-Za-z0-9]{43}|[0-9a-f]{32})")
        .entropy(3.2)
        .doc("https://developers.line.biz/en/docs/messaging-api/channel-access-tokens/")
        .takes(&["line_channel secret {x32}", "line notify token {A43}"])
        .leaves(&["line_channel id {x32}", "line bot token of 32 characters"]),
    Rule::new("dingtalk-webhook", "DingTalk, Feishu and WeCom robots: the token in the URL", &["oapi.dingtalk.com/robot/send?", "open-apis/bot/", "qyapi.weixin.qq.com/cgi-bin/webhook/"], r"(?:oapi\.dingtalk\.com/robot/send\?access_token=|open-apis/bot/(?:v2/)?hook/|qyapi\.weixin\.qq\.com/cgi-bin/webhook/(?:send|upload_media)\?key=)([A-Za-z0-9-]{32,64})")
        .glued()
        .doc("https://open.dingtalk.com/document/orgapp/custom-robots-send-group-messages")
        .takes(&["https://oapi.dingtalk.com/robot/send?access_token={x64}", "https://open.feishu.cn/open-apis/bot/v2/hook/{uuid}", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={uuid}"])
        .leaves(&["https://open.feishu.cn/open-apis/bot/v2/hook/xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "https://oapi.dingtalk.com/robot/send?"]),
    Rule::new("zapier-webhook", "Zapier hooks: what is secret of the URL", &["hooks.zapier.com/hooks/catch/"], r"hooks\.zapier\.com/hooks/catch/\d{4,12}/([A-Za-z0-9]{6,20})")
        .entropy(2.2)
        .doc("https://help.zapier.com/hc/en-us/articles/8496288690317-Trigger-Zaps-from-webhooks")
        .takes(&["https://hooks.zapier.com/hooks/catch/1234567/{a7}/", "hooks.zapier.com/hooks/catch/1234567/{a12}"])
        .leaves(&["https://hooks.zapier.com/hooks/catch/", "https://hooks.zapier.com/hooks/catch/1234567/"]),
    Rule::new("twilio-key", "Twilio account SIDs and API key SIDs", &["SK", "AC"], r"(?:SK|AC)[A-Fa-f0-9]{32}\b")
        .entropy(3.0)
        .doc("https://www.twilio.com/docs/iam/api-keys")
        .takes(&["SK{x32}", "https://api.twilio.com/2010-04-01/Accounts/AC{x32}/Messages.json"])
        .leaves(&["SKU1234", "SK{x64}", "AC{x31}"]),
    Rule::beside("twilio-token", "Twilio auth tokens", &["twilio"], r"[0-9a-f]{32}")
        .doc("https://www.twilio.com/docs/iam/api/authtoken")
        .takes(&["twilio auth {x32}", "Twilio(sid, token='{x32}')"])
        .leaves(&["twilio message id {x32}", "twilio request {x32}"]),
    Rule::beside("vonage-secret", "Vonage, Plivo, MessageBird and Sinch secrets", &["nexmo", "vonage", "plivo", "messagebird", "message_bird", "sinch"], r"(?:[A-Za-z0-9]{16}|[A-Za-z0-9]{25}|[A-Za-z0-9_-]{40})")
        .entropy(3.2)
        .doc("https://developer.vonage.com/en/getting-started/concepts/authentication")
        .takes(&["vonage api secret {A16}", "plivo auth token {A40}", "messagebird key {A25}"])
        .leaves(&["plivo message uuid {A40}", "vonage key applicationconfig"]),
    Rule::new("telnyx-key", "Telnyx API keys", &["KEY0"], r"KEY[0-9A-F]{32}_[A-Za-z0-9]{22}\b")
        .doc("https://developers.telnyx.com/development/api-fundamentals/authentication")
        .takes(&["KEY0{X31}_{A22}", "TELNYX=KEY0{X31}_{A22}"])
        .leaves(&["KEY0", "KEY01_NAME"]),
    Rule::new("intercom-token", "Intercom access tokens", &["dG9rO"], r"dG9rO[A-Za-z0-9+/_-]{50,60}={0,2}")
        .doc("https://developers.intercom.com/docs/build-an-integration/learn-more/authentication")
        .takes(&["dG9rO{A54}=", "Bearer dG9rO{A55}"])
        .leaves(&["dG9rOg", "dG9rO..."]),
    Rule::new("pushbullet-token", "Pushbullet access tokens", &["o."], r"o\.[A-Za-z0-9]{32}\b")
        .entropy(4.0)
        .mixed()
        .random()
        .doc("https://docs.pushbullet.com/")
        .takes(&["o.{A32}", "PUSHBULLET=o.{A32}"])
        .leaves(&["o.getElementsByClassNameAndSomeMore", "o.toString"]),
    Rule::beside("pushover-key", "Pushover keys", &["pushover"], r"[a-z0-9]{30}")
        .entropy(3.5)
        .doc("https://pushover.net/api")
        .takes(&["pushover token {a30}", "PUSHOVER={a30}"])
        .leaves(&["pushover receipt id {a30}", "pushover message {a30}"]),
    Rule::beside("pusher-secret", "Pusher secrets", &["pusher"], r"[0-9a-f]{20}")
        .entropy(2.6)
        .doc("https://pusher.com/docs/channels/library_auth_reference/rest-api/")
        .takes(&["pusher secret {x20}", "pusher key: {x20}"])
        .leaves(&["pusher app id {x20}", "pusher event {x20}"]),
    Rule::new("pubnub-secret", "PubNub secret keys; publish and subscribe keys stay", &["sec-c-"], r"sec-c-[A-Za-z0-9]{48}\b")
        .mixed()
        .doc("https://www.pubnub.com/docs/general/setup/account-setup")
        .takes(&["sec-c-{A48}", "secretKey: sec-c-{A48}"])
        .leaves(&["pub-c-{uuid}", "sub-c-{uuid}"]),
    Rule::beside("sendbird-token", "Sendbird API tokens", &["sendbird"], r"[0-9a-f]{40}")
        .doc("https://sendbird.com/docs/chat/platform-api/v3/overview")
        .takes(&["sendbird token {x40}", "SENDBIRD={x40}"])
        .leaves(&["sendbird commit {x40}", "sendbird user {x40}"]),
    Rule::new("onesignal-key", "OneSignal keys", &["os_v2_app_", "os_v2_org_"], r"os_v2_(?:app|org)_[a-z2-7]{100,110}\b")
        .doc("https://documentation.onesignal.com/docs/keys-and-ids")
        .takes(&["os_v2_app_{i103}", "os_v2_org_{i103}"])
        .leaves(&["os_v2_app_x", "os_v2_app_id"]),
    Rule::new("zulip-key", "Zulip bot keys in zuliprc", &["-bot@"], r"-bot@[a-z0-9.-]{4,80}\s{0,4}\n\s{0,8}key\s{0,4}[=:]\s{0,4}([A-Za-z0-9]{32})\b")
        .glued()
        .mixed()
        .doc("https://zulip.com/api/configuring-python-bindings")
        .takes(&["email=ci-bot@zulip.example.com\nkey={A32}", "email: x-bot@chat.zulip.org\nkey: {A32}"])
        .leaves(&["email=ci-bot@zulip.example.com", "x-bot@chat.zulip.org\nkey=<key>"]),
    Rule::new("voiceflow-key", "Voiceflow keys", &["VF.DM.", "VF.WS."], r"VF\.(?:DM|WS)\.[A-Fa-f0-9]{24}\.[A-Za-z0-9]{16}\b")
        .doc("https://docs.voiceflow.com/reference/authentication")
        .takes(&["VF.DM.{x24}.{A16}", "Authorization: VF.WS.{x24}.{A16}"])
        .leaves(&["VF.DM", "VF.version"]),
    Rule::new("telegram-bot-token", "Telegram bot tokens", &[":AA"], r":(AA[A-Za-z0-9_-]{32,34})(?:[^A-Za-z0-9_-]|$)")
        .left(Left::Number)
        .entropy(3.0)
        .doc("https://core.telegram.org/bots/api#authorizing-your-bot")
        .takes(&["bot{d10}:AA{A33}", "https://api.telegram.org/bot{d9}:AA{A33}/getMe"])
        .leaves(&["a:AAB", "SHA256:AA{A33}", "12345:AAexample"]),
];
