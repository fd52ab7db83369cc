//! Administrative operations: backup, restore, verification, and changes of campaigns while the
//! server runs.

use partita_server::{AdminError, ServerStorage};
use serde_json::json;

use crate::test_server::{TestServer, judge_all, text_campaign};

#[test]
fn a_restored_backup_has_the_same_log_and_verify_detects_a_changed_byte() {
    let mut server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 2, &[("q", &["x", "y", "z"])]), 2);
    judge_all(&people, 1);
    let log = server.organiser().get("/api/v1/campaigns/c/log").bytes;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup.db");
    let place = ServerStorage::Folder(server.data());
    // The server is still running.
    place.backup(&file).unwrap();
    assert!(matches!(place.backup(&file), Err(AdminError::NotEmpty(_))));
    server.stop();
    assert!(ServerStorage::Backup(file.clone()).verify().unwrap().sound);
    let restored = folder.path().join("restored");
    ServerStorage::Folder(restored.clone())
        .restore(&file)
        .unwrap();
    let again = ServerStorage::Folder(restored.clone())
        .export_log("c")
        .unwrap();
    assert_eq!(again.as_bytes(), log);
    assert!(!restored.join("secret").exists(), "a backup has no secret");
    let full = ServerStorage::Folder(restored).restore(&file);
    assert!(matches!(full, Err(AdminError::NotEmpty(_))));
    // Change one byte of an answer in the backup.
    let mut bytes = std::fs::read(&file).unwrap();
    let place = bytes
        .windows(13)
        .position(|part| part == b"\"seconds\":2.5")
        .unwrap();
    bytes[place + 10] = b'3';
    std::fs::write(&file, bytes).unwrap();
    let verified = ServerStorage::Backup(file).verify().unwrap();
    assert!(!verified.sound);
    assert!(verified.campaigns[0].unsound.is_some());
}

#[test]
fn admin_operations_change_campaigns_while_the_server_runs() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y", "z"])]), 1);
    assert_eq!(people[0].next().json["state"], "work");
    let place = ServerStorage::Folder(server.data());
    place.pause("c").unwrap();
    assert_eq!(people[0].next().json["state"], "paused");
    place.resume("c").unwrap();
    assert_eq!(people[0].next().json["state"], "work");
    let other = text_campaign("d", 1, &[("q", &["x", "y"])]).to_string();
    assert_eq!(place.create_campaign(other.as_bytes()).unwrap(), "d");
    let kind = serde_json::from_value(json!("preference")).unwrap();
    let invites = place
        .create_invites("d", kind, 2, None, "https://judge.example/")
        .unwrap();
    assert!(
        invites.invites[0]
            .link
            .starts_with("https://judge.example/j/d#invite=")
    );
    let entry = json!({"campaign": "d", "invite": invites.invites[0].invite});
    assert_eq!(
        server.client("").post("/api/v1/judge/enter", &entry).status,
        200
    );
}
