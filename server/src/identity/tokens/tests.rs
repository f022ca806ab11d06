use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Utc};
use dossier_store::{LocalEngine, RandomNonces, StoreOptions};

use super::*;
use crate::clock::SystemIds;
use crate::identity::Role;

/// A clock that a test sets.
#[derive(Default)]
struct Hand(AtomicI64);

impl Clock for Hand {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(self.0.load(Ordering::Relaxed), 0).unwrap()
    }
}

struct Fixture {
    _dir: tempfile::TempDir,
    dir: std::path::PathBuf,
    store: Store,
    clock: Arc<Hand>,
}

fn fixture() -> Fixture {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().join("data");
    let engine = Arc::new(LocalEngine::open(&dir).unwrap());
    let store = Store::new(engine, StoreOptions::default(), Arc::new(RandomNonces));
    Fixture { _dir: temporary, dir, store, clock: Arc::default() }
}

impl Fixture {
    fn tokens(&self, fresh: Duration) -> Tokens {
        Tokens::new(self.store.clone(), self.clock.clone(), Arc::new(SystemIds), fresh)
    }
}

fn agent(ttl: Option<i64>) -> NewToken {
    NewToken::parse("agent-1", Some(Role::Agent), &["a".to_owned()], "r1", "", ttl).unwrap()
}

#[tokio::test]
async fn a_token_works_until_its_end() {
    let fixture = fixture();
    let tokens = fixture.tokens(Duration::from_secs(15));
    let (record, secret) = tokens.create(agent(Some(10)), "ci").await.unwrap();
    let principal = tokens.verify(secret.expose()).await.unwrap();
    assert_eq!((principal.name.as_str(), principal.role, principal.token), ("agent-1", Role::Agent, record.id()));
    assert_eq!(principal.run.map(|run| run.to_string()).as_deref(), Some("r1"));
    fixture.clock.0.store(10, Ordering::Relaxed);
    assert_eq!(tokens.verify(secret.expose()).await, Err(ApiError::Unauthenticated), "although it is remembered");
}

#[tokio::test]
async fn only_the_secret_itself_is_good() {
    let fixture = fixture();
    let tokens = fixture.tokens(Duration::from_secs(15));
    let (_, secret) = tokens.create(agent(None), "ci").await.unwrap();
    let other = TokenSecret::generate(&SystemIds).unwrap();
    for bad in ["", "dsr_", other.expose(), &secret.expose()[..46], &secret.expose().to_uppercase()] {
        assert_eq!(tokens.verify(bad).await, Err(ApiError::Unauthenticated));
    }
}

#[tokio::test]
async fn a_revocation_holds_elsewhere_when_the_memory_has_gone() {
    let fixture = fixture();
    let fresh = Duration::from_millis(300);
    let (here, elsewhere) = (fixture.tokens(fresh), fixture.tokens(fresh));
    let (record, secret) = here.create(agent(None), "ci").await.unwrap();
    assert!(here.verify(secret.expose()).await.is_ok() && elsewhere.verify(secret.expose()).await.is_ok());
    let revoked = here.revoke(&record.id(), |_| true).await.unwrap();
    assert!(revoked.revoke_time.is_some());
    assert!(here.verify(secret.expose()).await.is_err(), "at once where it was revoked");
    tokio::time::sleep(fresh).await;
    assert!(elsewhere.verify(secret.expose()).await.is_err());
    fixture.clock.0.store(99, Ordering::Relaxed);
    let again = here.revoke(&record.id(), |_| true).await.unwrap();
    assert_eq!(again.revoke_time, revoked.revoke_time, "the first time stands");
}

#[tokio::test]
async fn what_may_not_be_revoked_is_not_there() {
    let fixture = fixture();
    let tokens = fixture.tokens(Duration::ZERO);
    let (record, secret) = tokens.create(agent(None), "ci").await.unwrap();
    let refused = tokens.revoke(&record.id(), |_| false).await.err();
    let absent = tokens.revoke(&"0".repeat(32).parse().unwrap(), |_| true).await.err();
    assert_eq!(refused.map(|error| error.code()), absent.map(|error| error.code()));
    assert!(tokens.verify(secret.expose()).await.is_ok());
}

#[tokio::test]
async fn the_secret_is_nowhere_on_disk() {
    let fixture = fixture();
    let tokens = fixture.tokens(Duration::ZERO);
    let (record, secret) = tokens.create(agent(None), "ci").await.unwrap();
    let file = fixture.dir.join(format!("tokens/{}.json", record.id()));
    let text = std::fs::read_to_string(file).unwrap();
    assert!(!text.contains(secret.expose()) && !text.contains(&secret.expose()[4..]));
    assert!(text.contains(&secret.digest().to_string()));
}

#[tokio::test]
async fn lists_resume() {
    let fixture = fixture();
    let tokens = fixture.tokens(Duration::ZERO);
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(tokens.create(agent(None), "ci").await.unwrap().0.id());
    }
    made.sort();
    let (mut listed, mut after) = (Vec::new(), None);
    loop {
        let page = tokens.list(after.as_ref(), 2).await.unwrap();
        listed.extend(page.tokens.iter().map(TokenRecord::id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(listed, made);
}

#[tokio::test]
async fn a_flood_of_guesses_is_forgotten() {
    let fixture = fixture();
    let tokens = fixture.tokens(Duration::from_secs(15));
    let (_, secret) = tokens.create(agent(None), "ci").await.unwrap();
    tokens.verify(secret.expose()).await.unwrap();
    for n in 0..REMEMBERED {
        let id: TokenId = format!("{n:032x}").parse().unwrap();
        tokens.slot(&id);
    }
    assert!(tokens.lock().len() < REMEMBERED, "guesses go");
    assert!(tokens.lock().get(&secret.id()).is_some_and(|(good, _)| *good), "what is good stays");
}
