//! Package registries.

use super::Rule;
use super::check::Check;

const PACKAGIST: &str = "https://packagist.com/docs/api-authentication";

pub(super) const RULES: &[Rule] = &[
    Rule::new("npm-token", "npm access tokens", &["npm_"], r"npm_[A-Za-z0-9]{36}\b")
        .check(Check::Base62Crc)
        .doc("https://docs.npmjs.com/about-access-tokens")
        .takes(&["npm_{A36}", "//registry.npmjs.org/:_authToken=npm_{A36}"])
        .leaves(&["npm_config_registry", "npm_lifecycle_event", "npm_package_devDependencies_babel_plugin_x1"]),
    Rule::new(
        "npm-legacy-token",
        "npm access tokens that are a UUID",
        &[":_authToken=", "npm_token=", "NPM_TOKEN="],
        r"(?:(?:npm|NPM)_(?:token|TOKEN)|:_authToken)=([A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12})",
    )
    .glued()
    .doc("https://docs.npmjs.com/cli/using-npm/config")
    .takes(&["//registry.npmjs.org/:_authToken={uuid}", "NPM_TOKEN={uuid}"])
    .leaves(&["//registry.npmjs.org/:_authToken=${NPM_TOKEN}", "NPM_TOKEN=<token>"]),
    Rule::new("pypi-token", "PyPI and TestPyPI upload tokens", &["pypi-AgE"], r"pypi-AgE[A-Za-z0-9_-]{50,1000}")
        .glued()
        .doc("https://pypi.org/help/#apitoken")
        .takes(&["pypi-AgEIcHlwaS5vcmc{A70}", "TWINE=pypi-AgENdGVzdC5weXBpLm9yZw{A90}"])
        .leaves(&["pypi-AgEI", "pypi-AgEIcHlwaS5vcmc..."]),
    Rule::new("rubygems-token", "RubyGems API keys", &["rubygems_"], r"rubygems_[A-Fa-f0-9]{48}\b")
        .doc("https://guides.rubygems.org/api-key-scopes/")
        .takes(&["rubygems_{x48}", ":rubygems_api: rubygems_{x48}"])
        .leaves(&["rubygems_version", "rubygems_mfa_required"]),
    Rule::new("crates-io-token", "crates.io tokens", &["cio"], r"cio[A-Za-z0-9]{32}\b")
        .entropy(3.5)
        .mixed()
        .doc("https://doc.rust-lang.org/cargo/reference/publishing.html")
        .takes(&["cio{A32}", "cargo login cio{A32}"])
        .leaves(&["ciobanu", "cioppinoSeafoodStewRecipeFromItalyAB"]),
    Rule::new("nuget-token", "NuGet API keys", &["oy2"], r"oy2[a-z0-9]{43}\b")
        .entropy(3.0)
        .doc("https://learn.microsoft.com/nuget/nuget-org/scoped-api-keys")
        .takes(&["oy2{a43}", "dotnet nuget push -k oy2{a43}"])
        .leaves(&["oy2abc", "oy2{a44}"]),
    Rule::new(
        "docker-token",
        "Docker Hub personal and organization tokens",
        &["dckr_pat_", "dckr_oat_"],
        r"dckr_[po]at_[A-Za-z0-9_-]{20,64}",
    )
    .glued()
    .doc("https://docs.docker.com/security/access-tokens/")
    .takes(&["dckr_pat_{A27}", "dckr_oat_{A32}"])
    .leaves(&["dckr_pat_...", "dckr_pat_xxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("clojars-token", "Clojars deploy tokens", &["CLOJARS_"], r"CLOJARS_[a-zA-Z0-9]{60}\b")
        .doc("https://github.com/clojars/clojars-web/wiki/Deploy-Tokens")
        .takes(&["CLOJARS_{x60}", "pass CLOJARS_{a60}"])
        .leaves(&["CLOJARS_USERNAME", "CLOJARS_PASSWORD"]),
    Rule::new(
        "packagist-token",
        "Private Packagist tokens and API secrets",
        &["packagist_ort_", "packagist_out_", "packagist_acs_", "packagist_uut_"],
        r"packagist_(?:ort|out|acs|uut)_[A-Fa-f0-9]{60,100}\b",
    )
    .doc(PACKAGIST)
    .takes(&["packagist_ort_{x68}", "packagist_acs_{x80}"])
    .leaves(&["packagist_ort_", "packagist_out_token_of_the_organization"]),
    Rule::new(
        "jfrog-token",
        "Artifactory API keys and reference tokens",
        &["AKCp", "cmVmd"],
        r"(?:AKCp[A-Za-z0-9]{60,75}|cmVmd[A-Za-z0-9]{55,62})\b",
    )
    .entropy(3.0)
    .doc("https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens")
    .takes(&["AKCp{A69}", "X-JFrog: cmVmdGtuOjAx{A52}"])
    .leaves(&["AKCp", "cmVmdGtu"]),
    Rule::beside(
        "artifactory-key",
        "Artifactory keys without prefix",
        &["artifactory", "jfrog", "bintray"],
        r"(?:[A-Za-z0-9]{64}|[A-Za-z0-9]{73})",
    )
    .entropy(3.2)
    .doc("https://jfrog.com/help/r/jfrog-platform-administration-documentation/user-profile")
    .takes(&["artifactory key {A73}", "jfrog rt ping --apikey {A64}"])
    .leaves(&["artifactory sha256 {x64}", "artifactory: uploaded {x64}"]),
    Rule::new("deno-token", "Deno Deploy access tokens", &["ddp_", "ddo_"], r"dd[po]_[A-Za-z0-9]{36}\b")
        .doc("https://docs.deno.com/deploy/manual/ci_github/")
        .takes(&["ddp_{A36}", "DENO=ddo_{A36}"])
        .leaves(&["ddp_ops", "ddo_{A20}"]),
    Rule::new("jsr-token", "JSR tokens", &["jsrp_", "jsrd_"], r"jsr[pd]_[A-Za-z0-9]{40,60}\b")
        .doc("https://jsr.io/docs/publishing-packages")
        .takes(&["jsrp_{A48}", "--token jsrd_{A48}"])
        .leaves(&["jsrp_x", "jsrd_default_value"]),
    Rule::new("cloudsmith-key", "Cloudsmith API keys", &["csa_"], r"csa_[A-Fa-f0-9]{30}[A-Za-z0-9]{6}\b")
        .doc("https://docs.cloudsmith.com/accounts-and-teams/api-key")
        .takes(&["csa_{x30}{A6}", "CLOUDSMITH=csa_{x36}"])
        .leaves(&["csa_{x20}", "csa_model_name"]),
    Rule::beside("cloudsmith-legacy-key", "Cloudsmith API keys without prefix", &["cloudsmith"], r"[0-9a-f]{40}")
        .doc("https://docs.cloudsmith.com/accounts-and-teams/api-key")
        .takes(&["cloudsmith key {x40}", "cloudsmith api key: {x40}"])
        .leaves(&["cloudsmith package sha1 {x40}", "cloudsmith/{x40}"]),
    Rule::beside("packagecloud-token", "packagecloud API tokens", &["packagecloud"], r"[0-9a-f]{48}")
        .doc("https://packagecloud.io/docs/api")
        .takes(&["packagecloud token {x48}", "PACKAGECLOUD={x48}"])
        .leaves(&["packagecloud gpg fingerprint {x48}", "packagecloud.io/{x48}.deb"]),
    Rule::new(
        "nuget-config-password",
        "Passwords in nuget.config",
        &["ClearTextPassword\"", "cleartextpassword\""],
        r#"[Cc]lear[Tt]ext[Pp]assword"\s{1,8}value="([^"\s]{6,200})""#,
    )
    .doc("https://learn.microsoft.com/nuget/reference/nuget-config-file")
    .takes(&["<add key=\"ClearTextPassword\" value=\"{A12}\" />", "key=\"cleartextpassword\" value=\"{A20}\""])
    .leaves(&[
        "<add key=\"ClearTextPassword\" value=\"%NUGET_PAT%\" />",
        "<add key=\"ClearTextPassword\" value=\"\" />",
    ]),
    Rule::new("sidekiq-secret", "Credentials of the Sidekiq gem server", &["CONTRIBSYS__COM", "contribsys__com"], r#"(?:CONTRIBSYS__COM|contribsys__com)\\?["']?\s{0,3}[=:]\s{0,3}\\?["']?([A-Fa-f0-9]{8}:[A-Fa-f0-9]{8})\b"#)
        .glued()
        .doc("https://github.com/sidekiq/sidekiq/wiki/Commercial-FAQ")
        .takes(&["BUNDLE_GEMS__CONTRIBSYS__COM={x8}:{x8}", "BUNDLE_ENTERPRISE__CONTRIBSYS__COM: \"{x8}:{x8}\""])
        .leaves(&["BUNDLE_GEMS__CONTRIBSYS__COM=$KEY", "gems.contribsys.com"]),
    Rule::new("conda-token", "Conda tokens in channel URLs", &["/t/"], r"/t/([a-z]{2}-[A-Fa-f0-9]{8}-[A-Fa-f0-9-]{27})/")
        .glued()
        .doc("https://docs.anaconda.com/anaconda-repository/user-guide/tasks/tokens/")
        .takes(&["https://conda.anaconda.org/t/ab-{uuid}/acme", "channels: [https://repo.example.com/t/tk-{uuid}/main]"])
        .leaves(&["https://conda.anaconda.org/t/<TOKEN>/acme", "/t/post-title/12345"]),
];
