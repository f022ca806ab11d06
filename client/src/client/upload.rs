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
        retry::run(&self.address, self.stream_timeout, path.is_some(), |left| {
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
                let mut call = std::pin::pin!(client.upload_attachment(request));
                tokio::select! {
                    biased;
                    Ok(source) = failed => {
                        // To give the call up before its stream breaks would look like the stream's end to the server.
                        // What it answers says less than the reason that is known.
                        let _ = call.await;
                        Err(Error::Io { path: name, source })
                    }
                    answer = &mut call => Ok(answer?.into_inner()),
                }
            }
        })
        .await
    }
}

/// The largest message that is sent: a header with 1 MiB of denied values and its policy fits.
pub(super) const MAX_MESSAGE: usize = 4 * 1024 * 1024;

/// Sends `first`, then what `reader` gives; what goes wrong with reading is told apart. The thread is not joined: a read of a
/// terminal may never return.
pub(super) fn pump<M: Send + 'static>(
    first: M,
    next: fn(Vec<u8>) -> M,
    reader: Box<dyn Read + Send>,
    progress: Option<Progress>,
) -> (ReceiverStream<M>, oneshot::Receiver<io::Error>) {
    let (send, receive) = mpsc::channel(WAITING);
    let (fail, failed) = oneshot::channel();
    let mut out = Whole { send, next, reached: false };
    std::thread::spawn(move || {
        if let Err(error) = out.run(first, reader, progress) {
            // Nobody listens where the call has ended already.
            let _ = fail.send(error);
        }
        // Only now: the reason is known before the stream breaks.
        drop(out);
    });
    (ReceiverStream::new(receive), failed)
}

/// Sees to it that a stream ends only where its input ended.
///
/// A stream of messages has no way to fail, and one that just stops looks whole to the server. So whatever else ends the
/// reading, a panic too, sends a message that is too large to be sent: at that the transport resets the stream.
struct Whole<M: Send + 'static> {
    send: mpsc::Sender<M>,
    next: fn(Vec<u8>) -> M,
    reached: bool,
}

impl<M: Send + 'static> Whole<M> {
    fn run(&mut self, first: M, mut reader: Box<dyn Read + Send>, progress: Option<Progress>) -> io::Result<()> {
        let mut message = first;
        while self.send.blocking_send(message).is_ok() {
            let mut data = vec![0; CHUNK];
            let read = loop {
                match reader.read(&mut data) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read?,
                }
            };
            if read == 0 {
                self.reached = true;
                break;
            }
            data.truncate(read);
            if let Some(progress) = &progress {
                progress(read as u64);
            }
            message = (self.next)(data);
        }
        Ok(())
    }
}

impl<M: Send + 'static> Drop for Whole<M> {
    fn drop(&mut self) {
        if !self.reached {
            // Where nobody receives any more, nothing ends by mistake either.
            let _ = self.send.blocking_send((self.next)(vec![0; MAX_MESSAGE + 1]));
        }
    }
}
