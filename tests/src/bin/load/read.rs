//! Gets and fetches, against the same gets.

use std::time::Instant;

use dossier_client::Client;
use dossier_store::Store;
use dossier_tests::{Place, Server};
use futures::StreamExt as _;

use super::Args;
use super::direct::Made;
use super::report::{Times, line};

async fn fetch(client: &Client, name: &str) {
    let mut fetch = client.fetch(name, &[]).await.unwrap();
    while fetch.next_blob().await.unwrap().is_some() {}
}

/// Measures both on what was made.
pub(crate) async fn measure(args: &Args, place: &Place, server: &Server, store: &Store, writers: usize, made: &[Made]) {
    let client = &server.client();
    let mut times: [Times; 4] = Default::default();
    let batch: Vec<&Made> = made.iter().take(args.batch).collect();
    for round in 0..=args.rounds {
        let mut now = Vec::new();
        let begun = Instant::now();
        let calls = batch.iter().map(|one| async { drop(client.get(&one.name).await.unwrap()) });
        futures::stream::iter(calls).buffer_unordered(writers).collect::<Vec<()>>().await;
        now.push(begun.elapsed());
        let begun = Instant::now();
        let calls = batch.iter().map(|one| one.get(store));
        futures::stream::iter(calls).buffer_unordered(writers).collect::<Vec<()>>().await;
        now.push(begun.elapsed());
        let begun = Instant::now();
        let calls = batch.iter().map(|one| fetch(client, &one.name));
        futures::stream::iter(calls).buffer_unordered(writers).collect::<Vec<()>>().await;
        now.push(begun.elapsed());
        let begun = Instant::now();
        let calls = batch.iter().map(|one| one.fetch(store));
        futures::stream::iter(calls).buffer_unordered(writers).collect::<Vec<()>>().await;
        now.push(begun.elapsed());
        if round > 0 {
            times.iter_mut().zip(now).for_each(|(times, time)| times.push(time));
        }
    }
    let [get, straight_get, fetch, straight_fetch] = &times;
    line(place.name(), "get", writers, batch.len(), get, straight_get);
    line(place.name(), "fetch", writers, batch.len(), fetch, straight_fetch);
}
