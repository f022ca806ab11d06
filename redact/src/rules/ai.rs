//! Makers of models, and tools around them.

use super::Rule;
use super::rule::Left;

const OPENAI: &str = "https://platform.openai.com/docs/api-reference/authentication";

pub(super) const RULES: &[Rule] = &[
    Rule::new("openai-key", "OpenAI keys: user, project, service account and admin; Stability, Moonshot and others look alike", &["sk-"], r"sk-(?:(?:proj|svcacct|admin|None|service)-[A-Za-z0-9_-]{20,250}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[A-Za-z0-9]{40,64}\b)")
        .entropy(3.5)
        .mixed()
        .doc(OPENAI)
        .takes(&["sk-{A48}", "sk-proj-{A74}T3BlbkFJ{A74}", "x\\nsk-{A48}", "sk-svcacct-{A58}T3BlbkFJ{A58}", "sk-admin-{A20}T3BlbkFJ{A20}"])
        .leaves(&["sk-learn", "sk-{A10}", "task-{A48}", "sk-proj-xxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-proj-your-openai-api-key-here"]),
    Rule::new("anthropic-key", "Anthropic API, admin and OAuth keys and sessions", &["sk-ant-"], r"sk-ant-[A-Za-z0-9_-]{24,250}")
        .glued()
        .doc("https://docs.anthropic.com/en/api/getting-started")
        .takes(&["sk-ant-api03-{A93}AA", "sk-ant-oat01-{A93}", "x=sk-ant-admin01-{A93}AA", "sk-ant-sid01-{A86}-{A6}AA"])
        .leaves(&["sk-ant-api03-...", "sk-ant-xxx", "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("openrouter-key", "OpenRouter keys", &["sk-or-"], r"sk-or-(?:v\d{1,4}-)?[A-Za-z0-9_-]{20,70}")
        .doc("https://openrouter.ai/docs/api-reference/authentication")
        .takes(&["sk-or-v1-{x64}", "Bearer sk-or-v1-{x64}"])
        .leaves(&["sk-or-v1", "sk-or-v1-{x12}"]),
    Rule::new("deepseek-key", "DeepSeek, DashScope (Qwen) and other keys of 32 hex digits", &["sk-"], r"sk-[A-Fa-f0-9]{32}\b")
        .entropy(3.0)
        .doc("https://api-docs.deepseek.com/")
        .takes(&["sk-{x32}", "DASHSCOPE=sk-{x32}"])
        .leaves(&["disk-{x32}", "sk-{x20}"]),
    Rule::new("model-gateway-key", "Keys of gateways to models: Langfuse secrets, Helicone, Moonshot, MiniMax, Kimi Code", &["sk-lf-", "sk-helicone-", "sk-kimi-", "sk-api-"], r"sk-(?:lf-[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}|helicone-[a-z0-9-]{20,60}|(?:kimi|api)-[A-Za-z0-9_-]{40,160})")
        .mixed()
        .doc("https://langfuse.com/docs/api-and-data-platform/features/public-api")
        .takes(&["sk-lf-{uuid}", "sk-kimi-{A64}", "sk-api-{A119}", "sk-helicone-{a7}-{a7}-{a7}-{a7}"])
        .leaves(&["pk-lf-{uuid}", "sk-lf-...", "sk-api-key-name"]),
    Rule::new("huggingface-token", "Hugging Face user and organization tokens", &["hf_", "api_org_"], r"(?:hf_[A-Za-z]{34}|hf_[A-Za-z0-9]{34}|hf_oauth_[A-Za-z0-9_-]{16}[A-Za-z0-9_.-]{24,500}|api_org_[A-Za-z0-9]{34})\b")
        .entropy(3.0)
        .doc("https://huggingface.co/docs/hub/security-tokens")
        .takes(&["hf_{A34}", "hf_{l34}", "HF=api_org_{A34}"])
        .leaves(&["hf_hub_download", "hf_transfer", "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("groq-key", "Groq API keys", &["gsk_"], r"gsk_[A-Za-z0-9]{40,60}\b")
        .mixed()
        .doc("https://console.groq.com/docs/quickstart")
        .takes(&["gsk_{A52}", "GROQ=gsk_{A52}"])
        .leaves(&["gsk_application", "gsk_{A12}"]),
    Rule::new("replicate-token", "Replicate API tokens", &["r8_"], r"r8_[A-Za-z0-9]{37}\b")
        .mixed()
        .doc("https://replicate.com/docs/reference/http")
        .takes(&["r8_{A37}", "Bearer r8_{A37}"])
        .leaves(&["r8_unorm", "r8_{A12}"]),
    Rule::new("perplexity-key", "Perplexity API keys", &["pplx-"], r"pplx-[A-Za-z0-9]{40,56}\b")
        .doc("https://docs.perplexity.ai/")
        .takes(&["pplx-{A48}", "PPLX=pplx-{A48}"])
        .leaves(&["pplx-70b", "pplx-{A12}"]),
    Rule::new("xai-key", "xAI API keys", &["xai-"], r"xai-[A-Za-z0-9_-]{70,120}\b{end-half}")
        .mixed()
        .doc("https://docs.x.ai/docs/overview")
        .takes(&["xai-{A80}", "XAI=xai-{A80}"])
        .leaves(&["xai-sdk", "xai-{A20}"]),
    Rule::new("langsmith-key", "LangSmith personal and service keys", &["lsv2_", "ls__"], r"(?:lsv2_(?:pt|sk)_[A-Fa-f0-9]{32}_[A-Fa-f0-9]{10}|ls__[A-Fa-f0-9]{32})\b")
        .doc("https://docs.langchain.com/langsmith/create-account-api-key")
        .takes(&["lsv2_pt_{x32}_{x10}", "LANGSMITH=lsv2_sk_{x32}_{x10}"])
        .leaves(&["lsv2_pt_", "ls__init"]),
    Rule::new("fireworks-key", "Fireworks AI keys", &["fw_"], r"fw_[A-Za-z0-9]{22,24}\b")
        .entropy(3.8)
        .mixed()
        .doc("https://docs.fireworks.ai/api-reference/introduction")
        .takes(&["fw_{A24}", "FIREWORKS=fw_{A22}"])
        .leaves(&["fw_version", "fw_updateDeviceFirmwareVers"]),
    Rule::new("tavily-key", "Tavily API keys", &["tvly-"], r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{30,40}\b")
        .doc("https://docs.tavily.com/documentation/api-reference/introduction")
        .takes(&["tvly-{A32}", "tvly-dev-{A32}"])
        .leaves(&["tvly-dev", "tvly-YOUR_API_KEY"]),
    Rule::new("wandb-key", "Weights & Biases keys", &["wandb_v1_"], r"wandb_v1_[A-Za-z0-9_]{60,90}")
        .doc("https://docs.wandb.ai/support/find_api_key/")
        .takes(&["wandb_v1_{A77}", "wandb login wandb_v1_{A27}_{A49}"])
        .leaves(&["wandb_v1_", "wandb_v1_{A20}"]),
    Rule::beside("wandb-legacy-key", "Weights & Biases keys of 40 hex digits", &["wandb", "weightsandbiases"], r"[0-9a-f]{40}")
        .doc("https://docs.wandb.ai/support/find_api_key/")
        .takes(&["wandb login --key {x40}", "wandb key: {x40}"])
        .leaves(&["wandb run commit {x40}", "wandb artifact {x40}"]),
    Rule::new("nvidia-key", "NVIDIA API keys", &["nvapi-"], r"nvapi-[A-Za-z0-9_-]{60,80}")
        .glued()
        .doc("https://docs.api.nvidia.com/nim/docs/api-quickstart")
        .takes(&["nvapi-{A64}", "NGC=nvapi-{A64}"])
        .leaves(&["nvapi-key", "nvapi-{A20}"]),
    Rule::new("cerebras-key", "Cerebras API keys", &["csk-"], r"csk-[a-z0-9]{48}\b")
        .mixed()
        .doc("https://inference-docs.cerebras.ai/quickstart")
        .takes(&["csk-{a48}", "CEREBRAS=csk-{a48}"])
        .leaves(&["csk-{a12}", "csk-rows"]),
    Rule::beside("mistral-key", "Mistral API keys", &["mistral"], r"[A-Za-z0-9]{32}")
        .entropy(3.8)
        .doc("https://docs.mistral.ai/getting-started/quickstart")
        .takes(&["mistral key {A32}", "Mistral(auth={A32})"])
        .leaves(&["mistral revision {x32}", "mistral key theNameOfTheModelThatIsUsedHere1"]),
    Rule::beside("cohere-key", "Cohere API keys", &["cohere", "co_api_key"], r"[A-Za-z0-9]{40}")
        .entropy(4.0)
        .doc("https://docs.cohere.com/reference/about")
        .takes(&["cohere.Client(key := '{A40}')", "cohere token {A40}"])
        .leaves(&["cohere commit {x40}", "coherent key {A40}x"]),
    Rule::new("together-key", "Together AI keys", &["tgp_v1_"], r"tgp_v1_[A-Za-z0-9_-]{43}\b{end-half}")
        .doc("https://docs.together.ai/docs/quickstart")
        .takes(&["tgp_v1_{A43}", "TOGETHER=tgp_v1_{A43}"])
        .leaves(&["tgp_v1_", "tgp_v1_{A12}"]),
    Rule::beside("together-legacy-key", "Together AI keys of 64 hex digits", &["together"], r"[0-9a-f]{64}")
        .doc("https://docs.together.ai/docs/quickstart")
        .takes(&["together key {x64}", "TOGETHER_API={x64}"])
        .leaves(&["together with sha256 {x64}", "put together {x64}"]),
    Rule::new("elevenlabs-key", "ElevenLabs API keys", &["sk_"], r"sk_[A-Fa-f0-9]{48}\b")
        .doc("https://elevenlabs.io/docs/api-reference/authentication")
        .takes(&["sk_{x48}", "xi: sk_{x48}"])
        .leaves(&["sk_buff", "sk_{x20}"]),
    Rule::new("cartesia-key", "Cartesia API keys", &["sk_car_"], r"sk_car_[A-Za-z0-9_]{20,40}\b")
        .mixed()
        .doc("https://docs.cartesia.ai/use-the-api/api-conventions")
        .takes(&["sk_car_{A20}", "Cartesia('sk_car_{A22}')"])
        .leaves(&["sk_car_x", "sk_car_model_of_the_vehicle"]),
    Rule::new("voyage-key", "Voyage AI keys", &["pa-", "al-"], r"((?:pa|al)-[A-Za-z0-9_-]{43})(?:[^A-Za-z0-9_-]|$)")
        .entropy(4.3)
        .mixed()
        .left(Left::Apart)
        .doc("https://docs.voyageai.com/docs/api-key-and-installation")
        .takes(&["pa-{A43}", "VOYAGE=al-{A43}"])
        .leaves(&["pa-system", "al-{A12}"]),
    Rule::new("moonshot-key", "Moonshot and other keys with dashes", &["sk-"], r"(sk-[A-Za-z0-9_-]{48})(?:[^A-Za-z0-9_-]|$)")
        .entropy(4.3)
        .mixed()
        .left(Left::Apart)
        .doc("https://platform.moonshot.ai/docs/introduction")
        .takes(&["sk-{A20}_{A27}", "KIMI=sk-{A30}-{A17}"])
        .leaves(&["sk-{A10}", "sk-the-name-of-a-css-class-that-nobody-would-write-0"]),
    Rule::new("jina-key", "Jina AI keys", &["jina_"], r"jina_[A-Fa-f0-9]{32}[A-Za-z0-9_-]{20,40}")
        .doc("https://jina.ai/embeddings/")
        .takes(&["jina_{x32}{A28}", "Bearer jina_{x32}{A28}"])
        .leaves(&["jina_embeddings", "jina_{x20}"]),
    Rule::new("firecrawl-key", "Firecrawl API keys", &["fc-"], r"fc-[A-Fa-f0-9]{32}\b")
        .doc("https://docs.firecrawl.dev/introduction")
        .takes(&["fc-{x32}", "FIRECRAWL=fc-{x32}"])
        .leaves(&["fc-list", "fc-YOUR_API_KEY"]),
    Rule::beside("search-api-key", "SerpApi, Serper, Exa and Brave Search keys", &["serpapi", "serper", "exa_api", "exa.ai", "scraperapi", "zenrows"], r"(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})")
        .doc("https://serpapi.com/search-api")
        .takes(&["serpapi key {x64}", "exa_api={uuid}"])
        .leaves(&["serpapi search id {x64}", "serper result {x40}"]),
    Rule::new("brave-search-key", "Brave Search API keys", &["BSA"], r"BSA[A-Za-z0-9_-]{24,28}\b{end-half}")
        .entropy(3.8)
        .mixed()
        .random()
        .doc("https://api-dashboard.search.brave.com/app/documentation")
        .takes(&["BSA{A28}", "X-Subscription: BSA{A24}"])
        .leaves(&["BSA_Alliance", "BSA{A10}"]),
    Rule::beside("assemblyai-key", "AssemblyAI and Deepgram keys", &["assemblyai", "deepgram", "speechmatics"], r"(?:[0-9a-z]{32}|[0-9a-f]{40})")
        .doc("https://www.assemblyai.com/docs/api-reference/overview")
        .takes(&["assemblyai key {x32}", "Deepgram(auth={x40})"])
        .leaves(&["assemblyai transcript id {x32}", "deepgram request {x40}"]),
    Rule::new("llamacloud-key", "LlamaCloud keys", &["llx-"], r"llx-[A-Za-z0-9]{44,52}\b")
        .mixed()
        .doc("https://developers.llamaindex.ai/python/cloud/general/api_key/")
        .takes(&["llx-{A48}", "LLAMA_CLOUD=llx-{A48}"])
        .leaves(&["llx-abc", "llx-{A12}"]),
    Rule::beside("fal-key", "fal.ai keys", &["fal_key", "fal.ai", "fal_ai", "fal-ai", "fal-client", "fal_"], r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:[0-9a-f]{32}")
        .doc("https://docs.fal.ai/model-apis/authentication")
        .takes(&["FAL_KEY={uuid}:{x32}", "fal.ai credentials {uuid}:{x32}"])
        .leaves(&["fal.ai request {uuid}:{x32}", "fal_key={uuid}"]),
    Rule::new("runpod-key", "RunPod API keys", &["rpa_"], r"rpa_[A-Za-z0-9]{30,46}\b")
        .entropy(3.5)
        .mixed()
        .doc("https://docs.runpod.io/get-started/api-keys")
        .takes(&["rpa_{U40}{A6}", "RUNPOD=rpa_{U43}"])
        .leaves(&["rpa_bot", "rpa_{A12}"]),
    Rule::beside("modal-token", "Modal token secrets", &["modal"], r"as-[A-Za-z0-9]{22}")
        .entropy(3.5)
        .doc("https://modal.com/docs/reference/modal.config")
        .takes(&["modal token set --token-secret as-{A22}", "MODAL=as-{A22}"])
        .leaves(&["modal token as-is", "as-{A22}"]),
    Rule::new("anyscale-key", "Anyscale secrets", &["esecret_"], r"esecret_[A-Za-z0-9]{20,60}\b")
        .mixed()
        .doc("https://docs.anyscale.com/")
        .takes(&["esecret_{a40}", "ANYSCALE=esecret_{A28}"])
        .leaves(&["esecret_key", "esecret_{A8}"]),
    Rule::new("e2b-key", "E2B API keys", &["e2b_", "sk_e2b_"], r"(?:sk_)?e2b_[A-Fa-f0-9]{40}\b")
        .doc("https://e2b.dev/docs/api-key")
        .takes(&["e2b_{x40}", "E2B=sk_e2b_{x40}"])
        .leaves(&["e2b_sandbox", "e2b_{x12}"]),
    Rule::new("browserbase-key", "Browserbase API keys", &["bb_live_", "bb_test_"], r"bb_(?:live|test)_[A-Za-z0-9_-]{24,60}")
        .mixed()
        .doc("https://docs.browserbase.com/introduction/getting-started")
        .takes(&["bb_live_{A27}", "X-BB: bb_live_{A27}"])
        .leaves(&["bb_live_x", "bb_live_the_name_of_something_longer"]),
    Rule::new("cursor-key", "Cursor and Rainforest keys", &["crsr_", "apikey_"], r"(?:crsr|apikey)_[A-Fa-f0-9]{64}\b")
        .doc("https://docs.cursor.com/en/background-agent/api/overview")
        .takes(&["crsr_{x64}", "RAINFOREST=apikey_{x64}"])
        .leaves(&["crsr_x", "apikey_{x32}"]),
    Rule::beside("cursor-legacy-key", "Cursor and Retell keys of the old form", &["cursor", "retell"], r"key_(?:[0-9a-f]{64}|[0-9a-f]{28})")
        .doc("https://docs.cursor.com/en/background-agent/api/overview")
        .takes(&["cursor api key key_{x64}", "RETELL=key_{x28}"])
        .leaves(&["cursor cache key_{x64}", "key_{x64}"]),
    Rule::beside("zai-key", "Z.ai, Zhipu and Ollama keys of two parts", &["zhipu", "z.ai", "zai_", "glm", "ollama", "bigmodel"], r"[0-9a-f]{32}\.[A-Za-z0-9_-]{16,24}")
        .doc("https://docs.z.ai/guides/overview/quick-start")
        .takes(&["zhipu key {x32}.{A16}", "OLLAMA={x32}.{A24}"])
        .leaves(&["ollama digest {x32}.{A16}", "glm-{x32}.{A16}"]),
    Rule::new("nomic-key", "Nomic API keys", &["nk-"], r"nk-[A-Za-z0-9_-]{43}\b{end-half}")
        .entropy(3.8)
        .mixed()
        .random()
        .left(Left::Apart)
        .doc("https://docs.nomic.ai/reference/getting-started/api-keys")
        .takes(&["nk-{A43}", "nomic login nk-{A43}"])
        .leaves(&["nk-style", "nk-{A12}"]),
    Rule::new("devin-key", "Devin keys", &["apk_user_", "apk_", "cog_"], r"(?:apk_(?:user_)?[A-Za-z0-9+/]{80,200}={0,2}|cog_[a-z2-7]{52}\b)")
        .entropy(3.5)
        .mixed()
        .doc("https://docs.devin.ai/api-reference/overview")
        .takes(&["apk_user_{b140}", "cog_{i52}"])
        .leaves(&["apk_signing_config", "cog_x"]),
    Rule::new("mem0-key", "Mem0 API keys", &["m0-"], r"m0-[A-Za-z0-9]{24,44}\b")
        .entropy(3.8)
        .mixed()
        .doc("https://docs.mem0.ai/platform/quickstart")
        .takes(&["m0-{A40}", "MemoryClient('m0-{A40}')"])
        .leaves(&["m0-{A12}", "m0-pro"]),
    Rule::beside("comet-key", "Comet API keys", &["comet_api", "comet_ml", "comet-ml", "comet.com", "cometml"], r"[A-Za-z0-9]{25}")
        .entropy(3.5)
        .doc("https://www.comet.com/docs/v2/guides/experiment-management/configure-sdk/")
        .takes(&["comet_ml key {A25}", "COMET_API={A25}"])
        .leaves(&["comet_ml experiment id {A25}", "comet_ml version {A25}"]),
    Rule::beside("clarifai-key", "Clarifai personal access tokens", &["clarifai"], r"[0-9a-f]{32}")
        .doc("https://docs.clarifai.com/control/authentication/pat/")
        .takes(&["clarifai secret {x32}", "CLARIFAI={x32}"])
        .leaves(&["clarifai model version {x32}", "clarifai app id {x32}"]),
];
