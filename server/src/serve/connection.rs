//! Connections: how many, how long they may stay silent at first, and how they are cut.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::Stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::transport::server::{Connected, TcpConnectInfo};

/// How long a connection may take to send its first byte.
const FIRST_BYTE: Duration = Duration::from_secs(10);
/// How long accepting rests after a failure, such as too many open files.
const REST: Duration = Duration::from_millis(100);

/// Accepts connections, at most `most` at once: the next waits in the system's queue until one has ended.
pub(super) fn accept(
    listener: TcpListener,
    most: u32,
    cut: CancellationToken,
) -> impl Stream<Item = io::Result<Connection>> {
    let room = Arc::new(Semaphore::new(usize::try_from(most).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)));
    async_stream::stream! {
        while let Ok(permit) = Arc::clone(&room).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, _)) => {
                    // Small frames go at once; that the system refuses this harms nobody.
                    let _ = stream.set_nodelay(true);
                    yield Ok(Connection::new(stream, permit, cut.clone()));
                }
                Err(error) => {
                    tracing::warn!(kind = %error.kind(), "a connection cannot be accepted");
                    tokio::time::sleep(REST).await;
                }
            }
        }
    }
}

/// A connection that counts, and that can be cut.
pub(super) struct Connection {
    stream: TcpStream,
    cut: Pin<Box<WaitForCancellationFutureOwned>>,
    silence: Option<Pin<Box<Sleep>>>,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    fn new(stream: TcpStream, permit: OwnedSemaphorePermit, cut: CancellationToken) -> Self {
        let silence = Some(Box::pin(tokio::time::sleep(FIRST_BYTE)));
        Self { stream, cut: Box::pin(cut.cancelled_owned()), silence, _permit: permit }
    }

    /// Fails once the connection is cut, or has said nothing for too long.
    fn may_go_on(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        if self.cut.as_mut().poll(cx).is_ready() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        if let Some(silence) = &mut self.silence
            && silence.as_mut().poll(cx).is_ready()
        {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.may_go_on(cx)?;
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.silence = None;
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.may_go_on(cx)?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.may_go_on(cx)?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}
