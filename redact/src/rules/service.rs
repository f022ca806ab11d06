//! Services of which only the name tells their keys.

use super::Rule;

/// Names that mean nothing else. One on each line they would be a long page.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "abbyy", "abstractapi", "abuseipdb", "accuweather", "adafruit", "adobe", "adzuna", "aerisapi", "agora", "airship",
    "airvisual", "alchemer", "aletheia", "alphavantage", "amadeus", "ambee", "amplitude", "anypoint", "apiflash",
    "apilayer", "apimatic", "apitemplate", "apollo", "apollo_key", "appcues", "appfollow", "appoptics", "asana",
    "assemblyai", "audd", "autodesk", "autoklose", "aviationstack", "axonaut", "aylien", "ayrshare", "bannerbear",
    "baremetrics", "beebole", "besttime", "billomat", "bitbar", "bitbucket", "bitfinex", "bitly", "bitmex",
    "blazemeter", "blynk", "bombbomb", "brandfetch", "browshot", "bscscan", "buddyns", "bugherd", "bugsnag", "bulksms",
    "buttercms", "calendarific", "calendly", "campayn", "cannyio", "capsulecrm", "captaindata", "carboninterface",
    "censys", "chartmogul", "chatfuel", "checklyhq", "clarifai", "clearbit", "clickhelp", "clicksend", "clientary",
    "clinchpad", "clockify", "closecrm", "cloudant", "cloudconvert", "cloudinary", "cloudmersive", "cloudsight",
    "codequiry", "coinapi", "coinlayer", "coinlib", "commercejs", "companyhub", "composio", "configcat", "confluent",
    "convertapi", "convertkit", "copyleaks", "couchbase", "countrylayer", "craftmypdf", "crossmint", "crowdin",
    "cryptocompare", "currencycloud", "currencyfreaks", "currencylayer", "currencyscoop", "currentsapi", "customer.io",
    "customerio", "d7networks", "data.gov", "databento", "databox", "deepai", "detectlanguage", "diffbot", "diggernaut",
    "disqus", "docparser", "documo", "docusign", "dotdigital", "dovico", "dronahq", "dwolla", "dynalist", "dyspatch",
    "easyinsight", "ecostruxure", "edamam", "edenai", "eightxeight", "enablex", "etherscan", "ethplorer", "eventbrite",
    "everhour", "exchangerate", "exoscale", "exportsdk", "extractorapi", "faceplusplus", "fastforex", "fetchrss",
    "fibery", "finage", "financialmodelingprep", "finicity", "finnhub", "fixer.io", "fixerio", "flickr", "flightapi",
    "flightlabs", "flightstats", "flowflu", "formbucket", "formcraft", "formsite", "foursquare", "freshbooks",
    "fullstory", "fxmarket", "geckoboard", "geoapify", "geocodify", "geocodio", "geoipify", "getresponse", "gitter",
    "glassnode", "graphcms", "graphhopper", "greptile", "groovehq", "gtmetrix", "guardianapi", "gumroad", "happyscribe",
    "hellosign", "helpcrunch", "helpscout", "hereapi", "holidayapi", "html2pdf", "hypertrack", "iconfinder", "iexcloud",
    "imagga", "infomaniak", "instabot", "instamojo", "instantly_api", "intercom", "interseller", "intrinio",
    "ip2location", "ipapi", "ipdata", "ipgeolocation", "ipinfo", "ipquality", "ipstack", "jotform", "jumpcloud",
    "jupiterone", "kagi", "kanbantool", "karmacrm", "keenio", "kickbox", "klaviyo", "klipfolio", "larksuite", "last.fm",
    "lastfm", "leadfeeder", "lemlist", "lemonsqueezy", "lendflow", "lexigram", "lighton", "linear_client",
    "linkpreview", "liveagent", "livestorm", "loadmill", "locationiq", "loginradius", "lokalise", "looker", "loyverse",
    "lunchmoney", "mailboxlayer", "mailerlite", "mailmodo", "mailsac", "mapquest", "marketstack", "maxmind",
    "mediastack", "meistertask", "mesibo", "messagebird", "metaapi", "mindmeister", "miro", "mixmax", "mockaroo",
    "monday.com", "monday_api", "monkeylearn", "moonclerk", "moosend", "mrticktock", "mux_token", "nethunt",
    "neutrinoapi", "newsapi", "newscatcher", "newyorktimes", "nftport", "nicereply", "nightfall", "numverify",
    "nutritionix", "nytimes", "omnisend", "onedesk", "onepagecrm", "onfleet", "oopspam", "opencage", "openuv",
    "optimizely", "overloop", "pandadoc", "pandascore", "paperform", "paralleldots", "parsehub", "partnerstack",
    "passbase", "pastebin", "paymongo", "pdflayer", "pdfshift", "peopledatalabs", "pexels", "photoroom", "pinata",
    "pipedream", "pixabay", "plaid", "podio", "poloniex", "polygon.io", "polygon_io", "polymarket", "positionstack",
    "postageapp", "private_ai", "privateai", "prodpad", "proxycrawl", "qualaroo", "qubole", "rainforestpay", "rapidapi",
    "rawg", "reachmail", "rebrandly", "remove.bg", "removebg", "rentman", "repairshopr", "retell", "ringcentral",
    "ritekit", "rocketreach", "route4me", "salescookie", "salesflare", "saucelabs", "scalr", "scrapeowl", "scraperbox",
    "scrapestack", "scrapfly", "scrapingant", "scrapingbee", "screenshotapi", "scrutinizer", "securitytrails",
    "selectpdf", "sendbird", "serphouse", "serpstack", "sheety", "shipday", "shodan", "shotstack", "shutterstock",
    "simplynoted", "skybiometry", "smartsheet", "smartystreets", "snipcart", "spoonacular", "sportsmonk", "sslmate",
    "statuscake", "statuspage", "stitchdata", "stockdata", "stormglass", "storyblok", "strava", "stytch", "supernotes",
    "surveysparrow", "survicate", "swiftype", "tableau", "tatumio", "taxjar", "teamgate", "telnyx", "text2data",
    "textmagic", "themoviedb", "theoddsapi", "thinkific", "thousandeyes", "ticketmaster", "tickettailor", "tiingo",
    "timecamp", "timezoneapi", "tinypng", "tmdb", "todoist", "tomorrow.io", "tomtom", "tradier", "transferwise",
    "travelpayouts", "twelvedata", "typetalk", "ubidots", "uclassify", "unplugg", "unsplash", "upcdatabase", "uplead",
    "uploadcare", "upstage", "uptimerobot", "urlscan", "userstack", "vatlayer", "verimail", "veriphone", "versioneye",
    "virustotal", "visualcrossing", "voicegain", "vpnapi", "walkscore", "weatherapi", "weatherbit", "weatherstack",
    "web3storage", "webflow", "webscraper", "wepay", "whoxy", "wolframalpha", "workos", "worldcoin", "wrike", "zapier",
    "zenkit", "zenscrape", "zenserp", "zeplin", "zerobounce", "zipcodeapi", "zipcodebase", "zoho",
];

