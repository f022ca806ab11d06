//! Code forges and package registries.

use super::Rule;

const GITHUB: &str = "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats";
const GITLAB: &str = "https://docs.gitlab.com/security/tokens/#token-prefixes";

pub(super) const RULES: &[Rule] = &[
    Rule::new("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"gh[pousr]_[A-Za-z0-9_]{30,255}")
        .doc(GITHUB)
        .takes(&["ghp_{A36}", "x=gho_{A36}", "foo-ghs_{A36}"])
        .leaves(&["ghp_short", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("github-fine-grained-token", &["github_pat_"], r"github_pat_[A-Za-z0-9_]{36,255}")
        .doc(GITHUB)
        .takes(&["github_pat_{A22}_{A59}"])
        .leaves(&["github_pat_description"]),
    Rule::new(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glptt-", "glrt-", "glrtr-", "glcbt-", "glimt-", "glft-", "glffct-", "glsoat-",
            "glagent-", "gloas-", "glwt-",
        ],
        r"gl(?:pat|dt|ptt|rt|rtr|cbt|imt|ft|ffct|soat|agent|oas|wt)-[A-Za-z0-9_.-]{18,300}",
    )
    .doc(GITLAB)
    .takes(&["glpat-{A20}", "token: glrt-{A20}", "glptt-{x40}"])
    .leaves(&["glpat-<token>", "glpat-your-token"]),
    Rule::new("gitlab-runner-registration", &["GR1348941"], r"GR1348941[A-Za-z0-9_-]{20}")
        .doc(GITLAB)
        .takes(&["GR1348941{A20}"])
        .leaves(&["GR1348941"]),
    Rule::new("gitlab-session-cookie", &["_gitlab_session="], r"_gitlab_session=([0-9a-f]{32})")
        .doc(GITLAB)
        .takes(&["_gitlab_session={x32}"])
        .leaves(&["_gitlab_session=deleted"]),
    Rule::new("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{36}")
        .doc("https://docs.npmjs.com/about-access-tokens")
        .takes(&["npm_{A36}"])
        .leaves(&["npm_config_registry", "npm_lifecycle_event"]),
    Rule::new("pypi-token", &["pypi-AgE"], r"pypi-AgE[A-Za-z0-9_-]{50,1000}")
        .doc("https://pypi.org/help/#apitoken")
        .takes(&["pypi-AgEIcHlwaS5vcmc{A70}"])
        .leaves(&["pypi-AgEI"]),
    Rule::new("rubygems-token", &["rubygems_"], r"rubygems_[0-9a-f]{48}")
        .doc("https://guides.rubygems.org/api-key-scopes/")
        .takes(&["rubygems_{x48}"])
        .leaves(&["rubygems_version"]),
    Rule::new("crates-io-token", &["cio"], r"cio[A-Za-z0-9]{32}\b")
        .word()
        .entropy(3.5)
        .doc("https://doc.rust-lang.org/cargo/reference/publishing.html")
        .takes(&["cio{A32}"])
        .leaves(&["ciobanu"]),
    Rule::new("nuget-token", &["oy2"], r"oy2[a-z0-9]{43}\b")
        .word()
        .entropy(3.0)
        .doc("https://learn.microsoft.com/nuget/nuget-org/scoped-api-keys")
        .takes(&["oy2{a43}"])
        .leaves(&["oy2abc"]),
    Rule::new("docker-token", &["dckr_pat_", "dckr_oat_"], r"dckr_[po]at_[A-Za-z0-9_-]{20,64}")
        .doc("https://docs.docker.com/security/access-tokens/")
        .takes(&["dckr_pat_{A27}", "dckr_oat_{A32}"])
        .leaves(&["dckr_pat_..."]),
    Rule::new("clojars-token", &["CLOJARS_"], r"CLOJARS_[a-z0-9]{60}")
        .doc("https://github.com/clojars/clojars-web/wiki/Deploy-Tokens")
        .takes(&["CLOJARS_{a60}"])
        .leaves(&["CLOJARS_USERNAME"]),
    Rule::new(
        "atlassian-token",
        &["ATATT3", "ATCTT3", "ATBB"],
        r"(?:AT[AC]TT3[A-Za-z0-9_=-]{60,300}|ATBB[A-Za-z0-9]{32}\b)",
    )
    .word()
    .doc("https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/")
    .takes(&["ATATT3xFfGF0{A180}", "ATBB{A32}"])
    .leaves(&["ATBB", "ATATT3"]),
    Rule::new("jfrog-token", &["AKCp"], r"AKCp[A-Za-z0-9]{60,75}\b")
        .word()
        .entropy(3.0)
        .doc("https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens")
        .takes(&["AKCp{A69}"])
        .leaves(&["AKCp"]),
    Rule::new("sourcegraph-token", &["sgp_"], r"sgp_(?:[a-zA-Z0-9]{16}_|local_)?[a-f0-9]{40}\b")
        .doc("https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token")
        .takes(&["sgp_{x40}", "sgp_local_{x40}"])
        .leaves(&["sgp_local"]),
    Rule::new("buildkite-token", &["bkua_", "bkpt_"], r"bk(?:ua|pt)_[a-z0-9]{40}")
        .doc("https://buildkite.com/docs/apis/managing-api-tokens")
        .takes(&["bkua_{a40}"])
        .leaves(&["bkua_token"]),
    Rule::new("circleci-token", &["CCIPAT_", "CCIPRJ_"], r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}")
        .doc("https://circleci.com/docs/managing-api-tokens/")
        .takes(&["CCIPAT_{A22}_{x40}"])
        .leaves(&["CCIPAT_x"]),
    Rule::new("sonar-token", &["sqp_", "squ_", "sqa_"], r"sq[pua]_[0-9a-f]{40}\b")
        .doc("https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens")
        .takes(&["squ_{x40}"])
        .leaves(&["squ_a"]),
];
