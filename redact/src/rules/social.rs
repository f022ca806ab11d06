//! Social networks, media and games.

use super::Rule;

const META: &str = "https://developers.facebook.com/docs/facebook-login/guides/access-tokens/";
const X: &str = "https://docs.x.com/fundamentals/authentication/overview";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "facebook-token",
        "Facebook and WhatsApp access tokens",
        &["EAA"],
        r"EAA[A-Za-z0-9]{80,400}(?:ZD){0,4}\b",
    )
    .entropy(3.5)
    .mixed()
    .doc(META)
    .takes(&["EAA{A120}", "https://graph.facebook.com/me?access=EAAB{A150}ZD"])
    .leaves(&["EAAB", "EAA{A20}"]),
    Rule::new(
        "facebook-app-token",
        "Facebook app access tokens: the secret behind the app's id",
        &["access_token="],
        r"access_token=\d{13,17}(?:\||%7[Cc])([A-Za-z0-9_-]{27})(?:[^A-Za-z0-9_-]|$)",
    )
    .entropy(3.5)
    .mixed()
    .doc(META)
    .takes(&["access_token=123456789012345|{A27}", "https://graph.facebook.com/app?access_token={d15}%7C{A27}"])
    .leaves(&["access_token=<app id>|<app secret>", "access_token="]),
    Rule::beside(
        "facebook-secret",
        "Facebook and Instagram app secrets",
        &["facebook", "instagram", "fb_app", "fb_secret", "meta_app"],
        r"[0-9a-f]{32}",
    )
    .doc("https://developers.facebook.com/docs/facebook-login/security/")
    .takes(&["facebook app secret {x32}", "instagram client secret: {x32}"])
    .leaves(&["facebook post id {x32}", "facebook digest {x32}"]),
    Rule::new(
        "instagram-token",
        "Instagram and Threads access tokens",
        &["IGQV", "IGQW", "IGAA", "THAA"],
        r"(?:IGQ[VW]|IGAA|THAA)[A-Za-z0-9_-]{80,300}",
    )
    .entropy(3.5)
    .mixed()
    .doc("https://developers.facebook.com/docs/instagram-platform/overview")
    .takes(&["IGQVJ{A150}", "IGAA{A160}"])
    .leaves(&["IGAA", "IGQV..."]),
    Rule::new(
        "twitter-bearer",
        "X (Twitter) app bearer tokens",
        &["AAAAAAAAAAAAAAAAAAAA"],
        r"A{20,24}[A-Za-z0-9]{4,10}A{3,8}[A-Za-z0-9]{0,40}%[A-Za-z0-9%]{50,110}",
    )
    .entropy(3.5)
    .doc("https://docs.x.com/fundamentals/authentication/oauth-2-0/bearer-tokens")
    .takes(&[
        "AAAAAAAAAAAAAAAAAAAAAMLheAAAAAAA0%2B{A30}%3D{A50}",
        "bot = AAAAAAAAAAAAAAAAAAAAAPz5AQEAAAAA{A23}%3D{A50}",
    ])
    .leaves(&["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "data:AAAAAAAAAAAAAAAAAAAAAB"]),
    Rule::beside(
        "twitter-key",
        "X (Twitter) API secrets and user tokens",
        &["twitter", "tweepy", "twit_"],
        r"(?:[0-9]{8,25}-[A-Za-z0-9]{25,45}|[A-Za-z0-9]{25}|[A-Za-z0-9]{45}|[A-Za-z0-9]{50})",
    )
    .entropy(3.8)
    .doc(X)
    .takes(&["twitter api secret {A50}", "twitter access token {d18}-{A40}"])
    .leaves(&["twitter status id {A25}", "twitter request {A50}"]),
    Rule::new(
        "linkedin-token",
        "LinkedIn access tokens",
        &["AQX", "AQV", "AQW", "AQU", "AQT"],
        r"AQ[T-X][A-Za-z0-9_-]{180,600}",
    )
    .entropy(3.5)
    .mixed()
    .doc("https://learn.microsoft.com/linkedin/shared/authentication/authentication")
    .takes(&["AQX{A350}", "access: AQV{A300}"])
    .leaves(&["AQXyz", "AQV{A40}"]),
    Rule::new("linkedin-client-secret", "LinkedIn client secrets", &["WPL_AP"], r"WPL_AP\d\.[A-Za-z0-9+/=._-]{16,60}")
        .doc("https://learn.microsoft.com/linkedin/shared/authentication/authentication")
        .takes(&["WPL_AP1.{A16}.{A8}==", "LINKEDIN=WPL_AP0.{A16}.{A10}=="])
        .leaves(&["WPL_AP1.", "WPL_AP_NAME"]),
    Rule::beside(
        "linkedin-secret",
        "LinkedIn client secrets of the old form",
        &["linkedin", "linked_in", "linked-in"],
        r"[A-Za-z0-9]{16}",
    )
    .entropy(3.2)
    .doc("https://learn.microsoft.com/linkedin/shared/authentication/authentication")
    .takes(&["linkedin client secret {A16}", "linkedin: secret={A16}"])
    .leaves(&["linkedin company id {A16}", "linkedin key applicationidenti"]),
    Rule::new("pinterest-token", "Pinterest tokens", &["pina_", "pinr."], r"pin(?:a_|r\.)[A-Za-z0-9_-]{20,200}")
        .entropy(3.5)
        .mixed()
        .doc("https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/")
        .takes(&["pina_{U60}", "PINTEREST=pinr.{A80}"])
        .leaves(&["pina_colada", "pina_{A12}"]),
    Rule::beside("twitch-token", "Twitch client secrets and tokens", &["twitch", "oauth:"], r"[a-z0-9]{30}")
        .entropy(3.5)
        .doc("https://dev.twitch.tv/docs/authentication/")
        .takes(&["twitch secret {a30}", "twitch pass oauth:{a30}"])
        .leaves(&["twitch clip id {a30}", "twitch video {a30}"]),
    Rule::beside(
        "spotify-secret",
        "Spotify, SoundCloud and Vimeo secrets",
        &["spotify", "soundcloud", "vimeo"],
        r"[0-9a-f]{32}",
    )
    .doc("https://developer.spotify.com/documentation/web-api/concepts/authorization")
    .takes(&["spotify client secret {x32}", "SPOTIFY={x32}"])
    .leaves(&["spotify track id {x32}", "vimeo video {x32}"]),
    Rule::new(
        "riot-key",
        "Riot Games API keys",
        &["RGAPI-"],
        r"RGAPI-[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}",
    )
    .doc("https://developer.riotgames.com/docs/portal")
    .takes(&["RGAPI-{uuid}", "X-Riot: RGAPI-{uuid}"])
    .leaves(&["RGAPI-", "RGAPI-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"]),
    Rule::new(
        "roblox-cookie",
        "Roblox session cookies",
        &["_|WARNING:-DO-NOT-SHARE-THIS"],
        r"_\|WARNING:-DO-NOT-SHARE-THIS[^|]{20,200}\|_([A-Z0-9a-z_.-]{100,1500})",
    )
    .glued()
    .doc("https://create.roblox.com/docs/cloud/auth")
    .takes(&[
        "_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow-someone-to-log-in-as-you.|_{U600}",
        "x=_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow.|_{U300}",
    ])
    .leaves(&[
        "_|WARNING:-DO-NOT-SHARE-THIS",
        "_|WARNING:-DO-NOT-SHARE-THIS.--Sharing-this-will-allow-someone.|_<cookie>",
    ]),
    Rule::beside("steam-key", "Steam web API keys", &["steam"], r"[0-9A-F]{32}")
        .doc("https://steamcommunity.com/dev")
        .takes(&["steam api key {X32}", "https://api.steampowered.com/ISteamUser?key={X32}"])
        .leaves(&["steam depot manifest {X32}", "steam hash {X32}"]),
    Rule::new(
        "modding-token",
        "Modrinth, Thunderstore and Lichess tokens",
        &["mrp_", "mro_", "tss_", "lip_"],
        r"(?:mr[po]_[A-Za-z0-9]{40,64}|tss_[A-Za-z0-9_-]{20,80}|lip_[A-Za-z0-9_]{16,60})\b",
    )
    .entropy(3.2)
    .mixed()
    .doc("https://lichess.org/api#section/Introduction/Authentication")
    .takes(&["lip_{A20}", "mrp_{A60}", "tss_{A32}"])
    .leaves(&["lip_sync", "tss_createContextForTheNewSession"]),
    Rule::beside("plex-token", "Plex tokens", &["plex"], r"[A-Za-z0-9_-]{20}")
        .entropy(3.5)
        .doc("https://support.plex.tv/articles/204059436-finding-an-authentication-token-x-plex-token/")
        .takes(&["http://plex:32400/library?X-Plex-Token={A20}", "plex token {A20}"])
        .leaves(&["plex machine id {A20}", "plex version {A20}"]),
];
