//! Hosts of code.

use super::Rule;
use super::check::Check;

const GITHUB: &str = "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats";
const GITLAB: &str = "https://docs.gitlab.com/security/tokens/#token-prefixes";
const ATLASSIAN: &str =
    "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "github-token",
        "GitHub personal (classic), OAuth, app and refresh tokens",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"gh(?:s_\d{1,12}_eyJ[A-Za-z0-9_-]{10,600}\.[A-Za-z0-9_-]{10,1500}\.[A-Za-z0-9_-]{10,600}|[pousr]_[A-Za-z0-9_]{30,255})",
    )
    .glued()
    .check(Check::Base62Crc)
    .doc(GITHUB)
    .takes(&["ghp_{A36}", "x=gho_{A36}", "foo-ghs_{A36}", "barghr_{A76}", "ghs_123456_eyJ{A40}.{A90}.{A60}"])
    .leaves(&["ghp_short", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_<your token with 36 characters>"]),
    Rule::new(
        "github-fine-grained-token",
        "GitHub fine-grained personal access tokens",
        &["github_pat_"],
        r"github_pat_[A-Za-z0-9_]{36,255}",
    )
    .glued()
    .doc(GITHUB)
    .takes(&["github_pat_{A22}_{A59}", "url = https://github_pat_{A22}_{A59}@github.com/a/b"])
    .leaves(&["github_pat_description", "github_pat_YOUR_TOKEN_GOES_HERE_AND_NOWHERE_ELSE"]),
    Rule::new(
        "gitlab-token",
        "GitLab tokens with a prefix: personal, project, group, deploy, runner, trigger, job, feed, mail, agent, SCIM, OAuth",
        &[
            "glpat-", "gldt-", "glptt-", "glrt-", "glrtr-", "glcbt-", "glimt-", "glft-", "glffct-", "glsoat-",
            "glagent-", "gloas-", "glwt-",
        ],
        r"gl(?:pat|dt|ptt|rt|rtr|cbt|imt|ft|ffct|soat|agent|oas|wt)-[A-Za-z0-9_-]{18,300}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?",
    )
    .glued()
    .doc(GITLAB)
    .takes(&["glpat-{A20}", "token: glrt-{A20}", "glptt-{x40}", "glrt-t3_{A27}.01.1{a8}", "glcbt-64_{A20}"])
    .leaves(&["glpat-<token>", "glpat-your-token", "glrt-xxxxxxxxxxxxxxxxxxxx"]),
    Rule::new(
        "gitlab-runner-registration",
        "GitLab runner registration tokens",
        &["GR1348941"],
        r"GR1348941[A-Za-z0-9_-]{20}",
    )
    .doc(GITLAB)
    .takes(&["GR1348941{A20}", "--registration-token GR1348941{A20}"])
    .leaves(&["GR1348941", "GR1348941-2024"]),
    Rule::new(
        "gitlab-session-cookie",
        "GitLab session cookies",
        &["_gitlab_session="],
        r"_gitlab_session=([a-z0-9]{32})",
    )
    .doc(GITLAB)
    .takes(&["_gitlab_session={x32}", "saw _gitlab_session={x32}; path=/"])
    .leaves(&["_gitlab_session=deleted", "_gitlab_session=%s"]),
    Rule::new(
        "gitlab-mail-token",
        "GitLab addresses for incoming mail: the token in them",
        &["incoming+"],
        r"incoming\+(?:[A-Za-z0-9._-]{1,100}-)?\d{1,12}-([A-Za-z0-9_-]{20,25})-(?:issue|merge-request)",
    )
    .mixed()
    .doc("https://docs.gitlab.com/administration/incoming_email/")
    .takes(&["incoming+acme-app-1234-{A20}-issue@incoming.gitlab.com", "incoming+77-{A25}-merge-request@mail.example.org"])
    .leaves(&["incoming+acme-app-1234-issue@incoming.gitlab.com", "incoming+%{key}@gitlab.example.com"]),
    Rule::beside(
        "gitea-token",
        "Gitea and Forgejo access tokens",
        &["gitea", "forgejo", "codeberg"],
        r"[0-9a-f]{40}",
    )
    .doc("https://docs.gitea.com/development/api-usage")
    .takes(&["gitea token {x40}", "curl https://codeberg.org/api/v1/user?token={x40}"])
    .leaves(&["gitea at commit {x40}", "forgejo: checked out {x40}", "gitea key fingerprint {x40}"]),
    Rule::new(
        "atlassian-token",
        "Atlassian API and access tokens, Bitbucket app passwords and Data Center tokens",
        &["ATAT", "ATCT", "ATBB", "BBDC-"],
        r"(?:AT[AC]T[A-Za-z0-9_-]{12}[A-Za-z0-9_=-]{60,300}|ATBB[A-Za-z0-9_]{24,32}(?:[A-F0-9]{8})?|BBDC-[A-Za-z0-9+/]{32,80}={0,2})",
    )
    .entropy(3.0)
    .doc(ATLASSIAN)
    .takes(&["ATATT3xFfGF0{A180}", "ATBB{A32}", "https://joe:ATBB{A32}@bitbucket.org/a/b", "BBDC-{A44}"])
    .leaves(&["ATBB", "ATATT3", "ATATT3xFfGF0<rest of your token>"]),
    Rule::beside(
        "atlassian-legacy-token",
        "Atlassian API tokens without prefix, near the product's name",
        &["atlassian", "jira", "confluence", "bitbucket"],
        r"[A-Za-z0-9]{20}[A-Za-z0-9]{4}",
    )
    .entropy(3.5)
    .doc(ATLASSIAN)
    .takes(&["jira token is {A24}", "auth=HTTPBasic(confluence_user, api_token or '{A24}')"])
    .leaves(&["jira key ABCDEFGHIJKLMNOPQRSTUVWX", "jira token for project-administration", "the bitbucket build {A24}"]),
    Rule::new(
        "sourcegraph-token",
        "Sourcegraph access tokens, Cody gateway keys",
        &["sgp_", "slk_", "sgd_"],
        r"(?:sgp_(?:[a-zA-Z0-9]{16}_|local_)?[A-Fa-f0-9]{40}|slk_[A-Fa-f0-9]{64}|sgd_[A-Fa-f0-9]{64})\b",
    )
    .doc("https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token")
    .takes(&["sgp_{x40}", "sgp_local_{x40}", "sgp_{x16}_{x40}", "slk_{x64}"])
    .leaves(&["sgp_local", "sgp_{x20}"]),
    Rule::beside(
        "azure-devops-token",
        "Azure DevOps personal access tokens of 52 characters",
        &["azure", "devops", "visualstudio", "vsts", "vsce", "ado"],
        r"[a-z2-7]{52}",
    )
    .doc("https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate")
    .takes(&["vsce token {i52}", "azure devops auth: {i52}"])
    .leaves(&["azure image digest {i52}", "azure devops key abcdefgh"]),
    Rule::new("gitbook-token", "GitBook API tokens", &["gb_api_"], r"gb_api_[A-Za-z0-9]{30,60}\b")
        .doc("https://gitbook.com/docs/developers/gitbook-api/authentication")
        .takes(&["gb_api_{A40}", "GITBOOK=gb_api_{A48}"])
        .leaves(&["gb_api_version", "gb_api_xxx"]),
];
