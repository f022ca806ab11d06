use std::collections::{BTreeMap, BTreeSet};

use dossier_client::Listed;
use dossier_proto::v1;
use dossier_tests::{ORG, Setup, small};
use futures::TryStreamExt as _;

/// Writers, half of them at each server.
const WRITERS: usize = 8;
/// Request ids that each of them sends.
const REQUESTS: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_request_at_two_servers_makes_one_record() {
    let setup = Setup::scratch();
    let servers = [setup.start(), setup.start()];
    let writers = (0..WRITERS).map(|writer| {
        let client = servers[writer % 2].client();
        tokio::spawn(async move {
            let mut answers = Vec::new();
            for n in 0..REQUESTS {
                // Each in an order of its own.
                let n = (n + writer * 5) % REQUESTS;
                let request = v1::CreateBundleRequest {
                    parent: format!("orgs/{ORG}/runs/run-1"),
                    draft: Some(small("run-1", &format!("request {n}"))),
                    request_id: format!("request-{n}"),
                    ..v1::CreateBundleRequest::default()
                };
                let answer = client.create(request).await.unwrap();
                let bundle = answer.bundle.unwrap();
                answers.push((n, bundle.name, bundle.uid, bundle.digest, answer.existed));
            }
            answers
        })
    });
    let mut made: BTreeMap<usize, BTreeSet<(String, String, String)>> = BTreeMap::new();
    let mut first = BTreeMap::<usize, usize>::new();
    for writer in futures::future::join_all(writers).await {
        for (n, name, uid, digest, existed) in writer.unwrap() {
            made.entry(n).or_default().insert((name, uid, digest));
            *first.entry(n).or_default() += usize::from(!existed);
        }
    }
    assert_eq!(made.len(), REQUESTS);
    assert!(made.values().all(|one| one.len() == 1), "{made:?}");
    assert!(first.values().all(|count| *count == 1), "who made it: {first:?}");

    for server in &servers {
        let listed: Vec<Listed> = server.client().list(&format!("orgs/{ORG}"), "").try_collect().await.unwrap();
        assert_eq!(listed.len(), REQUESTS);
        for one in listed {
            let Listed::Bundle(bundle) = one else { panic!("a record cannot be read") };
            assert!(server.client().verify(&bundle.name).await.unwrap().verified);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_draft_under_the_same_request_has_one_winner() {
    let setup = Setup::scratch();
    let servers = [setup.start(), setup.start()];
    let writers = (0..WRITERS).map(|writer| {
        let client = servers[writer % 2].client();
        tokio::spawn(async move {
            let request = v1::CreateBundleRequest {
                parent: format!("orgs/{ORG}/runs/run-1"),
                draft: Some(small("run-1", &format!("writer {writer}"))),
                request_id: "one".to_owned(),
                ..v1::CreateBundleRequest::default()
            };
            client.create(request).await
        })
    });
    let mut digests = BTreeSet::new();
    let mut winners = 0;
    for writer in futures::future::join_all(writers).await {
        match writer.unwrap() {
            Ok(answer) => {
                winners += 1;
                digests.insert(answer.bundle.unwrap().digest);
            }
            Err(error) => assert_eq!(error.rpc().unwrap().code, tonic::Code::AlreadyExists, "{error}"),
        }
    }
    assert_eq!((winners, digests.len()), (1, 1));
}
