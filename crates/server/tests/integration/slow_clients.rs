//! Clients that send or read too slowly, and too many connections.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::test_server::{TestServer, text_campaign};

/// Client timeout of the servers in these tests.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Additional time after which a client has noticed the timeout even on a busy machine.
const GRACE: Duration = Duration::from_secs(3);

fn server_with_short_timeout() -> TestServer {
    TestServer::with_options(|settings| settings.timeout = TIMEOUT)
}

fn connect(server: &TestServer) -> TcpStream {
    let stream = TcpStream::connect(server.url.strip_prefix("http://").unwrap()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    stream
}

/// Sends the same bytes repeatedly until the server closes the connection. Returns the response and
/// the duration of the call.
fn trickle(stream: &mut TcpStream, bytes: &[u8]) -> (String, Duration) {
    let begun = Instant::now();
    let mut reply = Vec::new();
    let mut buffer = [0; 4_096];
    loop {
        assert!(
            begun.elapsed() < TIMEOUT * 2 + GRACE,
            "the server did not close the connection in time"
        );
        // Ignore the error: the read below notices a closed connection.
        let _ = stream.write_all(bytes);
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => reply.extend_from_slice(&buffer[..count]),
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {}
            Err(_) => break,
        }
    }
    (String::from_utf8(reply).unwrap(), begun.elapsed())
}

#[test]
fn slow_headers_time_out() {
    let server = server_with_short_timeout();
    let mut stream = connect(&server);
    stream.write_all(b"GET / HTTP/1.1\r\nX-Slow: ").unwrap();
    let (reply, took) = trickle(&mut stream, b"x");
    assert!(!reply.contains("200 OK"), "{reply}");
    assert!(took > TIMEOUT / 2, "{took:?}");
}

#[test]
fn slow_bodies_time_out_with_a_problem_response() {
    let server = server_with_short_timeout();
    let token = server.organiser().token;
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 1);
    let answer = format!("PUT /api/v1/judge/answers/{}", crate::test_server::uuid(1));
    for (what, token, kind) in [
        ("POST /api/v1/judge/enter", "", "application/json"),
        (&answer, &people[0].token, "application/json"),
        ("POST /api/v1/session", "", "application/json"),
        ("POST /api/v1/media", &token, "audio/wav"),
        ("POST /api/v1/campaigns", &token, "application/zip"),
        ("POST /api/v1/campaigns", &token, "application/json"),
    ] {
        for length in [
            "Content-Length: 60000\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n",
        ] {
            let mut stream = connect(&server);
            let head = format!(
                "{what} HTTP/1.1\r\nHost: x\r\nOrigin: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: {kind}\r\n{length}",
                server.url
            );
            stream.write_all(head.as_bytes()).unwrap();
            let chunked = length.starts_with('T');
            let bytes = if chunked {
                b"1\r\n \r\n".as_slice()
            } else {
                b" "
            };
            let (reply, took) = trickle(&mut stream, bytes);
            assert!(reply.starts_with("HTTP/1.1 408 "), "{what}: {reply}");
            assert!(reply.contains("/problems/too-slow"), "{what}: {reply}");
            assert!(took > TIMEOUT / 2, "{took:?}");
        }
    }
    // The answer whose body never arrived completely was not saved.
    let log = server.organiser().get("/api/v1/campaigns/c/log").bytes;
    assert!(!String::from_utf8(log).unwrap().contains("answered"));
}

