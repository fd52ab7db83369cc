//! Administrative operations: backup, restore, verification, and changes of campaigns while the
//! server runs.

use partita::judging::campaign::log::Stamp;
use partita::judging::campaign::{Action, CampaignSession, Event, JudgmentKind};
use partita_server::{AdminError, InvitedPeople, ServerStorage};
use serde_json::json;

use crate::test_server::{POSTGRES_LOCK, TestServer, create_database, judge_all, text_campaign};

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
        .restore(&file, false)
        .unwrap();
    let again = ServerStorage::Folder(restored.clone())
        .export_log("c")
        .unwrap();
    assert_eq!(again.as_bytes(), log);
    assert!(!restored.join("secret").exists(), "a backup has no secret");
    let full = ServerStorage::Folder(restored).restore(&file, false);
    assert!(matches!(full, Err(AdminError::NotEmpty(_))));
    // Change one byte of an answer in the backup.
    let mut bytes = std::fs::read(&file).unwrap();
    let place = bytes
        .windows(13)
        .position(|part| part == b"\"seconds\":2.5")
        .unwrap();
    bytes[place + 10] = b'3';
    std::fs::write(&file, bytes).unwrap();
    let verified = ServerStorage::Backup(file.clone()).verify().unwrap();
    assert!(!verified.sound);
    assert!(verified.campaigns[0].unsound.is_some());
    // server_b5: a restore names the damaged campaign and makes nothing, unless it is wanted anyway.
    let damaged = ServerStorage::Folder(folder.path().join("damaged"));
    let refused = damaged.restore(&file, false).unwrap_err();
    assert!(matches!(refused, AdminError::Damaged { .. }));
    assert!(
        refused
            .to_string()
            .contains("campaign `c` is damaged at event")
    );
    assert!(!folder.path().join("damaged").exists());
    let restored = damaged.restore(&file, true).unwrap();
    assert_eq!(restored.len(), 1);
    assert_eq!(damaged.export_log("c").unwrap().len(), log.len());
}

/// Performs an action on the campaign `c` as the command line does.
fn perform(place: &ServerStorage, action: &Action) -> Vec<Event> {
    let mut session = CampaignSession::open(place.open_log("c").unwrap()).unwrap();
    session.perform(&stamp(), action).unwrap()
}

fn stamp() -> Stamp {
    Stamp {
        at: "2026-11-17T00:00:00Z".parse().unwrap(),
        author: "organiser".to_owned(),
    }
}

#[test]
fn admin_operations_change_campaigns_while_the_server_runs() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y", "z"])]), 1);
    assert_eq!(people[0].next().json["state"], "work");
    let place = ServerStorage::Folder(server.data());
    perform(&place, &Action::Pause);
    assert_eq!(people[0].next().json["state"], "paused");
    perform(&place, &Action::Resume);
    assert_eq!(people[0].next().json["state"], "work");
    let other = text_campaign("d", 1, &[("q", &["x", "y"])]).to_string();
    assert_eq!(place.create_campaign(other.as_bytes(), None).unwrap(), "d");
    let people = InvitedPeople::Count {
        kind: JudgmentKind::Preference,
        count: 2,
        label: None,
    };
    let invites = place
        .create_invites("d", people, "https://judge.example/")
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

#[test]
fn somebody_who_has_not_answered_can_be_excluded_if_the_server_knows_them() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y", "z"])]), 1);
    let place = ServerStorage::Folder(server.data());
    let listed = server.organiser().get("/api/v1/campaigns/c/people").json;
    let person = listed["people"][0]["person"].as_str().unwrap();
    let exclude = |name: &str| Action::Exclude {
        assessors: vec![name.to_owned()],
        reason: None,
    };
    assert_eq!(perform(&place, &exclude(person)).len(), 1);
    assert_eq!(perform(&place, &exclude(person)), []);
    assert_eq!(people[0].next().json["tasks"], json!([]));
    let mut session = CampaignSession::open(place.open_log("c").unwrap()).unwrap();
    let error = session.perform(&stamp(), &exclude("nobody")).unwrap_err();
    assert_eq!(error.to_string(), "nobody called `nobody` has answered");
}

/// Checks that a log in a database and the server that has it open see each other's events.
fn check_shared_log(place: &ServerStorage, server: &TestServer) {
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y", "z"])]), 1);
    let mut session = CampaignSession::open(place.open_log("c").unwrap()).unwrap();
    session.perform(&stamp(), &Action::Pause).unwrap();
    // The lock is free after the append, and the server goes on from the new event.
    assert_eq!(people[0].next().json["state"], "paused");
    let organiser = server.organiser();
    let resumed = organiser.post("/api/v1/campaigns/c/resume", &json!({}));
    assert_eq!(
        (resumed.status, &resumed.json["state"]),
        (200, &json!("open"))
    );
    // Nothing is written after events that the session does not know.
    let error = session.perform(&stamp(), &Action::Resume).unwrap_err();
    assert!(
        error.to_string().contains("changed the campaign meanwhile"),
        "{error}"
    );
    session.catch_up().unwrap();
    assert_eq!(session.perform(&stamp(), &Action::Resume).unwrap(), []);
    judge_all(&people, 1);
    session.catch_up().unwrap();
    assert!(
        session
            .campaign()
            .answer_statuses()
            .iter()
            .any(|status| status.is_vote())
    );
    let close = Action::Close {
        queries: Vec::new(),
    };
    assert_eq!(session.perform(&stamp(), &close).unwrap().len(), 1);
    drop(session);
    assert_eq!(organiser.get("/api/v1/campaigns/c").json["state"], "closed");
    assert_eq!(people[0].next().json["state"], "ended");
    assert!(place.verify().unwrap().sound);
    let log = organiser.get("/api/v1/campaigns/c/log").bytes;
    assert_eq!(place.export_log("c").unwrap().as_bytes(), log);
}

#[test]
fn house_the_server_writes_while_a_command_replays_the_log() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y", "z"])]), 1);
    let place = ServerStorage::Folder(server.data());
    let mut session = CampaignSession::open_unlocked(place.open_log("c").unwrap()).unwrap();
    judge_all(&people, 1);
    // The session applies what the server has written before it changes the campaign.
    let (events, effect) = session
        .perform_with_effect(&stamp(), &Action::Pause)
        .unwrap();
    assert_eq!(events, [Event::Paused]);
    assert!(effect.votes_before > 0);
    assert_eq!(effect.votes_before, effect.votes);
    drop(session);
    assert_eq!(people[0].next().json["state"], "paused");
    assert!(place.verify().unwrap().sound);
}

#[test]
fn a_log_in_a_database_is_shared_with_the_running_server() {
    let server = TestServer::new();
    check_shared_log(&ServerStorage::Folder(server.data()), &server);
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_a_log_in_a_database_is_shared_with_the_running_server() {
    let _alone = POSTGRES_LOCK.read().unwrap();
    let url = create_database("shared_log");
    let server = TestServer::with_options(|settings| settings.database = Some(url.clone()));
    check_shared_log(&ServerStorage::Postgres(url), &server);
}
