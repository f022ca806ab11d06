//! Creates, against the same puts and gets.

use std::time::Instant;

use dossier_bundle::Digest;
use dossier_proto::v1;
use dossier_store::Store;
use dossier_tests::{ORG, Place, Server, full};
use futures::StreamExt as _;

use super::Args;
use super::direct::Made;
use super::report::{Times, line};

/// Measures creates of full bundles, and gives what was made.
pub(crate) async fn measure(args: &Args, place: &Place, server: &Server, store: &Store, writers: usize) -> Vec<Made> {
    let client = server.client();
    let (mut through, mut straight, mut all) = (Times::default(), Times::default(), Vec::new());
    // The first round warms up both sides and is not counted.
    for round in 0..=args.rounds {
        let mut requests = Vec::new();
        for n in 0..args.batch {
            let seed = 1 + (writers * 1_000_000 + round * 1_000 + n) as u64 * 17;
            let draft = full(&client, "run-1", seed).await;
            let uploads: Vec<Digest> = draft.attachments.iter().map(|one| one.digest.parse().unwrap()).collect();
            let request = v1::CreateBundleRequest {
                parent: format!("orgs/{ORG}/runs/run-1"),
                draft: Some(draft),
                request_id: format!("{writers}-{round}-{n}"),
                ..v1::CreateBundleRequest::default()
            };
            requests.push((request, uploads));
        }
        let begun = Instant::now();
        let created = futures::stream::iter(requests.into_iter().map(|(request, uploads)| {
            let client = client.clone();
            let work = async move { (client.create(request).await.unwrap().bundle.unwrap().name, uploads) };
            async { tokio::spawn(work).await.unwrap() }
        }));
        let created: Vec<(String, Vec<Digest>)> = created.buffer_unordered(writers).collect().await;
        let time = begun.elapsed();

        let mut made = Vec::new();
        for (name, uploads) in created {
            made.push(std::sync::Arc::new(Made::read(&client, store, &name, uploads).await));
        }
        let begun = Instant::now();
        let puts = futures::stream::iter(made.iter().cloned().map(|one| {
            let store = store.clone();
            async move { tokio::spawn(async move { one.create(&store).await }).await.unwrap() }
        }));
        puts.buffer_unordered(writers).collect::<Vec<()>>().await;
        if round > 0 {
            through.push(time);
            straight.push(begun.elapsed());
        }
        all.extend(made.into_iter().filter_map(std::sync::Arc::into_inner));
    }
    line(place.name(), "create", writers, args.batch, &through, &straight);
    all
}
