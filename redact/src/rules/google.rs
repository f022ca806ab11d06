//! Google.

use super::Rule;

const OAUTH: &str = "https://developers.google.com/identity/protocols/oauth2";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "gcp-api-key",
        "Google API keys, Firebase's too: they look alike, and most of them are not restricted",
        &["AIza"],
        r"(AIza[A-Za-z0-9_-]{35})(?:[^A-Za-z0-9_-]|$)",
    )
    .entropy(3.0)
    .doc("https://cloud.google.com/docs/authentication/api-keys")
    .takes(&["AIza{A35}", "key=AIza{A35}", "https://maps.googleapis.com/maps/api/js?key=AIza{A35}&libraries=places"])
    .leaves(&["AIzaShort", "AIzaSyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"]),
    Rule::new("gemini-key", "Google AI keys bound to a service account", &["AQ.Ab8RN6"], r"AQ\.Ab8RN6[A-Za-z0-9_-]{40,60}")
        .doc("https://ai.google.dev/gemini-api/docs/api-key")
        .takes(&["AQ.Ab8RN6{A44}", "GEMINI=AQ.Ab8RN6{A44}"])
        .leaves(&["AQ.Ab8RN6", "AQ.Ab8RN6..."]),
    Rule::new("gcp-oauth-token", "Google OAuth access tokens", &["ya29."], r"ya29\.(?:[A-Za-z0-9_-]{1,8}\.)?[A-Za-z0-9_-]{20,2048}")
        .glued()
        .doc("https://cloud.google.com/docs/authentication/token-types")
        .takes(&["ya29.{A60}", "ya29.c.{A180}", "ya29.a0Af{A120}"])
        .leaves(&["ya29.abc", "ya29.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("gcp-oauth-secret", "Google OAuth client secrets", &["GOCSPX-"], r"GOCSPX-[A-Za-z0-9_-]{20,40}")
        .glued()
        .doc(OAUTH)
        .takes(&["GOCSPX-{A28}", "\"client\":\"GOCSPX-{A28}\""])
        .leaves(&["GOCSPX-", "GOCSPX-your-client-secret-here"]),
    Rule::new("gcp-refresh-token", "Google OAuth refresh tokens", &["1//0"], r"1//0[A-Za-z0-9_-]{40,200}")
        .entropy(3.5)
        .doc(OAUTH)
        .takes(&["1//0{A60}", "\"1//0g{A90}\""])
        .leaves(&["1//0abc", "1//0"]),
    Rule::new(
        "firebase-messaging-key",
        "Firebase Cloud Messaging server keys and registration tokens",
        &[":APA91b"],
        r"[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{120,180}",
    )
    .back(11)
    .doc("https://firebase.google.com/docs/cloud-messaging/manage-tokens")
    .takes(&["AAAA{A7}:APA91b{A134}", "to {A11}:APA91b{A134}"])
    .leaves(&[":APA91b", "AAAAxxxxxxx:APA91bTOKEN"]),
    Rule::new("gcs-hmac-id", "Google Cloud Storage HMAC access ids", &["GOOG1"], r"GOOG1[A-Z0-9]{50,60}\b")
        .entropy(3.0)
        .doc("https://cloud.google.com/storage/docs/authentication/hmackeys")
        .takes(&["GOOG1E{U55}", "AWSAccessKeyId=GOOG1E{U55}"])
        .leaves(&["GOOG1", "GOOG1EXAMPLE"]),
    Rule::new(
        "google-chat-webhook",
        "Google Chat webhooks: the token in the URL",
        &["chat.googleapis.com/v1/spaces/"],
        r"chat\.googleapis\.com/v1/spaces/[A-Za-z0-9_-]{6,40}/messages\?[^\s]{0,80}token=([A-Za-z0-9_%-]{30,80}(?:%3D)?)",
    )
    .doc("https://developers.google.com/workspace/chat/quickstart/webhooks")
    .takes(&["https://chat.googleapis.com/v1/spaces/AAAA{A7}/messages?key=k&token={A43}%3D", "chat.googleapis.com/v1/spaces/AAAAabcdefg/messages?token={A43}"])
    .leaves(&["https://chat.googleapis.com/v1/spaces/AAAAabcdefg/messages", "chat.googleapis.com/v1/spaces/SPACE_ID/messages?key=KEY&token=TOKEN"]),
];