pub(super) const RULES: &[Rule] = &[
    Rule::beside(
        "service-key",
        "Keys of several hundred smaller services, near the service's name",
        NAMES,
        r"[A-Za-z0-9_-]{16}[A-Za-z0-9_=-]{4,112}",
    )
    .entropy(3.2)
    .doc("https://www.rfc-editor.org/rfc/rfc6750")
    .takes(&["newsapi key {x32}", "rapidapi key {A50}", "bitly token {x40}", "flickr secret {x32}", "ASANA={a32}"])
    .leaves(&[
        "newsapi request {x32}",
        "unsplash photo id {A22}",
        "flickr key the-name-of-a-photo-set",
        "asana {a32}",
    ]),
    Rule::beside(
        "service-uuid-key",
        "Keys that are a UUID, near the name of a service that has such",
        &[
            "coinapi",
            "coinmarketcap",
            "cmc_pro",
            "chocolatey",
            "choco",
            "pivotal",
            "uptrace",
            "logflare",
            "bunnycdn",
            "bunny.net",
            "insightly",
            "gandi",
            "deepl",
            "tatum",
            "zoominfo",
            "heygen",
            "leonardo.ai",
            "webex",
            "sendbird",
            "wakatime",
            "messagebird",
            "bugherd",
            "everhour",
        ],
        r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
    )
    .doc("https://www.rfc-editor.org/rfc/rfc9562")
    .takes(&["coinmarketcap key {uuid}", "choco push --api-key {uuid}", "deepl auth key {uuid}"])
    .leaves(&["coinapi exchange id {uuid}", "insightly contact {uuid}", "choco request {uuid}"]),
];
