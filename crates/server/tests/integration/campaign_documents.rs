//! Invalid campaign documents: every error is reported with its position, and nothing is created.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::test_server::{Client, HttpReply, TestServer, clip, text_campaign};

/// Returns the JSON pointers of the validation errors in a response; panics if it has none.
fn error_pointers(reply: &HttpReply) -> Vec<String> {
    assert_eq!(
        (reply.status, reply.problem()),
        (422, "invalid"),
        "{:?}",
        reply.json
    );
    let faults = reply.json["errors"].as_array().unwrap().iter();
    let faults = faults.inspect(|fault| assert_ne!(fault["detail"], "", "{fault}"));
    faults
        .map(|fault| fault["pointer"].as_str().unwrap().to_owned())
        .collect()
}

/// Checks that the server has no campaign.
fn check_no_campaign(organiser: &Client) {
    let made = organiser.get("/api/v1/campaigns").json;
    assert_eq!(made, json!({"campaigns": []}));
}

/// JSON pointer of a validation error, and a change of the valid document that causes the error.
type InvalidChange = (&'static str, fn(&mut Value));

/// Changes, each of which makes the document of [`valid_document`] invalid.
const INVALID_CHANGES: [InvalidChange; 23] = [
    ("/name", |d| d["name"] = json!("Not A Name")),
    ("/title", |d| d["title"] = json!(" ")),
    ("/kinds/1", |d| d["kinds"] = json!(["ranking", "ranking"])),
    ("/settings/strategy", |d| {
        d["settings"]["strategy"] = json!("guess");
    }),
    ("/settings/votes", |d| d["settings"]["votes"] = json!(0)),
    ("/settings/decide", |d| {
        d["settings"]["decide"] = json!("by dice");
    }),
    ("/settings/colour", |d| d["settings"]["colour"] = json!(1)),
    ("/settings/lists", |d| d["settings"]["lists"] = json!([])),
    ("/lists/0/items/1/show", |d| {
        d["lists"][0]["items"][1]["show"] = json!({});
    }),
    ("/lists/1/items/1/show", |d| {
        d["lists"][1]["items"][1]
            .as_object_mut()
            .unwrap()
            .remove("show");
    }),
    ("/lists/0/items/0/show/audio", |d| {
        d["lists"][0]["items"][0]["show"] = json!({"audio": "0".repeat(64)});
    }),
    ("/lists/0/show/audio", |d| {
        d["lists"][0]["show"] = json!({"audio": "q.wav"});
    }),
    ("/lists/1/query", |d| d["lists"][1]["query"] = json!("q")),
    ("/lists/1/items/2/item", |d| {
        d["lists"][1]["items"][2]["item"] = json!("k");
    }),
    ("/lists/1/items/0/same_as", |d| {
        d["lists"][1]["items"][0]["same_as"] = json!("nobody");
    }),
    ("/gold/pairs/0/query", |d| {
        d["gold"]["pairs"][0]["query"] = json!("nowhere");
    }),
    ("/gold/pairs/1/a", |d| {
        d["gold"]["pairs"][1]["a"] = json!("nothing");
    }),
    ("/gold/pairs/2/b", |d| {
        d["gold"]["pairs"][2]["b"] = json!("y");
    }),
    ("/gold/pairs/4", |d| {
        let pair = json!({"query": "q", "a": "w", "b": "x", "answer": "a"});
        let pairs = d["gold"]["pairs"].as_array_mut().unwrap();
        pairs.extend([pair.clone(), pair]);
    }),
    ("/gold/share", |d| d["gold"]["share"] = json!(2)),
    ("/recruiter/outcomes/full/url", |d| {
        d["recruiter"]["outcomes"]["full"] = json!({"url": "http://panel.example/"});
    }),
    ("/recruiter/outcomes/complete/url", |d| {
        d["recruiter"]["outcomes"]["complete"] = json!({"url": "https://{id}.example/"});
    }),
    ("/judging/ahead", |d| d["judging"] = json!({"ahead": 0})),
];

/// Returns a valid campaign document with gold questions and a recruiter.
fn valid_document() -> Value {
    let mut document = text_campaign(
        "c",
        1,
        &[("q", &["x", "y", "z", "w"]), ("r", &["k", "l", "m"])],
    );
    let gold =
        |query: &str, a: &str, b: &str| json!({"query": query, "a": a, "b": b, "answer": "a"});
    let pairs = [
        gold("q", "x", "y"),
        gold("q", "x", "z"),
        gold("q", "y", "z"),
    ];
    document["gold"] = json!({"share": 0.1, "pairs": pairs});
    document["recruiter"] = json!({"preset": "prolific", "outcomes": {"full": {"code": "F"}}});
    document
}

#[test]
fn each_document_error_is_reported_at_its_json_pointer_alone_and_combined() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let mut all = valid_document();
    for (pointer, spoil) in INVALID_CHANGES {
        let mut document = valid_document();
        spoil(&mut document);
        let reply = organiser.post("/api/v1/campaigns", &document);
        assert_eq!(error_pointers(&reply), [pointer], "{:?}", reply.json);
        spoil(&mut all);
    }
    let mut found = error_pointers(&organiser.post("/api/v1/campaigns", &all));
    let mut expected = INVALID_CHANGES.map(|(pointer, _)| pointer.to_owned());
    // Ignore further errors that only the combination of the changes causes.
    found.retain(|pointer| expected.contains(pointer));
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    check_no_campaign(&organiser);
    assert_eq!(
        organiser
            .post("/api/v1/campaigns", &valid_document())
            .status,
        201
    );
}

