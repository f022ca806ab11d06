//! Writers that are killed, and several processes at once. The writers are this test binary once more, told by its
//! environment what to be.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use bytes::Bytes;
use dossier_store::{Engine, LocalEngine, RandomNonces, S3Config, S3Engine, Store, StoreOptions};

use crate::records::{count, one_more};
use crate::support::{directory, key, s3_config, seaweed, store};

const ROLE: &str = "DOSSIER_STORE_TEST_ROLE";
const DIR: &str = "DOSSIER_STORE_TEST_DIR";
const PREFIX: &str = "DOSSIER_STORE_TEST_PREFIX";
const SIZE: usize = 1 << 20;

/// Not a test: what the other tests start.
#[tokio::test]
#[ignore = "started by the other tests"]
async fn child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let engine: Arc<dyn Engine> = match std::env::var(DIR) {
        Ok(dir) => Arc::new(LocalEngine::open(Path::new(&dir)).unwrap()),
        // By the usual credential chain, from the environment.
        Err(_) => Arc::new(
            S3Engine::connect(S3Config {
                bucket: std::env::var("DOSSIER_STORE_TEST_BUCKET").unwrap(),
                prefix: std::env::var(PREFIX).unwrap(),
                endpoint: std::env::var("DOSSIER_STORE_TEST_ENDPOINT").ok(),
                path_style: true,
                ..S3Config::default()
            })
            .await
            .unwrap(),
        ),
    };
    let store = Store::new(Arc::clone(&engine), StoreOptions::default(), Arc::new(RandomNonces));
    match role.as_str() {
        "count" => {
            for _ in 0..100 {
                store.update_record(&key("orgs/a/counter.json"), one_more).await.unwrap();
            }
        }
        _ => {
            for n in 0.. {
                engine.put(&key(&format!("orgs/a/values/{n:06}")), value(n)).await.unwrap();
                engine.put(&key("orgs/a/values/same"), value(n)).await.unwrap();
                store.update_record(&key("orgs/a/counter.json"), one_more).await.unwrap();
                println!("\nacknowledged {n}");
            }
        }
    }
}

fn value(n: usize) -> Bytes {
    vec![b'a' + (n % 26) as u8; SIZE].into()
}

fn start(role: &str, place: &[(&str, &str)]) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["crash::child", "--exact", "--ignored", "--nocapture"])
        .env(ROLE, role)
        .envs(place.iter().copied())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Kills a writer in the middle of its work `kills` times, and looks at what it leaves.
async fn kill_writers(engine: Arc<dyn Engine>, place: &[(&str, &str)], kills: usize) {
    let mut increments = 0;
    for kill in 0..kills {
        let mut child = start("write", place);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let stop = 2 + kill % 4;
        // Kept until the end: the writer is to die of the kill and not of a closed pipe.
        let mut lines =
            lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("acknowledged ")?.parse::<usize>().ok());
        let acknowledged = lines.find(|n| *n >= stop).expect("the writer writes");
        // It goes on while we wait: somewhere within the next write or two.
        std::thread::sleep(std::time::Duration::from_millis(7 * (kill as u64 % 5)));
        child.kill().unwrap();
        child.wait().unwrap();
        increments += acknowledged as u64 + 1;

        for n in 0..=acknowledged {
            let object = engine.get(&key(&format!("orgs/a/values/{n:06}"))).await.unwrap().unwrap();
            assert!(object.bytes == value(n), "value {n} is as acknowledged");
        }
        for entry in engine.list("orgs/a/values/", None, 1000).await.unwrap().entries {
            let bytes = engine.get(&entry.key).await.unwrap().unwrap().bytes;
            assert_eq!((bytes.len(), entry.size), (SIZE, SIZE as u64), "{}", entry.key);
            assert!(bytes.iter().all(|byte| *byte == bytes[0]), "{} is of one write", entry.key);
        }
        let counter = store(Arc::clone(&engine)).read_record(&key("orgs/a/counter.json")).await.unwrap().unwrap();
        assert!(count(Some(&counter)) >= increments, "an acknowledged update is lost");
        increments = count(Some(&counter));
    }
    // Nothing is locked or in the way.
    store(engine).update_record(&key("orgs/a/counter.json"), one_more).await.unwrap();
}

#[tokio::test]
async fn a_killed_writer_leaves_nothing_half_visible_on_a_directory() {
    let place = directory();
    let dir = place.0.path().to_str().unwrap().to_owned();
    kill_writers(place.engine(), &[(DIR, &dir)], 10).await;
}

#[tokio::test]
async fn a_killed_writer_leaves_nothing_half_visible_on_s3() {
    let (config, server) = (s3_config(), seaweed::server());
    let place = [
        (PREFIX, config.prefix.as_str()),
        ("DOSSIER_STORE_TEST_BUCKET", &server.bucket),
        ("DOSSIER_STORE_TEST_ENDPOINT", &server.endpoint),
        ("AWS_ACCESS_KEY_ID", &server.key),
        ("AWS_SECRET_ACCESS_KEY", &server.secret),
        ("AWS_EC2_METADATA_DISABLED", "true"),
    ];
    let client = crate::support::client(&server.endpoint);
    kill_writers(Arc::new(S3Engine::with_client(client, config.clone()).unwrap()), &place, 4).await;
}

#[tokio::test]
async fn three_processes_share_a_directory() {
    let place = directory();
    let dir = place.0.path().to_str().unwrap().to_owned();
    let children: Vec<Child> = (0..3).map(|_| start("count", &[(DIR, &dir)])).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let counter = store(place.engine()).read_record(&key("orgs/a/counter.json")).await.unwrap().unwrap();
    assert_eq!((counter.generation, count(Some(&counter))), (300, 300));
    let left = std::fs::read_dir(place.0.path().join(".dossier/tmp")).unwrap().count();
    assert_eq!(left, 0, "no temporary file stays");
}
