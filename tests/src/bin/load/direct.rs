//! The puts and gets of a server's calls, straight at the store: the same keys but for the org, the same bytes, in the same order
//! and as parallel.

use bytes::Bytes;
use dossier_bundle::Digest;
use dossier_client::Client;
use dossier_store::{Key, Record, Store, keys};
use dossier_tests::ORG;
use futures::{StreamExt as _, TryStreamExt as _};

/// The org whose objects are written by this process alone.
pub(crate) const DIRECT: &str = "direct";
/// As the server has it.
const WRITERS: usize = 8;
/// As the server has it.
const READERS: usize = 4;

/// All that a create has stored.
pub(crate) struct Made {
    /// The bundle's name.
    pub(crate) name: String,
    run: String,
    id: String,
    manifest: Bytes,
    blobs: Vec<Bytes>,
    attachments: Vec<Digest>,
    record: Record,
}

impl Made {
    /// Reads a bundle that a server has made, and uploads its attachments to the other org, as they were uploaded before.
    pub(crate) async fn read(client: &Client, store: &Store, name: &str, attachments: Vec<Digest>) -> Self {
        let mut fetch = client.fetch(name, &[]).await.unwrap();
        let (mut blobs, mut manifest) = (Vec::new(), Bytes::new());
        while let Some(blob) = fetch.next_blob().await.unwrap() {
            if blob.digest == fetch.digest() {
                manifest = blob.bytes.into();
            } else if attachments.contains(&blob.digest) {
                store.put_blob(DIRECT, blob.bytes.into()).await.unwrap();
            } else {
                blobs.push(blob.bytes.into());
            }
        }
        let parts: Vec<&str> = name.split('/').collect();
        let (run, id) = (parts[3].to_owned(), parts[5].to_owned());
        let record = store.read_record(&keys::bundle(ORG, &run, &id).unwrap()).await.unwrap().unwrap().record;
        Self { name: name.to_owned(), run, id, manifest, blobs, attachments, record }
    }

    fn key(&self) -> Key {
        keys::bundle(DIRECT, &self.run, &self.id).unwrap()
    }

    /// What a create reads and writes.
    pub(crate) async fn create(&self, store: &Store) {
        assert!(store.read_record(&self.key()).await.unwrap().is_none());
        let creation = store.begin_create(DIRECT).await.unwrap();
        let read = futures::stream::iter(self.attachments.clone().into_iter().map(|digest| {
            let (creation, mark) = (&creation, keys::upload(DIRECT, &digest).unwrap());
            async move { futures::join!(store.read_record(&mark), creation.renew_blob(&digest)) }
        }));
        for (mark, blob) in read.buffered(WRITERS).collect::<Vec<_>>().await {
            mark.unwrap();
            blob.unwrap();
        }
        let puts = futures::stream::iter(self.blobs.clone().into_iter().map(|blob| creation.put_blob(blob)));
        puts.buffer_unordered(WRITERS).try_for_each(|_| async { Ok(()) }).await.unwrap();
        creation.put_blob(self.manifest.clone()).await.unwrap();
        let entry = |parts: &[&str]| keys::index(DIRECT, parts).unwrap();
        let file = format!("{}.json", self.id);
        let (by_org, by_run) = (entry(&["bundles", &file]), entry(&["runs", &self.run, &file]));
        let by_digest = entry(&["digests", &Digest::of(&self.manifest).hex(), &file]);
        let put = |key| store.engine().put(key, Bytes::from_static(b"{}\n"));
        let make = |current: Option<&dossier_store::Stored>| -> Result<Option<Record>, dossier_store::Error> {
            let body = serde_json::json!({ "project": "shop", "route": "runs" });
            Ok(current.is_none().then(|| Record { kind: "RunRecord".to_owned(), blobs: Vec::new(), body }))
        };
        let run = keys::run(DIRECT, &self.run).unwrap();
        futures::try_join!(put(&by_org), put(&by_run), put(&by_digest), async {
            store.update_record(&run, make).await.map(|_| ())
        })
        .unwrap();
        creation.settle().await.unwrap();
        store.create_record(&self.key(), self.record.clone()).await.unwrap();
    }

    /// What getting the resource reads.
    pub(crate) async fn get(&self, store: &Store) {
        store.read_record(&self.key()).await.unwrap().unwrap();
        store.get_blob(DIRECT, &Digest::of(&self.manifest)).await.unwrap();
    }

    /// What fetching all bytes reads.
    pub(crate) async fn fetch(&self, store: &Store) {
        self.get(store).await;
        let named: Vec<Digest> =
            self.blobs.iter().map(|blob| Digest::of(blob)).chain(self.attachments.iter().copied()).collect();
        // Of those whose size the manifest does not say, the size is asked for.
        let unsized_blobs: Vec<Digest> = named.iter().take(self.blobs.len()).copied().collect();
        let sizes = unsized_blobs.into_iter().map(|digest| async move { store.blob_size(DIRECT, &digest).await });
        let sizes = futures::stream::iter(sizes).buffered(READERS);
        sizes.try_for_each(|_| async { Ok(()) }).await.unwrap();
        let reads = named.into_iter().map(|digest| async move { store.get_blob(DIRECT, &digest).await });
        let reads = futures::stream::iter(reads);
        reads.buffered(READERS).try_for_each(|_| async { Ok(()) }).await.unwrap();
    }
}
