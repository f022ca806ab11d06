//! The ids of the built-in rules, and which of them the rules of gitleaks are.

use crate::rules::rules;

/// A rule of gitleaks' own configuration, and the built-in rules that take what it takes. Rules of one name on both sides are
/// not listed.
const SAME: &[(&str, &[&str])] = &[
    ("1password-secret-key", &["onepassword-secret-key"]),
    ("1password-service-account-token", &["onepassword-token"]),
    ("adobe-client-secret", &["adobe-secret"]),
    ("airtable-api-key", &["airtable-legacy-key"]),
    ("airtable-personnal-access-token", &["airtable-token"]),
    ("algolia-api-key", &["algolia-key"]),
    ("alibaba-access-key-id", &["alibaba-access-key"]),
    ("anthropic-admin-api-key", &["anthropic-key"]),
    ("anthropic-api-key", &["anthropic-key"]),
    ("artifactory-api-key", &["artifactory-key", "jfrog-token"]),
    ("artifactory-reference-token", &["artifactory-key", "jfrog-token"]),
    ("asana-client-secret", &["asana-token"]),
    ("atlassian-api-token", &["atlassian-legacy-token", "atlassian-token"]),
    ("authress-service-client-access-key", &["authress-key"]),
    ("aws-access-token", &["aws-access-key-id"]),
    ("aws-amazon-bedrock-api-key-long-lived", &["aws-bedrock-key"]),
    ("aws-amazon-bedrock-api-key-short-lived", &["aws-bedrock-key"]),
    ("azure-ad-client-secret", &["azure-client-secret"]),
    ("beamer-api-token", &["beamer-token"]),
    ("cisco-meraki-api-key", &["meraki-key"]),
    ("clickhouse-cloud-api-secret-key", &["clickhouse-secret"]),
    ("clojars-api-token", &["clojars-token"]),
    ("cloudflare-api-key", &["cloudflare-key", "cloudflare-token"]),
    ("cloudflare-global-api-key", &["cloudflare-key"]),
    ("cloudflare-origin-ca-key", &["cloudflare-origin-key"]),
    ("codecov-access-token", &["codecov-token"]),
    ("cohere-api-token", &["cohere-key"]),
    ("coinbase-access-token", &["coinbase-key"]),
    ("confluent-access-token", &["confluent-key"]),
    ("confluent-secret-key", &["confluent-secret"]),
    ("contentful-delivery-api-token", &["contentful-delivery-token"]),
    ("curl-auth-header", &["auth-header", "basic-credentials", "bearer"]),
    ("curl-auth-user", &["command-secret"]),
    ("databricks-api-token", &["databricks-token"]),
    ("datadog-access-token", &["datadog-key"]),
    ("defined-networking-api-token", &["defined-networking-key"]),
    ("digitalocean-access-token", &["digitalocean-token"]),
    ("digitalocean-pat", &["digitalocean-token"]),
    ("digitalocean-refresh-token", &["digitalocean-token"]),
    ("discord-api-token", &["discord-bot-token"]),
    ("discord-client-secret", &["discord-secret"]),
    ("doppler-api-token", &["doppler-token"]),
    ("droneci-access-token", &["drone-token"]),
    ("dropbox-api-token", &["dropbox-key"]),
    ("dropbox-long-lived-api-token", &["dropbox-token"]),
    ("dropbox-short-lived-api-token", &["dropbox-token"]),
    ("duffel-api-token", &["duffel-token"]),
    ("dynatrace-api-token", &["dynatrace-token"]),
    ("easypost-api-token", &["easypost-key"]),
    ("easypost-test-api-token", &["easypost-key"]),
    ("etsy-access-token", &["etsy-key"]),
    ("facebook-access-token", &["facebook-app-token"]),
    ("facebook-page-access-token", &["facebook-token"]),
    ("fastly-api-token", &["fastly-token"]),
    ("flutterwave-secret-key", &["flutterwave-key"]),
    ("flyio-access-token", &["fly-token"]),
    ("frameio-api-token", &["frameio-token"]),
    ("generic-api-key", &["assigned-block", "assigned-password", "assigned-secret", "assigned-value"]),
    ("github-app-token", &["github-token"]),
    ("github-fine-grained-pat", &["github-fine-grained-token"]),
    ("github-oauth", &["github-token"]),
    ("github-pat", &["github-token"]),
    ("github-refresh-token", &["github-token"]),
    ("gitlab-cicd-job-token", &["gitlab-token"]),
    ("gitlab-deploy-token", &["gitlab-token"]),
    ("gitlab-feature-flag-client-token", &["gitlab-token"]),
    ("gitlab-feed-token", &["gitlab-token"]),
    ("gitlab-incoming-mail-token", &["gitlab-mail-token"]),
    ("gitlab-kubernetes-agent-token", &["gitlab-token"]),
    ("gitlab-oauth-app-secret", &["gitlab-token"]),
    ("gitlab-pat", &["gitlab-token"]),
    ("gitlab-pat-routable", &["gitlab-token"]),
    ("gitlab-ptt", &["gitlab-token"]),
    ("gitlab-rrt", &["gitlab-runner-registration"]),
    ("gitlab-runner-authentication-token", &["gitlab-token"]),
    ("gitlab-runner-authentication-token-routable", &["gitlab-token"]),
    ("gitlab-scim-token", &["gitlab-token"]),
    ("gocardless-api-token", &["gocardless-token"]),
    ("grafana-cloud-api-token", &["grafana-token"]),
    ("grafana-service-account-token", &["grafana-token"]),
    ("harness-api-key", &["harness-token"]),
    ("hashicorp-tf-api-token", &["terraform-cloud-token"]),
    ("hashicorp-tf-password", &["assigned-password"]),
    ("heroku-api-key", &["heroku-key"]),
    ("heroku-api-key-v2", &["heroku-token"]),
    ("hubspot-api-key", &["hubspot-key"]),
    ("huggingface-access-token", &["huggingface-token"]),
    ("huggingface-organization-api-token", &["huggingface-token"]),
    ("infracost-api-token", &["infracost-key"]),
    ("intercom-api-key", &["intercom-token"]),
    ("intra42-client-secret", &["intra42-secret"]),
    ("jfrog-api-key", &["artifactory-key", "jfrog-token"]),
    ("jfrog-identity-token", &["jfrog-token"]),
    ("jwt-base64", &["jwt"]),
    ("kubernetes-secret-yaml", &["kubernetes-secret"]),
    ("launchdarkly-access-token", &["launchdarkly-key", "launchdarkly-legacy-key"]),
    ("linear-api-key", &["linear-key"]),
    ("linkedin-client-secret", &["linkedin-client-secret", "linkedin-secret"]),
    ("lob-api-key", &["lob-key"]),
    ("mailchimp-api-key", &["mailchimp-key"]),
    ("mailgun-private-api-token", &["mailgun-key"]),
    ("mapbox-api-token", &["mapbox-token"]),
    ("mattermost-access-token", &["mattermost-token"]),
    ("maxmind-license-key", &["maxmind-key"]),
    ("microsoft-teams-webhook", &["teams-webhook"]),
    ("netlify-access-token", &["netlify-legacy-token", "netlify-token"]),
    ("new-relic-browser-api-token", &["new-relic-key"]),
    ("new-relic-insert-key", &["new-relic-key"]),
    ("new-relic-user-api-key", &["new-relic-key"]),
    ("notion-api-token", &["notion-token"]),
    ("npm-access-token", &["npm-token"]),
    ("octopus-deploy-api-key", &["octopus-key"]),
    ("okta-access-token", &["okta-token"]),
    ("openai-api-key", &["openai-key"]),
    ("openshift-user-token", &["openshift-token"]),
    ("perplexity-api-key", &["perplexity-key"]),
    ("plaid-api-token", &["plaid-token"]),
    ("plaid-secret-key", &["plaid-secret"]),
    ("planetscale-api-token", &["planetscale-token"]),
    ("planetscale-oauth-token", &["planetscale-token"]),
    ("planetscale-password", &["planetscale-token"]),
    ("postman-api-token", &["postman-key"]),
    ("prefect-api-token", &["prefect-key"]),
    ("private-key", &["openssh-private-key", "pem-private-key", "pgp-private-key", "putty-private-key"]),
    ("pulumi-api-token", &["pulumi-token"]),
    ("pypi-upload-token", &["pypi-token"]),
    ("readme-api-token", &["readme-key"]),
    ("rubygems-api-token", &["rubygems-token"]),
    ("scalingo-api-token", &["scalingo-token"]),
    ("sendbird-access-token", &["sendbird-token"]),
    ("sendgrid-api-token", &["sendgrid-key"]),
    ("sendinblue-api-token", &["brevo-key"]),
    ("sentry-access-token", &["sentry-legacy-token"]),
    ("sentry-org-token", &["sentry-token"]),
    ("sentry-user-token", &["sentry-token"]),
    ("settlemint-application-access-token", &["settlemint-token"]),
    ("settlemint-personal-access-token", &["settlemint-token"]),
    ("settlemint-service-access-token", &["settlemint-token"]),
    ("shippo-api-token", &["shippo-token"]),
    ("shopify-access-token", &["shopify-token"]),
    ("shopify-custom-access-token", &["shopify-token"]),
    ("shopify-private-app-access-token", &["shopify-token"]),
    ("shopify-shared-secret", &["shopify-token"]),
    ("slack-bot-token", &["slack-token"]),
    ("slack-config-access-token", &["slack-token"]),
    ("slack-config-refresh-token", &["slack-token"]),
    ("slack-legacy-bot-token", &["slack-token"]),
    ("slack-legacy-token", &["slack-token"]),
    ("slack-legacy-workspace-token", &["slack-token"]),
    ("slack-user-token", &["slack-token"]),
    ("slack-webhook-url", &["slack-webhook"]),
    ("snyk-api-token", &["snyk-key", "snyk-token"]),
    ("sonar-api-token", &["sonar-legacy-token", "sonar-token"]),
    ("sourcegraph-access-token", &["sourcegraph-token"]),
    ("square-access-token", &["square-token"]),
    ("squarespace-access-token", &["squarespace-key"]),
    ("stripe-access-token", &["stripe-key"]),
    ("sumologic-access-token", &["sumologic-key"]),
    ("telegram-bot-api-token", &["telegram-bot-token"]),
    ("travisci-access-token", &["travis-token"]),
    ("twilio-api-key", &["twilio-key"]),
    ("twitch-api-token", &["twitch-token"]),
    ("twitter-access-secret", &["twitter-key"]),
    ("twitter-access-token", &["twitter-key"]),
    ("twitter-api-key", &["twitter-key"]),
    ("twitter-api-secret", &["twitter-key"]),
    ("twitter-bearer-token", &["twitter-bearer"]),
    ("typeform-api-token", &["typeform-token"]),
    ("vault-batch-token", &["vault-legacy-batch-token", "vault-token"]),
    ("vault-service-token", &["vault-legacy-token", "vault-token"]),
    ("yandex-access-token", &["yandex-iam-token"]),
    ("yandex-api-key", &["yandex-key"]),
    ("yandex-aws-access-token", &["yandex-key"]),
    ("zendesk-secret-key", &["zendesk-token"]),
];

