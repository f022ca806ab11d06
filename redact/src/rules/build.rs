//! Builds, tests and analysis of code.

use super::Rule;

const BUILDKITE: &str = "https://buildkite.com/docs/platform/security/tokens";

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "buildkite-token",
        "Buildkite user, agent, job, registry, cluster, package and portal tokens",
        &["bkua_", "bkpt_", "bkaa_", "bkaj_", "bkar_", "bkct_", "bkps_", "bkpat_"],
        r"bk(?:ua|pt|aa|aj|ar|ct|ps|pat)_[A-Za-z0-9_-]{36,400}",
    )
    .doc(BUILDKITE)
    .takes(&["bkua_{a40}", "bkct_{A73}", "BUILDKITE_AGENT=bkpat_{A54}"])
    .leaves(&["bkua_token", "bkaj_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new(
        "circleci-token",
        "CircleCI personal and project tokens",
        &["CCIPAT_", "CCIPRJ_"],
        r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-z0-9A-F]{40}\b",
    )
    .glued()
    .doc("https://circleci.com/docs/managing-api-tokens/")
    .takes(&["CCIPAT_{A22}_{x40}", "CCIPRJ_{A22}_{x40}"])
    .leaves(&["CCIPAT_x", "CCIPAT_FOO_0123456789"]),
    Rule::beside(
        "circleci-legacy-token",
        "CircleCI tokens without prefix",
        &["circleci", "circle_ci", "circle-ci", "circle"],
        r"[0-9a-f]{40}",
    )
    .doc("https://circleci.com/docs/managing-api-tokens/")
    .takes(&["circleci token {x40}", "https://circleci.com/api/v1/me?circle-token={x40}"])
    .leaves(&["circleci commit {x40}", "CIRCLE_SHA1={x40}", "circleci built {x40}"]),
    Rule::beside("travis-token", "Travis CI API tokens", &["travis"], r"[A-Za-z0-9_-]{22}")
        .entropy(3.5)
        .doc("https://developer.travis-ci.com/authentication")
        .takes(&["travis token {A22}", "travis login --pro --api-key {A22}"])
        .leaves(&["travis cache key {A22}", "travis key my-very-long-cache-key"]),
    Rule::beside("drone-token", "Drone API tokens", &["drone", "droneci"], r"[A-Za-z0-9]{32}")
        .entropy(3.5)
        .doc("https://docs.drone.io/api/overview/")
        .takes(&["drone token {A32}", "drone --server https://d.example --auth {A32} build ls"])
        .leaves(&["drone build {A32}", "drone token of the organization"]),
    Rule::beside(
        "codecov-token",
        "Codecov upload tokens",
        &["codecov"],
        r"(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-z0-9]{32}|[A-Z0-9-]{36})",
    )
    .doc("https://docs.codecov.com/docs/codecov-tokens")
    .takes(&["codecov token {uuid}", "CODECOV={uuid}"])
    .leaves(&["codecov upload id {uuid}", "codecov report sha {x32}"]),
    Rule::beside(
        "coveralls-token",
        "Coveralls repository and personal tokens",
        &["coveralls"],
        r"[A-Za-z0-9]{32}(?:[A-Za-z0-9-]{5})?",
    )
    .entropy(3.2)
    .doc("https://docs.coveralls.io/api-introduction")
    .takes(&["coveralls repo token {A32}", "coveralls: api auth {A37}"])
    .leaves(&["coveralls commit {x32}", "coveralls key the-name-of-a-cache-entry-0"]),
    Rule::new(
        "snyk-token",
        "Snyk access and service account tokens",
        &["snyk_uat.", "snyk_sat."],
        r"snyk_[us]at\.[a-z0-9]{8}\.[A-Za-z0-9_.-]{40,400}",
    )
    .doc("https://docs.snyk.io/snyk-api/authentication-for-api")
    .takes(&["snyk_uat.{x8}.{A60}", "SNYK=snyk_sat.{x8}.{A60}"])
    .leaves(&["snyk_uat.x", "snyk_sat.00000000.<token>"]),
    Rule::beside(
        "snyk-key",
        "Snyk API tokens that are a UUID",
        &["snyk"],
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    )
    .doc("https://docs.snyk.io/snyk-api/authentication-for-api")
    .takes(&["snyk auth {uuid}", "snyk: auth={uuid}"])
    .leaves(&["snyk org id {uuid}", "snyk monitor --project-id={uuid}"]),
    Rule::new(
        "sonar-token",
        "SonarQube project, user and global analysis tokens",
        &["sqp_", "squ_", "sqa_"],
        r"sq[pua]_[A-Fa-f0-9]{40}\b",
    )
    .doc("https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens")
    .takes(&["squ_{x40}", "-Dsonar.login=sqp_{x40}"])
    .leaves(&["squ_a", "sqa_{x20}"]),
    Rule::beside("sonar-legacy-token", "SonarQube and SonarCloud tokens without prefix", &["sonar"], r"[0-9a-f]{40}")
        .doc("https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens")
        .takes(&["sonar token {x40}", "sonar.login={x40}"])
        .leaves(&["sonar.scm.revision={x40}", "sonar analysed {x40}"]),
    Rule::beside("codacy-token", "Codacy API and project tokens", &["codacy"], r"[A-Za-z0-9]{20,32}")
        .entropy(3.2)
        .doc("https://docs.codacy.com/codacy-api/api-tokens/")
        .takes(&["codacy token {A20}", "CODACY={a32}"])
        .leaves(&["codacy commit {x32}", "codacy key codacycoveragereporter"]),
    Rule::beside(
        "code-climate-token",
        "Code Climate tokens and reporter ids",
        &["codeclimate", "code_climate", "cc_test_reporter"],
        r"[0-9a-f]{40}(?:[0-9a-f]{24})?",
    )
    .doc("https://docs.codeclimate.com/docs/api")
    .takes(&["codeclimate token {x40}", "cc_test_reporter key {x64}"])
    .leaves(&["codeclimate image sha256:{x64}", "codeclimate analysed {x40}"]),
    Rule::beside("bitrise-token", "Bitrise access tokens", &["bitrise"], r"[A-Za-z0-9_-]{60,120}")
        .entropy(3.5)
        .doc("https://docs.bitrise.io/en/bitrise-platform/accounts/personal-access-tokens.html")
        .takes(&["bitrise token {A86}", "bitrise api auth: {A64}"])
        .leaves(&[
            "bitrise cache key {A64}",
            "bitrise token the-long-name-of-a-step-that-goes-on-and-on-and-on-until-here-0",
        ]),
    Rule::beside("appveyor-token", "AppVeyor API tokens", &["appveyor"], r"[a-z0-9]{20}")
        .entropy(3.2)
        .doc("https://www.appveyor.com/docs/api/")
        .takes(&["appveyor token {a20}", "APPVEYOR={a20}"])
        .leaves(&["appveyor build {a20}", "appveyor key buildworkerimagesets"]),
    Rule::beside("jenkins-token", "Jenkins API tokens", &["jenkins"], r"11[0-9a-f]{32}")
        .doc("https://www.jenkins.io/doc/book/system-administration/authenticating-scripted-clients/")
        .takes(&["jenkins-cli -auth joe:11{x32}", "jenkins token: 11{x32}"])
        .leaves(&["jenkins build 11{x30}", "jenkins fingerprint 11{x32}"]),
    Rule::new(
        "harness-token",
        "Harness personal and service account tokens",
        &["pat.", "sat."],
        r"[ps]at\.[A-Za-z0-9_-]{22}\.[0-9a-fA-Z]{24}\.[A-Za-z0-9]{20}\b",
    )
    .doc("https://developer.harness.io/docs/platform/automation/api/add-and-manage-api-keys/")
    .takes(&["pat.{A22}.{x24}.{A20}", "x=sat.{A22}.{x24}.{A20}"])
    .leaves(&["pat.name", "sat.morning.to.evening"]),
    Rule::new("octopus-key", "Octopus Deploy API keys", &["API-"], r"API-[A-Z0-9]{25,35}\b")
        .entropy(3.0)
        .mixed()
        .doc("https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key")
        .takes(&["API-{U26}", "octo push --apiKey API-{U32}"])
        .leaves(&["API-GATEWAY", "API-REFERENCEDOCUMENTATIONPAGES"]),
    Rule::new("infracost-key", "Infracost API keys", &["ico-"], r"ico-[A-Za-z0-9]{32}\b")
        .mixed()
        .doc("https://www.infracost.io/docs/")
        .takes(&["ico-{A32}", "infracost configure set api_key ico-{A32}"])
        .leaves(&["ico-arrow", "ico-{A20}"]),
    Rule::new("pulumi-token", "Pulumi access tokens", &["pul-"], r"pul-[A-Fa-f0-9]{40}\b")
        .doc("https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/")
        .takes(&["pul-{x40}", "PULUMI=pul-{x40}"])
        .leaves(&["pul-abc", "pul-{x20}"]),
    Rule::new("prefect-key", "Prefect API keys", &["pnu_", "pnb_"], r"pn[ub]_[A-Za-z0-9]{36}\b")
        .doc("https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys")
        .takes(&["pnu_{a36}", "prefect cloud login -k pnb_{A36}"])
        .leaves(&["pnu_x", "pnb_{A20}"]),
    Rule::new(
        "aikido-token",
        "Aikido scanning tokens and client secrets",
        &["AIK_CI_", "AIK_SECRET_"],
        r"AIK_(?:CI_[A-Za-z0-9]{20,64}|SECRET_[A-Za-z0-9]{64})\b",
    )
    .doc("https://help.aikido.dev/")
    .takes(&["AIK_CI_{A40}", "x AIK_SECRET_{A64}"])
    .leaves(&["AIK_CI_TOKEN", "AIK_SECRET_API_KEY"]),
    Rule::new(
        "mergify-key",
        "Mergify application keys",
        &["mergify_application_key_"],
        r"mergify_application_key_[A-Za-z0-9_-]{40,200}",
    )
    .doc("https://docs.mergify.com/api/usage/")
    .takes(&["mergify_application_key_{A60}", "MERGIFY=mergify_application_key_{A90}"])
    .leaves(&["mergify_application_key_name", "mergify_application_key_"]),
    Rule::new("chromatic-token", "Chromatic project tokens", &["chpt_"], r"chpt_[A-Fa-f0-9]{12,20}\b")
        .doc("https://www.chromatic.com/docs/setup/")
        .takes(&["chpt_{x15}", "npx chromatic --project=chpt_{x12}"])
        .leaves(&["chpt_abc", "chpt_token"]),
    Rule::beside("browserstack-key", "BrowserStack access keys", &["browserstack"], r"[A-Za-z0-9]{20}")
        .entropy(3.2)
        .doc("https://www.browserstack.com/docs/automate/selenium/getting-started")
        .takes(&["browserstack key {A20}", "browserstack.auth={A20}"])
        .leaves(&["browserstack build {A20}", "browserstack key internetExplorerElev"]),
    Rule::beside(
        "saucelabs-key",
        "Sauce Labs access keys",
        &["sauce"],
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    )
    .doc("https://docs.saucelabs.com/basics/environment-variables/")
    .takes(&["sauce labs access key {uuid}", "SAUCE={uuid}"])
    .leaves(&["sauce job id {uuid}", "sauce session {uuid}"]),
    Rule::beside(
        "cypress-key",
        "Cypress Cloud record keys",
        &["cypress"],
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    )
    .doc("https://docs.cypress.io/cloud/account-management/projects")
    .takes(&["cypress run --record --key {uuid}", "cypress record key: {uuid}"])
    .leaves(&["cypress run id {uuid}", "cypress group {uuid}"]),
    Rule::beside("codemagic-token", "Codemagic API tokens", &["codemagic"], r"[A-Za-z0-9_-]{43}")
        .entropy(3.5)
        .doc("https://docs.codemagic.io/rest-api/codemagic-rest-api/")
        .takes(&["codemagic token {A43}", "CODEMAGIC={A43}"])
        .leaves(&["codemagic build {A43}", "codemagic key {A20}"]),
];
