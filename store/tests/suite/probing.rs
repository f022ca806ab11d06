//! Engines that ignore conditions are refused at start.

use std::sync::Arc;

use dossier_store::{Engine, Error, RandomNonces, probe};

use crate::support::engines::{Careless, Ignores};

on_both_engines![a_real_engine_passes_and_is_left_clean, an_engine_that_ignores_a_condition_is_refused];

async fn a_real_engine_passes_and_is_left_clean(engine: Arc<dyn Engine>) {
    probe(&*engine, &RandomNonces).await.unwrap();
    assert!(engine.list("", None, 10).await.unwrap().entries.is_empty());
}

async fn an_engine_that_ignores_a_condition_is_refused(engine: Arc<dyn Engine>) {
    for ignores in [Ignores::IfNoneMatch, Ignores::IfMatch, Ignores::IfMatchOnMissing, Ignores::RefusalsOwnWord] {
        let careless = Careless { inner: Arc::clone(&engine), ignores };
        let verdict = probe(&careless, &RandomNonces).await;
        assert!(matches!(verdict, Err(Error::Conditions { .. })), "{ignores:?}: {verdict:?}");
    }
    assert!(engine.list("", None, 10).await.unwrap().entries.is_empty());
}
