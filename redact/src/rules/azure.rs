//! Microsoft.

use super::Rule;

const STORAGE: &str = "https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage";
const ENTRA: &str = "https://learn.microsoft.com/entra/identity-platform/quickstart-register-app";
/// Where the parts of keys that can be told by themselves are listed.
const KEYS: &str = "https://learn.microsoft.com/purview/sit-defn-azure-storage-account-key";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "azure-connection-key",
        "Keys in Azure connection strings: storage, Service Bus, Event Hubs, IoT, SignalR, Cosmos DB, communication",
        &["AccountKey=", "SharedAccessKey=", ";AccessKey=", "accountkey=", "SharedSecretValue="],
        r"(?:[Aa]ccount[Kk]ey|SharedAccessKey|;AccessKey|SharedSecretValue)=([A-Za-z0-9+/]{40,120}={0,2})",
    )
    .glued()
    .entropy(3.0)
    .doc(STORAGE)
    .takes(&[
        "AccountName=a;AccountKey={b86}==;EndpointSuffix=x",
        "Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={b43}=",
        "Endpoint=https://a.service.signalr.net;AccessKey={b43}=;Version=1.0;",
    ])
    .leaves(&["AccountKey=<key>", "AccountKey=;", "SharedAccessKeyName=RootManageSharedAccessKey"]),
    Rule::new(
        "azure-app-configuration-secret",
        "Secrets in Azure App Configuration connection strings",
        &[".azconfig.io;Id=", ".azconfig.io;id="],
        r"\.azconfig\.io;[Ii]d=[^;\s]{2,80};[Ss]ecret=([A-Za-z0-9+/]{36,120}={0,2})",
    )
    .glued()
    .doc("https://learn.microsoft.com/azure/azure-app-configuration/howto-best-practices")
    .takes(&["Endpoint=https://a.azconfig.io;Id=ab-l0-s0:{A20};Secret={b43}=", "x.azconfig.io;Id=i1d2;Secret={A84}"])
    .leaves(&["Endpoint=https://a.azconfig.io;Id=<id>;Secret=<secret>", "https://a.azconfig.io"]),
    Rule::new(
        "azure-storage-key",
        "Azure storage, Batch and Cosmos DB keys of 88 characters, told by a mark inside",
        &["+ASt", "+ABa", "ACDb"],
        r"[A-Za-z0-9+/]{76}(?:\+ASt|\+ABa|ACDb)[A-Za-z0-9+/]{6}==",
    )
    .back(76)
    .entropy(3.5)
    .doc(KEYS)
    .takes(&["az storage -k {A76}+ASt{A6}==", "{A76}ACDb{A6}=="])
    .leaves(&["a+ASt==", "+ABasic=="]),
    Rule::new(
        "azure-hub-key",
        "Azure Service Bus, Event Hubs, Relay, IoT and Redis keys of 44 characters, told by a mark inside",
        &["+ASb", "+AEh", "+ARm", "AIoT", "AzCa", "AzEG"],
        r"[A-Za-z0-9+/]{33}(?:\+ASb|\+AEh|\+ARm|AIoT|AzCa|AzEG)[A-Za-z0-9+/]{6}=",
    )
    .back(33)
    .entropy(3.5)
    .doc(KEYS)
    .takes(&["{A33}+ASb{A6}=", "redis-cli -a {A33}AzCa{A6}="])
    .leaves(&["a+ASb=", "AzCache="]),
    Rule::new(
        "azure-service-key",
        "Azure keys of 84 characters, told by a mark inside: AI services, DevOps, API Management and others",
        &["JQQJ99"],
        r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}\b",
    )
    .back(52)
    .entropy(3.5)
    .doc("https://learn.microsoft.com/azure/ai-services/rotate-keys")
    .takes(&["{A52}JQQJ99BAACYeBjFX{A10}AZDO{A2}", "git clone https://{A52}JQQJ99{A26}@dev.azure.com/a/b/_git/c"])
    .leaves(&["JQQJ99", "xJQQJ99BAAC"]),
    Rule::new(
        "azure-function-key",
        "Azure Functions keys, told by a mark inside",
        &["AzFu"],
        r"[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{6}(?:==|%3[Dd]%3[Dd])",
    )
    .back(44)
    .entropy(3.5)
    .doc("https://learn.microsoft.com/azure/azure-functions/function-keys-how-to")
    .takes(&["x-fn {A44}AzFu{A6}==", "https://a.azurewebsites.net/api/f?code={A44}AzFu{A6}=="])
    .leaves(&["AzFunction==", "AzFu"]),
    Rule::new(
        "azure-function-code",
        "Keys in the URLs of Azure Functions",
        &[".azurewebsites.net/"],
        r#"\.azurewebsites\.net/[^\s"'<>]{0,200}[?&]code=([A-Za-z0-9_%/+-]{40,100}={0,2})"#,
    )
    .glued()
    .entropy(3.0)
    .doc("https://learn.microsoft.com/azure/azure-functions/function-keys-how-to")
    .takes(&[
        "https://a.azurewebsites.net/api/f?code={A54}==",
        "POST https://x.azurewebsites.net/api/hook?name=a&code={A54}%3D%3D",
    ])
    .leaves(&["https://a.azurewebsites.net/api/f?code=200", "https://a.azurewebsites.net/api/f?code=<function key>"]),
    Rule::new(
        "azure-search-key",
        "Azure AI Search and Container Registry keys of 52 characters, told by a mark inside",
        &["AzSe", "+ACR"],
        r"[A-Za-z0-9+/]{42}(?:AzSe|\+ACR)[A-D][A-Za-z0-9+/]{5}",
    )
    .back(42)
    .entropy(3.5)
    .doc("https://learn.microsoft.com/azure/search/search-security-api-keys")
    .takes(&["{A42}AzSeA{A5}", "docker login -u acme -p {A42}+ACRB{A5}"])
    .leaves(&["AzSearchAbc", "a+ACRAbcde"]),
    Rule::new(
        "azure-sas-signature",
        "Signatures of Azure shared access signatures: the URL stays",
        &["sig="],
        r"sig=([A-Za-z0-9%+/_-]{40,100}(?:%3[Dd]|=){0,2})",
    )
    .entropy(3.5)
    .doc("https://learn.microsoft.com/azure/storage/common/storage-sas-overview")
    .takes(&[
        "https://a.blob.core.windows.net/c?sv=2022&sig={A43}%3D",
        "SharedAccessSignature sr=a&sig={A40}%2B%3D&se=1",
    ])
    .leaves(&["sig=abc", "sig=<signature>&se=1"]),
    Rule::new(
        "azure-client-secret",
        "Client secrets of Entra ID applications",
        &["Q~"],
        r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_.~-]{31,34}",
    )
    .back(4)
    .entropy(3.0)
    .doc(ENTRA)
    .takes(&["abc8Q~{A34}", "az login --service-principal -p x1.7Q~{A31}"])
    .leaves(&["abc8Q~", "8Q~{A34}"]),
    Rule::beside(
        "azure-api-key",
        "Keys of 32 hex digits of Azure AI services and API Management",
        &[
            "cognitiveservices",
            "cognitive_services",
            "openai.azure",
            "azure_openai",
            "azureopenai",
            "apim",
            "ocp-apim",
            "azure",
        ],
        r"[0-9a-f]{32}",
    )
    .doc("https://learn.microsoft.com/azure/ai-services/authentication")
    .takes(&["azure openai key {x32}", "ocp-apim-subscription-key {x32}"])
    .leaves(&["azure subscription id {x32}", "azure image digest {x32}"]),
    Rule::new(
        "teams-webhook",
        "Microsoft Teams incoming webhooks",
        &["webhook.office.com/webhookb2/", "outlook.office.com/webhook/"],
        r"(?:webhook\.office\.com/webhookb2|outlook\.office\.com/webhook)/([A-Za-z0-9@/_-]{80,240})",
    )
    .doc("https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook")
    .takes(&[
        "https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{x32}/{uuid}",
        "https://outlook.office.com/webhook/{uuid}@{uuid}/IncomingWebhook/{x32}/{uuid}",
    ])
    .leaves(&["webhook.office.com/webhookb2/", "https://acme.webhook.office.com/webhookb2/<path>"]),
    Rule::new(
        "entra-refresh-token",
        "Entra ID refresh tokens",
        &["0.", "1."],
        r"[01]\.A[A-Za-z0-9_-]{19,80}\.[A-Za-z0-9_-]{300,3500}",
    )
    .entropy(4.0)
    .doc("https://learn.microsoft.com/entra/identity-platform/refresh-tokens")
    .takes(&["0.AXoA{A40}.{A500}", "saved 1.AXoA{A40}.AgABAwEA{A700}"])
    .leaves(&["0.A1.b2", "1.Abc.def"]),
];
