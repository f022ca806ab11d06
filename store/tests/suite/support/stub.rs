//! An HTTP server that answers each PUT as it is told, for what no real engine at hand does.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Stub {
    pub(crate) endpoint: String,
    /// The heads of all requests, in lower case.
    pub(crate) heads: Arc<Mutex<Vec<String>>>,
}

/// Answers 409 to the first `conflicts` requests and 200 to all others.
pub(crate) async fn start(conflicts: usize) -> Stub {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let heads = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&heads);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, Arc::clone(&shared), conflicts));
        }
    });
    Stub { endpoint, heads }
}

async fn serve(mut stream: TcpStream, heads: Arc<Mutex<Vec<String>>>, conflicts: usize) {
    let mut buffer = Vec::new();
    loop {
        let head_end = loop {
            if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            if stream.read_buf(&mut buffer).await.unwrap_or(0) == 0 {
                return;
            }
        };
        let head = String::from_utf8_lossy(&buffer[..head_end]).to_lowercase();
        let length = head.split("\r\ncontent-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let end = head_end + length.map_or(0, |length| length.parse::<usize>().unwrap());
        while buffer.len() < end {
            if stream.read_buf(&mut buffer).await.unwrap_or(0) == 0 {
                return;
            }
        }
        buffer.drain(..end);
        let seen = {
            let mut heads = heads.lock().unwrap();
            heads.push(head);
            heads.len()
        };
        let answer = if seen <= conflicts {
            let body = "<Error><Code>ConditionalRequestConflict</Code><Message>secret</Message></Error>";
            format!("HTTP/1.1 409 Conflict\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        } else {
            "HTTP/1.1 200 OK\r\netag: \"abc\"\r\ncontent-length: 0\r\n\r\n".to_owned()
        };
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}