#[test]
fn unknown_fields_are_rejected_at_every_level() {
    let server = TestServer::new();
    let organiser = server.organiser();
    for at in [
        "",
        "/lists/0",
        "/lists/0/show",
        "/lists/0/items/0",
        "/gold",
        "/gold/pairs/1",
        "/recruiter",
        "/judging",
    ] {
        let mut document = valid_document();
        document["judging"] = json!({});
        document.pointer_mut(at).unwrap()["colour"] = json!(1);
        let reply = organiser.post("/api/v1/campaigns", &document);
        let found = error_pointers(&reply);
        assert!(found[0].starts_with(at), "{at}: {found:?}");
        assert!(
            reply.json["detail"].as_str().unwrap().contains("colour"),
            "{:?}",
            reply.json
        );
    }
    check_no_campaign(&organiser);
}

/// Returns a zip with the given files: name and content.
pub(crate) fn zip_archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Returns a campaign document with audio clips, which it names by file.
fn document_with_audio() -> Value {
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["lists"][0]["show"] = json!({"audio": "q.wav"});
    document["lists"][0]["items"][0]["show"] = json!({"audio": "x.wav"});
    document["lists"][0]["items"][1]["show"] = json!({"audio": "x.wav"});
    document
}

#[test]
fn a_rejected_zip_stores_neither_the_campaign_nor_its_valid_clips() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let mut document = document_with_audio();
    document["settings"]["strategy"] = json!("guess");
    let html = b"<html><script>alert(1)</script></html>".as_slice();
    let zip = zip_archive(&[
        ("campaign.json", document.to_string().as_bytes()),
        ("q.wav", html),
        ("x.wav", &clip(70)),
    ]);
    let reply = organiser.request("POST", "/api/v1/campaigns", "application/zip", &zip);
    let mut found = error_pointers(&reply);
    found.sort();
    assert_eq!(found, ["/lists/0/show/audio", "/settings/strategy"]);
    check_no_campaign(&organiser);
    // The valid clip was not stored. Another server, which stores it, provides its id.
    let other = TestServer::new();
    let taken = (other.organiser()).request("POST", "/api/v1/media", "audio/wav", &clip(70));
    let id = taken.json["media"].as_str().unwrap();
    assert_eq!(server.client("").get(&format!("/media/{id}")).status, 404);
}

