//! Tools of work: tasks, documents, designs, customers, files.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "linear-key",
        "Linear API keys, OAuth tokens and webhook secrets",
        &["lin_api_", "lin_oauth_", "lin_wh_"],
        r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,64}\b",
    )
    .doc("https://linear.app/developers")
    .takes(&["lin_api_{A40}", "LINEAR=lin_oauth_{x64}"])
    .leaves(&["lin_api_key", "lin_wh_x"]),
    Rule::new(
        "notion-token",
        "Notion integration tokens",
        &["ntn_", "secret_"],
        r"(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})\b",
    )
    .entropy(3.0)
    .mixed()
    .doc("https://developers.notion.com/docs/authorization")
    .takes(&["ntn_{A46}", "secret_{A43}"])
    .leaves(&["secret_name", "ntn_{A12}"]),
    Rule::new("airtable-token", "Airtable personal access tokens", &["pat"], r"pat[A-Za-z0-9]{14}\.[A-Fa-f0-9]{64}\b")
        .doc("https://airtable.com/developers/web/guides/personal-access-tokens")
        .takes(&["pat{A14}.{x64}", "Bearer-like pat{A14}.{x64}"])
        .leaves(&["pathname", "patches.txt"]),
    Rule::beside("airtable-legacy-key", "Airtable API keys", &["airtable"], r"key[A-Za-z0-9]{14}")
        .doc("https://support.airtable.com/docs/airtable-api-key-deprecation-notice")
        .takes(&["airtable api key key{A14}", "AIRTABLE=key{A14}"])
        .leaves(&["airtable keyboardShortcuts", "airtable version key{A14}"]),
    Rule::new(
        "asana-token",
        "Asana personal access tokens",
        &["0/", "1/", "2/"],
        r"(?:[01]/\d{14,20}:[A-Fa-f0-9]{32}|[012]/\d{14,20}/\d{14,20}:[A-Fa-f0-9]{32}|0/[A-Fa-f0-9]{32})\b",
    )
    .doc("https://developers.asana.com/docs/personal-access-token")
    .takes(&["1/{d16}:{x32}", "2/{d16}/{d16}:{x32}", "0/{x32}"])
    .leaves(&["1/2", "0/{d16}"]),
    Rule::new(
        "figma-token",
        "Figma personal and OAuth tokens",
        &["figd_", "figo_", "figor_", "figoh_", "figu_"],
        r"fig(?:d|o|or|oh|u|uh|ur)_[A-Za-z0-9_-]{36,64}",
    )
    .mixed()
    .doc("https://developers.figma.com/docs/rest-api/authentication/")
    .takes(&["figd_{A40}", "X-Figma: figo_{A43}"])
    .leaves(&["figd_", "figd_{A12}"]),
    Rule::new("miro-token", "Miro access tokens", &["eyJtaXJv"], r"eyJtaXJv[A-Za-z0-9-]{10,64}_[A-Za-z0-9_-]{20,64}")
        .doc("https://developers.miro.com/docs/getting-started-with-oauth")
        .takes(&["eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_{A27}", "MIRO=eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_{A27}"])
        .leaves(&["eyJtaXJv", "eyJtaXJv..."]),
    Rule::new(
        "postman-key",
        "Postman API and collection keys",
        &["PMAK-", "PMAT-"],
        r"(?:PMAK-[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}|PMAT-[A-Za-z0-9]{26})\b",
    )
    .glued()
    .mixed()
    .doc("https://learning.postman.com/docs/developer/postman-api/authentication/")
    .takes(&["PMAK-{x24}-{x34}", "access_key=PMAT-01{U24}"])
    .leaves(&["PMAK-", "PMAT-ABC"]),
    Rule::new("trello-token", "Trello tokens", &["ATTA"], r"ATTA[A-Fa-f0-9]{60}[0-9A-Fa-f]{12}\b")
        .doc("https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/")
        .takes(&["ATTA{x60}{X12}", "token=ATTA{x72}"])
        .leaves(&["ATTACH", "ATTA{x20}"]),
    Rule::beside("trello-key", "Trello keys and tokens without prefix", &["trello"], r"(?:[0-9a-f]{64}|[0-9a-f]{32})")
        .doc("https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/")
        .takes(&["trello key {x32}", "https://api.trello.com/1/boards?token={x64}"])
        .leaves(&["trello board id {x32}", "trello card {x32}"]),
    Rule::new("clickup-token", "ClickUp personal tokens", &["pk_"], r"pk_[0-9]{6,9}_[A-Za-z0-9]{32}\b")
        .doc("https://developer.clickup.com/docs/authentication")
        .takes(&["pk_{d8}_{U32}", "CLICKUP=pk_{d9}_{U32}"])
        .leaves(&["pk_1_idx", "pk_{d8}"]),
    Rule::new("typeform-token", "Typeform personal tokens", &["tfp_"], r"tfp_[A-Za-z0-9_=.-]{40,60}")
        .doc("https://www.typeform.com/developers/get-started/personal-access-token/")
        .takes(&["tfp_{A44}", "Bearer-like tfp_{A44}_{A14}"])
        .leaves(&["tfp_x", "tfp_{A12}"]),
    Rule::new(
        "hubspot-token",
        "HubSpot private app tokens",
        &["pat-na", "pat-eu", "pat-ap"],
        r"pat-(?:na|eu|ap)\d-[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}",
    )
    .doc("https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview")
    .takes(&["pat-na1-{uuid}", "HUBSPOT=pat-eu1-{uuid}"])
    .leaves(&["pat-na1-x", "pat-name"]),
    Rule::beside(
        "hubspot-key",
        "HubSpot API keys",
        &["hubspot", "hapikey"],
        r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
    )
    .doc("https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview")
    .takes(&["hubspot key {uuid}", "https://api.hubapi.com/contacts/v1/lists?hapikey={uuid}"])
    .leaves(&["hubspot form id {uuid}", "hubspot portal {uuid}"]),
    Rule::beside("zendesk-token", "Zendesk API tokens and secrets", &["zendesk"], r"[A-Za-z0-9]{40}")
        .entropy(3.5)
        .doc("https://developer.zendesk.com/api-reference/introduction/security-and-auth/")
        .takes(&["zendesk token {A40}", "ZENDESK={A40}"])
        .leaves(&["zendesk app commit {x40}", "zendesk ticket {x40}"]),
    Rule::beside(
        "freshdesk-key",
        "Freshdesk and Freshservice keys",
        &["freshdesk", "freshservice"],
        r"[A-Za-z0-9]{19,20}",
    )
    .entropy(3.2)
    .doc("https://developers.freshdesk.com/api/#authentication")
    .takes(&["freshdesk key {A20}", "FRESHDESK={A20}"])
    .leaves(&["freshdesk ticket id {A20}", "freshdesk key applicationidentifie"]),
    Rule::new(
        "salesforce-token",
        "Salesforce access tokens",
        &["00D"],
        r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._-]{80,260}",
    )
    .doc("https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_access_tokens.htm")
    .takes(&["00D{A12}!{A96}", "sfdx force:config:set instance token 00D{A15}!AQ.{A90}"])
    .leaves(&["00D{A12}", "00D!"]),
    Rule::new(
        "salesforce-refresh-token",
        "Salesforce refresh tokens",
        &["5Aep861", "5AeP861"],
        r"5Ae[pP]861[A-Za-z0-9]{9}[A-Za-z0-9._-]{51,120}",
    )
    .doc("https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_refresh_token_flow.htm")
    .takes(&["5Aep861{A80}", "refresh: 5Aep861{A40}.{A39}"])
    .leaves(&["5Aep861", "5Aep861..."]),
    Rule::beside(
        "pipedrive-token",
        "Pipedrive, Todoist and Copper tokens",
        &["pipedrive", "todoist", "copper_api"],
        r"[0-9a-f]{40}",
    )
    .doc("https://pipedrive.readme.io/docs/core-api-concepts-authentication")
    .takes(&["pipedrive token {x40}", "TODOIST={x40}"])
    .leaves(&["pipedrive commit {x40}", "todoist task {x40}"]),
    Rule::new("close-key", "Close CRM keys", &["api_"], r"api_[A-Za-z0-9]{20,24}\.[A-Za-z0-9]{20,24}\b")
        .entropy(3.5)
        .mixed()
        .doc("https://developer.close.com/topics/authentication/")
        .takes(&["api_{A22}.{A22}", "CLOSE=api_{A22}.{A22}"])
        .leaves(&["api_client.get", "api_configuration.something"]),
    Rule::new("dropbox-token", "Dropbox short-lived tokens", &["sl."], r"sl\.[A-Za-z0-9_-]{16}[A-Za-z0-9_=-]{104,2048}")
        .entropy(4.0)
        .doc("https://developers.dropbox.com/oauth-guide")
        .takes(&["sl.{A135}", "Bearer-like sl.B{A1200}"])
        .leaves(&["sl.po", "sl.{A40}"]),
    Rule::new(
        "dropbox-user-token",
        "Dropbox short-lived tokens of users",
        &["sl.u."],
        r"sl\.u\.[A-Za-z0-9_-]{120,2048}",
    )
    .entropy(4.0)
    .doc("https://developers.dropbox.com/oauth-guide")
    .takes(&["sl.u.{A1200}", "DROPBOX=sl.u.{A300}"])
    .leaves(&["sl.u.", "sl.u.{A40}"]),
    Rule::beside(
        "dropbox-key",
        "Dropbox long-lived tokens and app secrets",
        &["dropbox"],
        r"(?:[A-Za-z0-9_-]{11}AAAAAAAAAA[A-Za-z0-9_-]{43})",
    )
    .doc("https://developers.dropbox.com/oauth-guide")
    .takes(&["dropbox token {a11}AAAAAAAAAA{A43}", "dropbox auth {A11}AAAAAAAAAA{A43}"])
    .leaves(&["dropbox file id {a11}AAAAAAAAAA{A43}", "dropbox version {a11}AAAAAAAAAA{A43}"]),
    Rule::beside(
        "box-token",
        "Box developer tokens and client secrets",
        &["box", "boxsdk"],
        r"[A-Za-z0-9]{32}",
    )
    .entropy(3.8)
    .doc("https://developer.box.com/guides/authentication/tokens/")
    .takes(&["box_developer_token {A32}", "box.com client secret {A32}"])
    .leaves(&["box_sha1 {x32}", "box.com folder id {A32}"]),
    Rule::beside(
        "contentstack-token",
        "Contentstack and Storyblok tokens",
        &["contentstack", "storyblok"],
        r"(?:cs[0-9a-f]{32}|[0-9a-f]{34}|[A-Za-z0-9]{22}tt)",
    )
    .doc("https://www.contentstack.com/docs/developers/create-tokens/about-delivery-tokens")
    .takes(&["contentstack delivery token cs{x32}", "storyblok token {A22}tt"])
    .leaves(&["contentstack entry id {x34}", "storyblok version {A22}tt"]),
    Rule::new("builder-key", "Builder.io private keys", &["bpk-"], r"bpk-[A-Fa-f0-9]{32}\b")
        .doc("https://www.builder.io/c/docs/using-your-api-key")
        .takes(&["bpk-{x32}", "BUILDER=bpk-{x32}"])
        .leaves(&["bpk-x", "bpk-{x12}"]),
    Rule::new("readme-key", "ReadMe API keys", &["rdme_"], r"rdme_[a-z0-9]{70}\b")
        .doc("https://docs.readme.com/main/reference/intro/authentication")
        .takes(&["rdme_{a70}", "rdme login rdme_{a70}"])
        .leaves(&["rdme_x", "rdme_{a12}"]),
    Rule::new("canva-secret", "Canva client secrets", &["cnvca"], r"cnvca[A-Za-z0-9_-]{51}\b{end-half}")
        .doc("https://www.canva.dev/docs/connect/authentication/")
        .takes(&["cnvca{A51}", "CANVA=cnvca{A51}"])
        .leaves(&["cnvca", "cnvca{A12}"]),
    Rule::new("adobe-secret", "Adobe client secrets", &["p8e-"], r"p8e-[A-Za-z0-9_-]{32}\b{end-half}")
        .doc("https://developer.adobe.com/developer-console/docs/guides/authentication/")
        .takes(&["p8e-{A32}", "client: p8e-{A32}"])
        .leaves(&["p8e-x", "p8e-{A12}"]),
    Rule::new(
        "zoho-token",
        "Zoho OAuth tokens",
        &["1000.", "1001.", "1003."],
        r"100[013]\.[A-Fa-f0-9]{32}\.[A-Fa-f0-9]{32}(?:-d)?\b",
    )
    .doc("https://www.zoho.com/accounts/protocol/oauth.html")
    .takes(&["1000.{x32}.{x32}", "Zoho-oauthtoken 1000.{x32}.{x32}"])
    .leaves(&["1000.00", "1000.{x32}"]),
    Rule::new("calcom-key", "Cal.com API keys", &["cal_live_", "cal_test_", "cal_"], r"cal_(?:live_|test_)?[A-Fa-f0-9]{32}\b")
        .doc("https://cal.com/docs/api-reference/v1/authentication")
        .takes(&["cal_live_{x32}", "CAL=cal_{x32}"])
        .leaves(&["cal_live_", "cal_date"]),
    Rule::new("tableau-token", "Tableau personal access tokens", &["==:"], r"[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}\b")
        .back(22)
        .entropy(3.5)
        .mixed()
        .doc("https://help.tableau.com/current/server/en-us/security_personal_access_tokens.htm")
        .takes(&["{A22}==:{A32}", "tabcmd login -t {b22}==:{A32}"])
        .leaves(&["a==:b", "{A22}==:{A10}"]),
    Rule::beside("figma-legacy-token", "Figma tokens of the old form", &["figma"], r"[0-9A-Fa-f]{4}-[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
        .doc("https://developers.figma.com/docs/rest-api/authentication/")
        .takes(&["X-Figma-Token: {x4}-{uuid}", "figma token {x4}-{uuid}"])
        .leaves(&["figma file id {x4}-{uuid}", "figma version {x4}-{uuid}"]),
    Rule::new("samsara-token", "Samsara, Persona, Proof and Workato keys", &["samsara_api_", "persona_production_", "persona_sandbox_", "prf_"], r"(?:samsara_api|persona_(?:production|sandbox)|prf)_[A-Za-z0-9_-]{20,80}")
        .entropy(3.5)
        .mixed()
        .doc("https://developers.samsara.com/docs/authentication")
        .takes(&["samsara_api_{A28}", "persona_production_{a40}", "prf_{A40}"])
        .leaves(&["prf_algorithm_of_the_handshake", "samsara_api_x"]),
    Rule::new("notify-key", "Keys of GC Notify", &["gcntfy-"], r"gcntfy-[a-z0-9_-]{1,80}-[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}-[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}")
        .doc("https://documentation.notification.canada.ca/en/keys.html")
        .takes(&["ApiKey-v1 gcntfy-ci-{uuid}-{uuid}", "gcntfy-my_key-{uuid}-{uuid}"])
        .leaves(&["gcntfy-ci", "gcntfy-ci-{uuid}"]),
    Rule::new("endor-key", "Endor Labs keys and secrets", &["endr+"], r"endr\+[A-Za-z0-9-]{16}\b")
        .entropy(3.0)
        .mixed()
        .doc("https://docs.endorlabs.com/administration/api-keys/")
        .takes(&["endr+{A16}", "ENDOR=endr+{A16}"])
        .leaves(&["endr+", "endr+abc"]),
    Rule::new("val-town-token", "Val Town tokens", &["vtwn_"], r"vtwn_[A-Za-z0-9_-]{20,80}")
        .mixed()
        .doc("https://docs.val.town/guides/api/authentication/")
        .takes(&["vtwn_{A22}", "VALTOWN=vtwn_{A32}"])
        .leaves(&["vtwn_x", "vtwn_{A8}"]),
    Rule::new("ionic-token", "Ionic personal tokens", &["ion_"], r"ion_[A-Za-z0-9]{42}\b")
        .entropy(3.8)
        .mixed()
        .doc("https://ionic.io/docs/appflow/personal-access-tokens")
        .takes(&["ion_{A42}", "IONIC=ion_{A42}"])
        .leaves(&["ion_chamber", "ion_{A12}"]),
    Rule::new("workato-token", "Workato API tokens", &["wrka-eyJ", "wrkaus-eyJ", "wrkaeu-eyJ", "wrkajp-eyJ", "wrkasg-eyJ", "wrkaau-eyJ"], r"wrka(?:[a-z]{2})?-eyJ[A-Za-z0-9_-]{8,600}\.[A-Za-z0-9_-]{16,2000}\.[A-Za-z0-9_-]{60,600}")
        .doc("https://docs.workato.com/workato-api.html")
        .takes(&["wrka-eyJ{A30}.{A90}.{A86}", "WORKATO=wrkaus-eyJ{A30}.{A60}.{A90}"])
        .leaves(&["wrka-eyJ", "wrkaus-eyJ..."]),
    Rule::beside("linear-secret", "Linear client secrets", &["linear"], r"[0-9a-f]{32}")
        .doc("https://linear.app/developers/oauth-2-0-authentication")
        .takes(&["linear client secret {x32}", "linear token {x32}"])
        .leaves(&["linear issue id {x32}", "linear hash {x32}"]),
    Rule::new("frameio-token", "Frame.io tokens", &["fio-u-"], r"fio-u-[A-Za-z0-9_-]{10}[A-Za-z0-9_=-]{54}")
        .doc("https://developer.frame.io/docs/getting-started/authentication")
        .takes(&["fio-u-{A64}", "Bearer-like fio-u-{A64}"])
        .leaves(&["fio-u-", "fio-u-{A12}"]),
    Rule::new(
        "apify-token",
        "Apify tokens",
        &["apify_api_", "apify_proxy_"],
        r"apify_(?:api|proxy)_[A-Za-z0-9]{34,40}\b",
    )
    .doc("https://docs.apify.com/platform/integrations/api")
    .takes(&["apify_api_{A36}", "apify login -t apify_api_{A34}"])
    .leaves(&["apify_api_x", "apify_proxy_groups"]),
    Rule::new("maxmind-key", "MaxMind license keys", &["_mmk"], r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b")
        .back(36)
        .doc("https://support.maxmind.com/hc/en-us/articles/4407111582235-Generate-a-License-Key")
        .takes(&["{A6}_{A29}_mmk", "LicenseKey {A6}_{A29}_mmk"])
        .leaves(&["_mmk", "the_mmk"]),
    Rule::new(
        "mapbox-token",
        "Mapbox secret tokens; public tokens stay",
        &["sk.", "tk."],
        r"[st]k\.eyJ[A-Za-z0-9_-]{20,300}\.[A-Za-z0-9_-]{20,60}",
    )
    .doc("https://docs.mapbox.com/accounts/guides/tokens/")
    .takes(&["sk.eyJ{A80}.{A22}", "MAPBOX=sk.eyJ{A90}.{A22}"])
    .leaves(&["sk.eyJ", "pk.eyJ..."]),
    Rule::beside(
        "openweather-key",
        "OpenWeather and other weather keys",
        &["openweather", "appid=", "weatherapi", "weatherstack", "pyowm", "visualcrossing"],
        r"[0-9a-z]{30,32}",
    )
    .doc("https://openweathermap.org/appid")
    .takes(&["https://api.openweathermap.org/data/2.5/weather?q=Bern&appid={x32}", "openweather key {x32}"])
    .leaves(&["openweather version {x32}", "https://api.openweathermap.org/data/2.5/weather?q=Bern&appid=YOUR_KEY"]),
    Rule::new(
        "wakatime-key",
        "WakaTime keys",
        &["waka_"],
        r"waka_(?:[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}|[a-z0-9]{36,64})\b",
    )
    .mixed()
    .doc("https://wakatime.com/developers")
    .takes(&["waka_{uuid}", "WAKATIME=waka_{a40}"])
    .leaves(&["waka_time", "waka_{a12}"]),
    Rule::beside("cloudinary-secret", "Cloudinary secrets", &["cloudinary"], r"[A-Za-z0-9_-]{27}")
        .entropy(3.8)
        .doc("https://cloudinary.com/documentation/developer_onboarding_faq_find_credentials")
        .takes(&["cloudinary api secret {A27}", "CLOUDINARY={A27}"])
        .leaves(&["cloudinary asset id {A27}", "cloudinary version {A27}"]),
    Rule::new("imagekit-key", "ImageKit private keys", &["private_"], r"private_[A-Za-z0-9+/]{27}=")
        .doc("https://imagekit.io/docs/api-reference/api-introduction")
        .takes(&["private_{A27}=", "IMAGEKIT=private_{A27}="])
        .leaves(&["private_key", "public_{A27}="]),
];
