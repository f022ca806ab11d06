//! Engines around engines.

use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;
use dossier_store::{Create, Engine, Error, Key, Meta, Object, Page, PageToken, Replace, Result, Version};

/// What happens around a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    Before,
    After,
}

type Hook = dyn Fn(When, &'static str, Key) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync;

/// Calls a hook before and after each call of the engine below. Where it says `false` the call fails as if the engine
/// could not be reached: before it is made, or although it was made.
pub(crate) struct Hooked {
    inner: Arc<dyn Engine>,
    hook: Box<Hook>,
}

impl Hooked {
    pub(crate) fn wrap<F, W>(inner: Arc<dyn Engine>, hook: F) -> Arc<dyn Engine>
    where
        F: Fn(When, &'static str, Key) -> W + Send + Sync + 'static,
        W: Future<Output = bool> + Send + 'static,
    {
        Arc::new(Self { inner, hook: Box::new(move |when, call, key| Box::pin(hook(when, call, key))) })
    }

    async fn around<T: Send>(
        &self,
        call: &'static str,
        key: &Key,
        work: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        let lost = || Error::Unavailable { operation: call, reason: "cut by the test".to_owned() };
        if !(self.hook)(When::Before, call, key.clone()).await {
            return Err(lost());
        }
        let done = work.await?;
        if (self.hook)(When::After, call, key.clone()).await { Ok(done) } else { Err(lost()) }
    }
}

#[async_trait]
impl Engine for Hooked {
    async fn get(&self, key: &Key) -> Result<Option<Object>> {
        self.around("get", key, self.inner.get(key)).await
    }
    async fn get_range(&self, key: &Key, range: Range<u64>) -> Result<Option<Bytes>> {
        self.around("get_range", key, self.inner.get_range(key, range)).await
    }
    async fn head(&self, key: &Key) -> Result<Option<Meta>> {
        self.around("head", key, self.inner.head(key)).await
    }
    async fn put(&self, key: &Key, bytes: Bytes) -> Result<()> {
        self.around("put", key, self.inner.put(key, bytes)).await
    }
    async fn create(&self, key: &Key, bytes: Bytes) -> Result<Create> {
        self.around("create", key, self.inner.create(key, bytes)).await
    }
    async fn replace(&self, key: &Key, bytes: Bytes, version: &Version) -> Result<Replace> {
        self.around("replace", key, self.inner.replace(key, bytes, version)).await
    }
    async fn list(&self, prefix: &str, token: Option<&PageToken>, limit: usize) -> Result<Page> {
        self.inner.list(prefix, token, limit).await
    }
    async fn delete(&self, key: &Key) -> Result<()> {
        self.around("delete", key, self.inner.delete(key)).await
    }
    async fn now(&self) -> Result<SystemTime> {
        self.inner.now().await
    }
    fn describe(&self) -> String {
        self.inner.describe()
    }
}

/// Which condition an engine ignores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ignores {
    IfNoneMatch,
    IfMatch,
    IfMatchOnMissing,
    /// Refuses, but writes all the same.
    RefusalsOwnWord,
}

/// An engine that is told a condition and overwrites all the same, as some S3 servers do.
pub(crate) struct Careless {
    pub(crate) inner: Arc<dyn Engine>,
    pub(crate) ignores: Ignores,
}

impl Careless {
    async fn overwrite(&self, key: &Key, bytes: Bytes) -> Result<Version> {
        self.inner.put(key, bytes).await?;
        Ok(self.inner.get(key).await?.unwrap().version)
    }
}

#[async_trait]
impl Engine for Careless {
    async fn get(&self, key: &Key) -> Result<Option<Object>> {
        self.inner.get(key).await
    }
    async fn get_range(&self, key: &Key, range: Range<u64>) -> Result<Option<Bytes>> {
        self.inner.get_range(key, range).await
    }
    async fn head(&self, key: &Key) -> Result<Option<Meta>> {
        self.inner.head(key).await
    }
    async fn put(&self, key: &Key, bytes: Bytes) -> Result<()> {
        self.inner.put(key, bytes).await
    }
    async fn create(&self, key: &Key, bytes: Bytes) -> Result<Create> {
        match self.ignores {
            Ignores::IfNoneMatch => self.overwrite(key, bytes).await.map(Create::Created),
            Ignores::RefusalsOwnWord if self.inner.head(key).await?.is_some() => {
                self.overwrite(key, bytes).await.map(|_| Create::Exists)
            }
            _ => self.inner.create(key, bytes).await,
        }
    }
    async fn replace(&self, key: &Key, bytes: Bytes, version: &Version) -> Result<Replace> {
        let missing = self.inner.head(key).await?.is_none();
        match self.ignores {
            Ignores::IfMatch if !missing => self.overwrite(key, bytes).await.map(Replace::Replaced),
            Ignores::IfMatchOnMissing if missing => self.overwrite(key, bytes).await.map(Replace::Replaced),
            _ => self.inner.replace(key, bytes, version).await,
        }
    }
    async fn list(&self, prefix: &str, token: Option<&PageToken>, limit: usize) -> Result<Page> {
        self.inner.list(prefix, token, limit).await
    }
    async fn delete(&self, key: &Key) -> Result<()> {
        self.inner.delete(key).await
    }
    async fn now(&self) -> Result<SystemTime> {
        self.inner.now().await
    }
    fn describe(&self) -> String {
        self.inner.describe()
    }
}
