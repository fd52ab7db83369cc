//! Clips and pictures, as browsers load them.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::test_server::{Client, POSTGRES_LOCK, TestServer, create_database};

/// Uploads a picture of about `size` bytes that look random, and returns its address and bytes.
fn upload_picture(server: &TestServer, size: u32) -> (String, Vec<u8>) {
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.extend((0..size).map(|place| (place.wrapping_mul(2_654_435_761) >> 13) as u8));
    let organiser = server.organiser();
    let saved = organiser.request("POST", "/api/v1/media", "image/png", &picture);
    assert_eq!(saved.status, 201, "{:?}", saved.json);
    (
        format!("/media/{}", saved.json["media"].as_str().unwrap()),
        picture,
    )
}

/// Checks the bytes and headers of a file and of its ranges.
fn check_ranges(server: &TestServer) {
    let (url, picture) = upload_picture(server, 2_500_000);
    let length = picture.len();
    let whole = server.client("").get(&url);
    assert_eq!(
        (whole.status, whole.header("content-type")),
        (200, "image/png")
    );
    assert_eq!(whole.header("content-length"), length.to_string());
    assert!(whole.bytes == picture);
    let part = |range: &str| {
        let headers = vec![("Range", format!("bytes={range}"))];
        let client = Client {
            headers,
            ..server.client("")
        };
        client.get(&url)
    };
    for (range, start, end) in [
        ("0-0", 0, 1),
        ("0-", 0, length),
        ("-9", length - 9, length),
        ("1048570-1048590", 1_048_570, 1_048_591),
        ("1000000-2400000", 1_000_000, 2_400_001),
        ("2500000-99999999", 2_500_000, length),
    ] {
        let reply = part(range);
        assert_eq!(reply.status, 206, "{range}");
        assert_eq!(reply.header("content-length"), (end - start).to_string());
        let sent = format!("bytes {start}-{}/{length}", end - 1);
        assert_eq!(reply.header("content-range"), sent);
        assert!(reply.bytes == picture[start..end], "{range}");
    }
    for range in [format!("{length}-"), "-0".to_owned()] {
        let reply = part(&range);
        assert_eq!(reply.status, 416, "{range}");
        assert_eq!(reply.header("content-range"), format!("bytes */{length}"));
    }
    let mut stream = TcpStream::connect(server.url.strip_prefix("http://").unwrap()).unwrap();
    let request = format!("HEAD {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut head = String::new();
    stream.read_to_string(&mut head).unwrap();
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(
        head.contains(&format!("content-length: {length}\r\n")),
        "{head}"
    );
    assert!(head.ends_with("\r\n\r\n"), "{head}");
}

#[test]
fn server_a6_files_and_ranges_are_streamed_completely() {
    check_ranges(&TestServer::new());
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_server_a6_files_and_ranges_are_streamed_completely() {
    let _running = POSTGRES_LOCK.read().unwrap();
    let url = create_database("media");
    check_ranges(&TestServer::with_options(|settings| {
        settings.database = Some(url);
    }));
}

#[test]
fn server_a6_many_slow_readers_delay_no_other_reader() {
    let server = TestServer::new();
    let (url, picture) = upload_picture(&server, 19 << 20);
    let address = server.url.strip_prefix("http://").unwrap();
    let request = format!("GET {url} HTTP/1.1\r\nHost: x\r\n\r\n");
    // The readers take the head of the response and nothing more.
    let slow: Vec<TcpStream> = (0..120)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream.read_exact(&mut [0; 64]).unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    assert!(server.client("").get(&url).bytes == picture);
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
    drop(slow);
}