/// The built-in rules that are meant by `name`, an id of ours or of gitleaks; none if it names nothing of ours.
pub(crate) fn builtin(name: &str) -> Vec<&'static str> {
    let own = rules().into_iter().map(|rule| rule.id).filter(|id| *id == name);
    let same = SAME.iter().filter(|(theirs, _)| *theirs == name).flat_map(|(_, ours)| ours.iter().copied());
    let mut ids: Vec<_> = own.chain(same).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_mean_rules_that_there_are() {
        assert!(SAME.is_sorted_by_key(|(theirs, _)| theirs));
        let ids: Vec<_> = rules().into_iter().map(|rule| rule.id).collect();
        for (theirs, ours) in SAME {
            assert!(ours.iter().all(|id| ids.contains(id)), "{theirs}");
        }
    }

    /// `BLESS=1` writes the list in `docs/policy.md` anew.
    #[test]
    fn the_page_lists_the_names() {
        const MARK: &str = "<!-- Made from redact/src/policy/names.rs by its tests: BLESS=1 writes it anew. -->\n";
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/policy.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let (head, rest) = page.split_once(MARK).unwrap();
        let (_, tail) = rest.split_once("\n## ").unwrap();
        let row = |(theirs, ours): &(&str, &[&str])| format!("| `{theirs}` | `{}` |\n", ours.join("`, `"));
        let table: String = SAME.iter().map(row).collect();
        let made = format!("{head}{MARK}\n| gitleaks | built in |\n| --- | --- |\n{table}\n## {tail}");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, made).unwrap();
        } else {
            assert!(page == made, "docs/policy.md is old: BLESS=1 writes its list of names anew");
        }
    }
}