/// Begins the upload of a picture of `length` bytes; returns its connection.
fn begin_upload(server: &TestServer, length: usize) -> TcpStream {
    let mut stream = connect(server);
    let head = format!(
        "POST /api/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: image/png\r\nContent-Length: {length}\r\n\r\n",
        server.organiser().token,
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(b"\x89PNG\r\n\x1a\n").unwrap();
    stream
}

#[test]
fn server_b8_an_upload_may_take_long_while_it_progresses() {
    let server = server_with_short_timeout();
    let part = [7; 30_000];
    let count = 11;
    let mut stream = begin_upload(&server, 8 + count * part.len());
    let begun = Instant::now();
    for _ in 0..count {
        std::thread::sleep(TIMEOUT / 4);
        stream.write_all(&part).unwrap();
    }
    assert!(begun.elapsed() > TIMEOUT * 5 / 2);
    stream.set_read_timeout(Some(GRACE)).unwrap();
    let mut reply = [0; 4_096];
    let read = stream.read(&mut reply).unwrap();
    let reply = String::from_utf8_lossy(&reply[..read]);
    assert!(reply.starts_with("HTTP/1.1 201 "), "{reply}");
}

#[test]
fn server_b8_an_upload_that_stalls_or_is_too_slow_ends() {
    let server = server_with_short_timeout();
    // A megabyte arrives at once, and then nothing.
    let mut stalled = begin_upload(&server, 2_000_000);
    stalled.write_all(&vec![7; 1_000_000]).unwrap();
    let (reply, took) = trickle(&mut stalled, b"");
    assert!(reply.starts_with("HTTP/1.1 408 "), "{reply}");
    assert!(took > TIMEOUT / 2, "{took:?}");
    // Bytes arrive all the time, but few.
    let mut slow = begin_upload(&server, 2_000_000);
    let (reply, took) = trickle(&mut slow, &[7; 100]);
    assert!(reply.starts_with("HTTP/1.1 408 "), "{reply}");
    assert!(took > TIMEOUT, "{took:?}");
}

#[test]
fn headers_and_body_share_one_timeout() {
    let server = server_with_short_timeout();
    let mut stream = connect(&server);
    let begun = Instant::now();
    stream.write_all(b"POST /api/v1/judge/enter ").unwrap();
    std::thread::sleep(TIMEOUT * 3 / 4);
    stream
        .write_all(
            b"HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
        )
        .unwrap();
    let (reply, rest) = trickle(&mut stream, b"");
    assert!(reply.starts_with("HTTP/1.1 408 "), "{reply}");
    assert!(begun.elapsed() >= TIMEOUT);
    // A separate timeout for the body would not have expired this early.
    assert!(rest < TIMEOUT, "{rest:?}");
}

#[test]
fn the_timeout_restarts_with_each_request_of_a_connection() {
    let server = server_with_short_timeout();
    let mut stream = connect(&server);
    let body = b"{\"campaign\":\"c\",\"invite\":\"x\"}";
    let head = format!(
        "POST /api/v1/judge/enter HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    for _ in 0..4 {
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body[..5]).unwrap();
        std::thread::sleep(TIMEOUT / 3);
        stream.write_all(&body[5..]).unwrap();
        stream.set_read_timeout(Some(TIMEOUT + GRACE)).unwrap();
        let mut reply = [0; 4_096];
        let count = stream.read(&mut reply).unwrap();
        assert!(reply[..count].starts_with(b"HTTP/1.1 403 "));
        std::thread::sleep(TIMEOUT / 3);
    }
}

#[test]
fn idle_connections_time_out_and_do_not_block_requests() {
    let server = TestServer::with_options(|settings| {
        settings.timeout = TIMEOUT;
        settings.max_connections = 40;
    });
    // Open more idle connections than the maximum. Other clients must still get responses in time.
    let mut idle: Vec<TcpStream> = (0..120).map(|_| connect(&server)).collect();
    let begun = Instant::now();
    assert_eq!(server.organiser().get("/api/v1/campaigns").status, 200);
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 1);
    assert_eq!(people[0].tasks().len(), 1);
    assert!(begun.elapsed() < GRACE, "{:?}", begun.elapsed());
    for stream in &mut idle {
        assert_eq!(trickle(stream, b"").0, "");
    }
}

#[test]
fn a_response_that_the_client_does_not_read_is_abandoned() {
    let server = server_with_short_timeout();
    let organiser = server.organiser();
    // The file is larger than the socket buffers of the operating system.
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.resize(19 << 20, 7);
    let taken = organiser.request("POST", "/api/v1/media", "image/png", &picture);
    assert_eq!(taken.status, 201, "{:?}", taken.json);
    let get = format!(
        "GET /media/{} HTTP/1.1\r\nHost: x\r\n\r\n",
        taken.json["media"].as_str().unwrap()
    );
    let mut readers: Vec<TcpStream> = (0..8).map(|_| connect(&server)).collect();
    for reader in &mut readers {
        reader.write_all(get.as_bytes()).unwrap();
    }
    // Other requests succeed meanwhile: the stalled responses hold no database connection.
    let document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    let people = server.create_campaign(&document, 1);
    assert_eq!(people[0].next().json["state"], json!("work"));
    assert_eq!(organiser.get("/api/v1/campaigns").status, 200);
    std::thread::sleep(TIMEOUT * 2);
    for reader in &mut readers {
        reader.set_read_timeout(Some(GRACE)).unwrap();
        let mut read = 0;
        let mut buffer = vec![0; 1 << 20];
        // The server closes or resets the connection before the whole file is sent.
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            read += count;
        }
        assert!(read < picture.len(), "{read} bytes were sent");
    }
}
