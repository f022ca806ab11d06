//! Makers of models, and tools around them.

use super::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::new("openai-key", &["sk-"], r"sk-(?:[A-Za-z0-9]{40,60}\b|(?:proj|svcacct|admin|None|service)-[A-Za-z0-9_-]{40,250}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})").word().entropy(3.5)
        .doc("https://platform.openai.com/docs/api-reference/authentication").takes(&["sk-{A48}", "sk-proj-{A74}", "x\\nsk-{A48}"]).leaves(&["sk-learn", "sk-{A10}", "task-{A48}"]),
    Rule::new("anthropic-key", &["sk-ant-"], r"sk-ant-[A-Za-z0-9_-]{24,200}")
        .doc("https://docs.anthropic.com/en/api/getting-started").takes(&["sk-ant-api03-{A93}AA", "sk-ant-oat01-{A93}"]).leaves(&["sk-ant-api03-...", "sk-ant-xxx"]),
    Rule::new("openrouter-key", &["sk-or-"], r"sk-or-(?:v1-)?[a-f0-9]{40,64}")
        .doc("https://openrouter.ai/docs/api-reference/authentication").takes(&["sk-or-v1-{x64}"]).leaves(&["sk-or-v1"]),
    Rule::new("deepseek-key", &["sk-"], r"sk-[a-f0-9]{32}\b").word().entropy(3.0)
        .doc("https://api-docs.deepseek.com/").takes(&["sk-{x32}"]).leaves(&["disk-{x32}"]),
    Rule::new("huggingface-token", &["hf_", "api_org_"], r"(?:hf_[A-Za-z]{30,40}|hf_[A-Za-z0-9]{34}|api_org_[A-Za-z0-9]{34})\b").word().entropy(3.0)
        .doc("https://huggingface.co/docs/hub/security-tokens").takes(&["hf_{A34}"]).leaves(&["hf_hub_download", "hf_transfer"]),
    Rule::new("groq-key", &["gsk_"], r"gsk_[A-Za-z0-9]{40,60}\b").word()
        .doc("https://console.groq.com/docs/quickstart").takes(&["gsk_{A52}"]).leaves(&["gsk_application"]),
    Rule::new("replicate-token", &["r8_"], r"r8_[A-Za-z0-9]{37}\b").word()
        .doc("https://replicate.com/docs/reference/http").takes(&["r8_{A37}"]).leaves(&["r8_unorm"]),
    Rule::new("perplexity-key", &["pplx-"], r"pplx-[A-Za-z0-9]{40,56}\b")
        .doc("https://docs.perplexity.ai/").takes(&["pplx-{A48}"]).leaves(&["pplx-70b"]),
    Rule::new("xai-key", &["xai-"], r"xai-[A-Za-z0-9]{70,90}\b").word()
        .doc("https://docs.x.ai/docs/overview").takes(&["xai-{A80}"]).leaves(&["xai-sdk"]),
    Rule::new("langsmith-key", &["lsv2_"], r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}")
        .doc("https://docs.smith.langchain.com/").takes(&["lsv2_pt_{x32}_{x10}"]).leaves(&["lsv2_pt_"]),
    Rule::new("fireworks-key", &["fw_"], r"fw_[A-Za-z0-9]{22,24}\b").word().entropy(3.8)
        .doc("https://docs.fireworks.ai/").takes(&["fw_{A24}"]).leaves(&["fw_version"]),
    Rule::new("tavily-key", &["tvly-"], r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{30,40}\b")
        .doc("https://docs.tavily.com/").takes(&["tvly-{A32}"]).leaves(&["tvly-dev"]),
    Rule::new("wandb-key", &["wandb_v1_"], r"wandb_v1_[A-Za-z0-9_]{60,90}")
        .doc("https://docs.wandb.ai/").takes(&["wandb_v1_{A77}"]).leaves(&["wandb_v1_"]),
    Rule::new("nvidia-key", &["nvapi-"], r"nvapi-[A-Za-z0-9_-]{60,80}")
        .doc("https://docs.api.nvidia.com/").takes(&["nvapi-{A64}"]).leaves(&["nvapi-key"]),
];
