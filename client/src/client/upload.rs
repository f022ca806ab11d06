//! Sending bytes of any size: read by a thread of its own, sent as they are read.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use dossier_proto::v1::{self, upload_attachment_request::Payload};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Request;

use super::{Client, retry};
use crate::error::Error;

/// How many bytes one message carries. The API's bound is 1 MiB.
const CHUNK: usize = 256 * 1024;
/// How many messages wait for the network before reading pauses.
const WAITING: usize = 4;

/// Where an upload's bytes come from.
pub enum UploadSource {
    /// A file. An upload of it can be tried again.
    File(PathBuf),
    /// Anything else, which is read once.
    Reader(Box<dyn Read + Send>),
}

/// What is to be uploaded.
pub struct Upload {
    /// Metadata and redaction context.
    pub header: v1::UploadAttachmentHeader,
    /// The bytes.
    pub source: UploadSource,
    /// Told how many bytes each message took.
    pub progress: Option<Progress>,
}

/// Is told how many more bytes were read.
pub type Progress = Arc<dyn Fn(u64) + Send + Sync>;

impl Client {
    /// Uploads one attachment, or the text of a source. What comes back can stand in a draft. Uploads of files are retried
    /// where the server says that they may be.
    ///
    /// # Errors
    /// As `AttachmentService.UploadAttachment`; [`Error::Io`] where the bytes cannot be read, and then nothing is stored.
    pub async fn upload(&self, upload: Upload) -> Result<v1::UploadAttachmentResponse, Error> {
        let Upload { header, source, progress } = upload;
        let (path, mut reader) = match source {
            UploadSource::File(path) => (Some(path), None),
            UploadSource::Reader(reader) => (None, Some(reader)),
        };
        let client = self.attachments();
        retry::run(self.stream_timeout, path.is_some(), |left| {
            let mut client = client.clone();
            let first = v1::UploadAttachmentRequest { payload: Some(Payload::Header(header.clone())) };
            let name = path.clone().unwrap_or_else(|| PathBuf::from("-"));
            let opened = match (&path, reader.take()) {
                (_, Some(reader)) => Ok(reader),
                (Some(path), None) => File::open(path).map(|file| Box::new(file) as Box<dyn Read + Send>),
                (None, None) => Err(io::ErrorKind::UnexpectedEof.into()),
            };
            let progress = progress.clone();
            async move {
                let reader = opened.map_err(Error::io(&name))?;
                let next = |data: Vec<u8>| v1::UploadAttachmentRequest { payload: Some(Payload::Data(data)) };
                let (stream, failed) = pump(first, next, reader, progress);
                let mut request = Request::new(stream);
                request.set_timeout(left);
                // A stream cannot say that it failed: it stays open until the call is given up, so that no half is stored.
                tokio::select! {
                    answer = client.upload_attachment(request) => Ok(answer?.into_inner()),
                    Ok(failed) = failed => Err(Error::Io { path: name, source: failed.error }),
                }
            }
        })
        .await
    }
}

/// A read that failed, holding the stream open.
pub(super) struct Failed<M> {
    pub(super) error: io::Error,
    _stream: mpsc::Sender<M>,
}

/// Sends `first`, then what `reader` gives. The thread is not joined: a read of a terminal may never return.
pub(super) fn pump<M: Send + 'static>(
    first: M,
    next: impl Fn(Vec<u8>) -> M + Send + 'static,
    mut reader: Box<dyn Read + Send>,
    progress: Option<Progress>,
) -> (ReceiverStream<M>, oneshot::Receiver<Failed<M>>) {
    let (send, receive) = mpsc::channel(WAITING);
    let (fail, failed) = oneshot::channel();
    std::thread::spawn(move || {
        if send.blocking_send(first).is_err() {
            return;
        }
        loop {
            let mut data = vec![0; CHUNK];
            match reader.read(&mut data) {
                Ok(0) => return,
                Ok(read) => {
                    data.truncate(read);
                    if let Some(progress) = &progress {
                        progress(read as u64);
                    }
                    if send.blocking_send(next(data)).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    // Nobody listens where the call has ended already.
                    let _ = fail.send(Failed { error, _stream: send });
                    return;
                }
            }
        }
    });
    (ReceiverStream::new(receive), failed)
}
