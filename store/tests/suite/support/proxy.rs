//! A TCP proxy that lets a PUT through and cuts its answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Proxy {
    pub(crate) endpoint: String,
    /// How many answers to PUTs are still to be cut.
    pub(crate) cuts: Arc<AtomicUsize>,
}

pub(crate) async fn start(upstream: &str) -> Proxy {
    let upstream = upstream.strip_prefix("http://").unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let cuts = Arc::new(AtomicUsize::new(0));
    let shared = Arc::clone(&cuts);
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            let far = TcpStream::connect(&upstream).await.unwrap();
            let (cuts, cutting) = (Arc::clone(&shared), Arc::new(AtomicBool::new(false)));
            let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
            let flag = Arc::clone(&cutting);
            tokio::spawn(async move {
                // Whichever way ends first takes the other along, and with it both connections.
                tokio::select! {
                    () = forward(near_in, far_out, &cuts, &flag) => {}
                    () = back(far_in, near_out, &cutting) => {}
                }
            });
        }
    });
    Proxy { endpoint, cuts }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, cuts: &AtomicUsize, cutting: &AtomicBool) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        let is_put = buffer.starts_with(b"PUT ");
        if is_put && cuts.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok() {
            cutting.store(true, Ordering::SeqCst);
        }
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}

async fn back(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, cutting: &AtomicBool) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        if cutting.load(Ordering::SeqCst) || to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}
