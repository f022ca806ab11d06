use std::time::Duration;

use dossier_client::{Client, Error};
use dossier_proto::v1;
use dossier_tests::{ORG, Server, Setup, small};

/// How long an answer may take: far longer than it does, far shorter than what was asked for would.
const PATIENCE: Duration = Duration::from_secs(60);

/// Far more than a server takes, and far less than what was asked for would.
const MEMORY_KIB: u64 = 600 << 10;

async fn preview(client: &Client, draft: v1::BundleDraft) -> Result<v1::PreviewBundleResponse, Error> {
    let parent = format!("orgs/{ORG}/runs/run-1");
    let call = client.preview(&parent, draft);
    tokio::time::timeout(PATIENCE, call).await.unwrap_or_else(|_| panic!("no answer in {PATIENCE:?}"))
}

/// Templates that would loop, nest or grow as good as without end, by what they are.
fn templates() -> Vec<(&'static str, String)> {
    let nested = |open: &str, close: &str, depth: usize| format!("{}x{}", open.repeat(depth), close.repeat(depth));
    let expression = |part: &str| format!("{{{{ {}1 }}}}", part.repeat(4_000 / part.len()));
    vec![
        ("loops in loops", nested("{% for a in range(9999) %}", "{% endfor %}", 12)),
        ("a long loop", "{% for a in range(99999999) %}{% endfor %}".to_owned()),
        ("a loop that prints", "{% for a in range(9999) %}{{ kind }}{% endfor %}".repeat(30)),
        ("a text that doubles", format!("{{% set a = kind %}}{}", "{% set a = a ~ a %}".repeat(60))),
        ("texts that are replaced", "{{ kind".to_owned() + &"|replace('i', 'iiiiiiiiiiiiiiii')".repeat(100) + " }}"),
        ("an indent", "{{ kind|indent(99999999999, true) }}".to_owned()),
        ("a batch", "{{ [1]|batch(99999999999, kind) }}".to_owned()),
        ("slices", "{{ [1]|slice(99999999999, kind)|list }}".to_owned()),
        ("a width", "{{ '%99999999999d'|format(1) }}".to_owned()),
        ("a list times a number", "{{ [kind] * 99999999999 }}".to_owned()),
        ("a power", "{{ 9 ** 9 ** 9 ** 9 }}".to_owned()),
        ("a macro that calls itself", "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}".to_owned()),
        ("a loop that calls itself", "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}".to_owned()),
        ("blocks in blocks", nested("{% if 1 %}", "{% endif %}", 3_000)),
        ("filters in filters", nested("{% filter upper %}", "{% endfilter %}", 1_800)),
        ("lists in lists", format!("{{{{ {} }}}}", nested("[", "]", 2_000))),
        ("brackets", expression("(")),
        ("signs", expression("-")),
        ("conditions", expression("1 if 1 else ")),
        ("a long template", "{{ kind }}".repeat(7_000)),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_template_that_would_never_end_is_answered_and_the_server_serves_on() {
    // One after the other through one place: each is answered before the next is begun.
    let server = Setup::scratch().with("DOSSIER_MAX_CONCURRENT_REQUESTS", "1").start();
    let client = server.client();
    let draft = |template: &str| {
        let kind = v1::TemplateField { value: "issue".to_owned(), trust: v1::template_field::Trust::Trusted.into() };
        v1::BundleDraft {
            trigger: Some(v1::TriggerTemplate {
                template: template.to_owned(),
                fields: [("kind".to_owned(), kind)].into(),
                ..v1::TriggerTemplate::default()
            }),
            ..small("run-1", "x")
        }
    };
    let good = preview(&client, draft("Work on the {{ kind }}.")).await.unwrap();
    assert!(!good.denied);
    for (name, template) in templates() {
        let answer = preview(&client, draft(&template)).await.unwrap();
        let codes: Vec<&str> = answer.findings.iter().map(|finding| finding.code.as_str()).collect();
        // These two only nest deeper than a usual stack is.
        let denied = !["signs", "conditions"].contains(&name);
        assert_eq!((codes.contains(&"TEMPLATE_INVALID"), answer.denied), (denied, denied), "{name}: {codes:?}");
    }
    assert_eq!(preview(&client, draft("Work on the {{ kind }}.")).await.unwrap().digest, good.digest);
    let peak = server.memory_kib("VmHWM");
    assert!(peak < MEMORY_KIB, "{peak} KiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_file_in_the_store_is_named_and_holds_nobody_up() {
    let server = Server::scratch();
    let client = server.client();
    let [whole, hollow] = ["whole", "hollow"].map(|id| v1::CreateBundleRequest {
        parent: format!("orgs/{ORG}/runs/run-1"),
        draft: Some(small("run-1", id)),
        bundle_id: id.to_owned(),
        ..v1::CreateBundleRequest::default()
    });
    let whole = client.create(whole).await.unwrap().bundle.unwrap();
    let hollow = client.create(hollow).await.unwrap().bundle.unwrap();
    let replace = |key: &str| {
        let path = server.setup().data().join(key);
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let in_time = |name: String| {
        let client = client.clone();
        async move { tokio::time::timeout(PATIENCE, client.get(&name)).await.expect("an answer in time") }
    };
    let prompt = client.get(&hollow.name).await.unwrap().spec.unwrap().prompt.unwrap();
    let hex = prompt.rendered_task_digest.strip_prefix("sha256:").unwrap().to_owned();
    replace(&format!("orgs/{ORG}/blobs/sha256/{}/{hex}", &hex[..2]));
    let report = tokio::time::timeout(PATIENCE, client.verify(&hollow.name)).await.expect("an answer in time").unwrap();
    assert!(!report.verified, "a blob is not there");

    replace(&format!("{}.json", hollow.name));
    let refused = in_time(hollow.name.clone()).await.err().expect("it cannot be read");
    let rpc = refused.rpc().expect("an answer");
    assert_eq!(rpc.code, tonic::Code::DataLoss, "{refused}");
    assert!(rpc.metadata.iter().any(|(key, value)| key == "subject" && value.contains("hollow")), "{refused}");
    let page = v1::ListBundlesRequest { parent: format!("orgs/{ORG}"), ..v1::ListBundlesRequest::default() };
    let listed = tokio::time::timeout(PATIENCE, client.list_page(page)).await.expect("an answer in time").unwrap();
    assert_eq!((listed.bundles.len(), listed.unreadable), (1, vec![hollow.name]));
    assert!(in_time(whole.name).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_of_very_many_entries_are_refused_by_their_number() {
    let server = Server::scratch();
    let client = server.client();
    // Each is small on the wire, and all of them fit into a message.
    let most = 700_000;
    let mut drafts = Vec::new();
    for list in 0..5 {
        let mut draft = small("run-1", "x");
        match list {
            0 => draft.labels = vec![v1::LabelReference::default(); most],
            1 => draft.sources = vec![v1::Source::default(); most],
            2 => draft.attachments = vec![v1::Attachment::default(); most],
            3 => draft.permission_review.get_or_insert_default().granted_tools = vec![String::new(); most],
            _ => draft.permission_review.get_or_insert_default().denied = vec![v1::ObjectReference::default(); most],
        }
        drafts.push(draft);
    }
    for draft in drafts {
        let refused = preview(&client, draft).await.err().expect("it is refused");
        let rpc = refused.rpc().expect("an answer");
        assert_eq!(rpc.code, tonic::Code::InvalidArgument, "{refused}");
        assert_eq!(rpc.violations.len(), 1, "{refused}");
    }
    assert!(!preview(&client, small("run-1", "x")).await.unwrap().denied);
    let peak = server.memory_kib("VmHWM");
    assert!(peak < MEMORY_KIB, "{peak} KiB");
}
