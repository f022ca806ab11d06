//! Uploads: streamed whole, tried again where they can be read again, never half done.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dossier_client::{Error, Upload, UploadSource};
use dossier_proto::v1;

use crate::Fake;

/// Gives some bytes, then fails.
struct Breaks(usize);

impl Read for Breaks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let read = buffer.len().min(self.0);
        self.0 -= read;
        Ok(read)
    }
}

fn upload(source: UploadSource) -> Upload {
    Upload { header: v1::UploadAttachmentHeader::default(), source, progress: None }
}

#[tokio::test]
async fn bytes_of_any_size_stream() {
    let fake = Fake::default();
    let client = fake.start().await;
    let seen = Arc::new(AtomicU64::new(0));
    let moved = Arc::clone(&seen);
    let reader = io::repeat(b'x').take(5_000_001);
    let mut upload = upload(UploadSource::Reader(Box::new(reader)));
    upload.progress = Some(Arc::new(move |bytes| {
        moved.fetch_add(bytes, Ordering::SeqCst);
    }));
    assert!(client.upload(upload).await.is_ok());
    assert_eq!(*fake.uploads.lock().unwrap(), [5_000_001]);
    assert_eq!(seen.load(Ordering::SeqCst), 5_000_001);
}

#[tokio::test]
async fn a_read_that_fails_leaves_no_half() {
    let fake = Fake::default();
    let client = fake.start().await;
    let answer = client.upload(upload(UploadSource::Reader(Box::new(Breaks(1_000_000))))).await;
    assert!(matches!(answer, Err(Error::Io { .. })));
    // The server sees a call that was given up, not an upload that ended.
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert!(fake.uploads.lock().unwrap().is_empty());
    let answer = client.upload(upload(UploadSource::File("/nonexistent/file".into()))).await;
    assert!(matches!(answer, Err(Error::Io { .. })));
}

#[tokio::test]
async fn only_a_file_is_sent_again() {
    let fake = Fake::default();
    let client = fake.start().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), vec![b'x'; 300_000]).unwrap();
    fake.busy.store(1, Ordering::SeqCst);
    assert!(client.upload(upload(UploadSource::File(file.path().to_owned()))).await.is_ok());
    assert_eq!(*fake.uploads.lock().unwrap(), [300_000]);
    fake.busy.store(1, Ordering::SeqCst);
    let once = client.upload(upload(UploadSource::Reader(Box::new(io::repeat(b'x').take(10))))).await;
    assert!(matches!(once, Err(Error::Rpc(rpc)) if rpc.is_transient()));
}
