use dossier_client::{Client, Listed};
use dossier_proto::v1;
use dossier_tests::{ORG, Server, small};
use futures::TryStreamExt as _;

async fn make(client: &Client, run: &str, id: &str, note: &str) -> v1::Bundle {
    let request = v1::CreateBundleRequest {
        parent: format!("orgs/{ORG}/runs/{run}"),
        draft: Some(small(run, note)),
        bundle_id: id.to_owned(),
        ..v1::CreateBundleRequest::default()
    };
    client.create(request).await.unwrap().bundle.unwrap()
}

async fn ids(client: &Client, parent: &str, digest: &str) -> Vec<String> {
    let listed: Vec<Listed> = client.list(parent, digest).try_collect().await.unwrap();
    let id = |one: &Listed| match one {
        Listed::Bundle(bundle) => bundle.name.rsplit('/').next().unwrap().to_owned(),
        Listed::Unreadable(name) => panic!("{name} cannot be read"),
    };
    listed.iter().map(id).collect()
}

/// All three listings, as they must be.
async fn check(client: &Client, digest: &str) {
    let org = format!("orgs/{ORG}");
    assert_eq!(ids(client, &org, "").await, ["e", "d", "c", "b", "a"]);
    assert_eq!(ids(client, &format!("{org}/runs/run-1"), "").await, ["e", "c", "a"]);
    assert_eq!(ids(client, &format!("{org}/runs/run-2"), "").await, ["d", "b"]);
    assert_eq!(ids(client, &org, digest).await, ["e", "a"]);
    assert!(ids(client, "orgs/other", "").await.is_empty());
    // Page by page.
    let (mut token, mut seen) = (String::new(), Vec::new());
    loop {
        let request =
            v1::ListBundlesRequest { parent: org.clone(), page_size: 2, page_token: token, ..Default::default() };
        let page = client.list_page(request).await.unwrap();
        assert!(page.bundles.len() <= 2);
        seen.extend(page.bundles.into_iter().map(|bundle| bundle.name.rsplit('/').next().unwrap().to_owned()));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, ["e", "d", "c", "b", "a"]);
}

#[tokio::test]
async fn bundles_are_listed_newest_first_and_indexes_are_made_anew() {
    let server = Server::scratch();
    let client = server.client();
    let mut first = None;
    for (id, run, note) in [("a", 1, "same"), ("b", 2, "b"), ("c", 1, "c"), ("d", 2, "d"), ("e", 1, "same")] {
        let bundle = make(&client, &format!("run-{run}"), id, note).await;
        first.get_or_insert(bundle.digest);
        // Times are kept to the millisecond.
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    let digest = first.unwrap();
    check(&client, &digest).await;

    // Reindexing a whole index changes nothing, and a lost one comes back, while the server serves.
    let index = server.setup().data().join(format!("orgs/{ORG}/index"));
    for lost in [false, true] {
        if lost {
            std::fs::remove_dir_all(&index).unwrap();
            assert!(ids(&client, &format!("orgs/{ORG}"), "").await.is_empty());
        }
        let out = server.setup().command().arg("reindex").output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        check(&client, &digest).await;
    }
}

#[tokio::test]
async fn an_entry_without_its_record_is_passed_over() {
    let server = Server::scratch();
    let client = server.client();
    let kept = make(&client, "run-1", "kept", "one").await;
    make(&client, "run-1", "gone", "two").await;
    std::fs::remove_file(server.setup().data().join(format!("orgs/{ORG}/runs/run-1/bundles/gone.json"))).unwrap();
    assert_eq!(ids(&client, &format!("orgs/{ORG}"), "").await, ["kept"]);
    assert_eq!(ids(&client, &format!("orgs/{ORG}/runs/run-1"), &kept.digest).await, ["kept"]);
}