#[test]
fn images_are_rejected_as_audio_and_audio_as_images() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let media = |bytes: &[u8]| {
        organiser
            .request("POST", "/api/v1/media", "x/y", bytes)
            .json["media"]
            .clone()
    };
    let (picture, sound) = (media(b"\x89PNG\r\n\x1a\n..."), media(&clip(30)));
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["lists"][0]["show"] = json!({"audio": picture});
    document["lists"][0]["items"][0]["show"] = json!({"image": sound});
    let reply = organiser.post("/api/v1/campaigns", &document);
    assert_eq!(
        error_pointers(&reply),
        ["/lists/0/show/audio", "/lists/0/items/0/show/image"]
    );
    check_no_campaign(&organiser);
}

#[test]
fn names_in_a_zip_are_never_file_paths_and_unreferenced_files_are_not_unpacked() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let mut document = document_with_audio();
    document["lists"][0]["show"] = json!({"audio": "../../escaped.wav"});
    document["lists"][0]["items"][0]["show"] = json!({"audio": "/tmp/partita-escaped.wav"});
    document["lists"][0]["items"][1]["show"] = json!({"audio": "a\\..\\..\\b.wav"});
    // A file that the document does not reference may be of any size.
    let bomb = vec![0; 60 << 20];
    let zip = zip_archive(&[
        ("../../escaped.wav", &clip(40)),
        ("/tmp/partita-escaped.wav", &clip(50)),
        ("a\\..\\..\\b.wav", &clip(60)),
        ("unseen.bin", &bomb),
        ("campaign.json", document.to_string().as_bytes()),
    ]);
    let before = std::fs::read_dir(server.data().parent().unwrap())
        .unwrap()
        .count();
    let reply = organiser.request("POST", "/api/v1/campaigns", "application/zip", &zip);
    assert_eq!(reply.status, 201, "{:?}", reply.json);
    assert_eq!(
        std::fs::read_dir(server.data().parent().unwrap())
            .unwrap()
            .count(),
        before
    );
    assert!(!std::path::Path::new("/tmp/partita-escaped.wav").exists());
    for part in std::fs::read_dir(server.data()).unwrap() {
        let name = part.unwrap().file_name().into_string().unwrap();
        let files = ["addresses.json", "lock", "organiser.token", "secret"];
        let known = files.contains(&name.as_str());
        assert!(known || name.starts_with("partita.db"), "{name}");
    }
    let person = server
        .enter_assessors("c", &json!("preference"), 1)
        .remove(0);
    let task = person.tasks()[0].clone();
    let url = task["query"]["audio"]["url"].as_str().unwrap();
    assert_eq!(server.client("").get(url).bytes, clip(40));
}

#[test]
fn zip_bombs_and_zips_with_false_sizes_are_rejected() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let send = |files: &[(&str, &[u8])]| {
        organiser.request(
            "POST",
            "/api/v1/campaigns",
            "application/zip",
            &zip_archive(files),
        )
    };
    let document = document_with_audio().to_string();
    // Both files have an allowed size, but a too high compression ratio.
    let bomb = vec![0; 15 << 20];
    let reply = send(&[("campaign.json", document.as_bytes()), ("q.wav", &bomb)]);
    assert_eq!(reply.problem(), "too-large");
    let bomb = vec![b' '; 15 << 20];
    assert_eq!(send(&[("campaign.json", &bomb)]).problem(), "too-large");
    // Replace the size of the last file in the central directory of the zip by a false, small one.
    // Then also truncate the zip.
    let mut lying = zip_archive(&[
        ("campaign.json", document.as_bytes()),
        ("q.wav", &clip(40)),
        ("x.wav", &bomb),
    ]);
    let end = lying.len();
    let central = lying
        .windows(4)
        .rposition(|part| part == b"PK\x01\x02")
        .unwrap();
    lying[central + 24..central + 28].copy_from_slice(&100_u32.to_le_bytes());
    let reply = organiser.request("POST", "/api/v1/campaigns", "application/zip", &lying);
    assert!([413, 422].contains(&reply.status), "{:?}", reply.json);
    for cut in [4, 40, end / 2, end - 10] {
        let reply = organiser.request(
            "POST",
            "/api/v1/campaigns",
            "application/zip",
            &lying[..cut],
        );
        assert_eq!(reply.problem(), "invalid", "cut at {cut}");
    }
    check_no_campaign(&organiser);
}
