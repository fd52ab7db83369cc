//! A random driver against a plain reference: what was acknowledged is there, once, and nothing else is.

use std::collections::{BTreeMap, BTreeSet};

use partita_stats::streams::{index_below, stream};
use serde_json::{Value, json};

use crate::house::{Client, House, replayed, texts};

/// What must hold, whatever happened.
#[derive(Default)]
struct Reference {
    /// The answers that were acknowledged: who, the id, and what was said.
    saved: BTreeMap<String, Value>,
    excluded: BTreeSet<usize>,
    /// Whether somebody was taken in again: their votes come back to pairs that others have by then.
    readmitted: bool,
    paused: bool,
}

#[test]
fn thousands_of_random_steps_lose_and_double_nothing() {
    for seed in [1, 2, 3] {
        drive(seed, 500);
    }
}

fn drive(seed: u64, steps: usize) {
    let mut random = stream(seed, &[13]);
    let mut house = House::new();
    let items = ["a", "b", "c", "d", "e", "f"];
    let document = texts("c", 3, &[("q", &items), ("r", &items), ("s", &items[..4])]);
    let tokens: Vec<String> = (house.campaign(&document, 6).into_iter())
        .map(|client| client.token)
        .collect();
    let mut names = Vec::new();
    for token in &tokens {
        let me = house.client(token).get("/api/v1/judge/me").json;
        names.push(me["person"].as_str().unwrap().to_owned());
    }
    let mut reference = Reference::default();
    let mut last: Vec<Option<(u128, Value)>> = vec![None; tokens.len()];
    for step in 0..steps {
        let who = index_below(&mut random, tokens.len());
        let person: Client = house.client(&tokens[who]);
        let organiser = house.organiser();
        match index_below(&mut random, 20) {
            0..=11 => {
                let next = person.next().json;
                let state = next["state"].as_str().unwrap();
                assert_eq!(state == "paused", reference.paused, "step {step}");
                let out = reference.excluded.contains(&who) && !reference.paused;
                assert_eq!(state == "ended", out, "step {step}");
                if let Some(task) = next["tasks"].get(0) {
                    let answer = ["a", "b", "equal"][index_below(&mut random, 3)];
                    let body = json!({"task": task["task"], "seconds": 1, "answer": answer});
                    let id = step as u128;
                    assert_eq!(person.answer(id, &body).status, 201, "step {step}");
                    reference
                        .saved
                        .insert(crate::house::uuid(id), json!(answer));
                    last[who] = Some((id, body));
                }
            }
            12..=13 => {
                if let Some((id, body)) = &last[who] {
                    assert_eq!(person.answer(*id, body).status, 200, "step {step}");
                    let again = person.answer(1_000_000 + step as u128, body);
                    assert_eq!(again.problem(), "answered", "step {step}");
                }
            }
            14 => {
                let act = if reference.paused { "resume" } else { "pause" };
                reference.paused = !reference.paused;
                let done = organiser.post(&format!("/api/v1/campaigns/c/{act}"), &json!({}));
                assert_eq!(done.status, 200, "step {step}");
            }
            15 => {
                let out = reference.excluded.contains(&who);
                let act = if out { "readmit" } else { "exclude" };
                reference.readmitted |= out;
                match out {
                    true => reference.excluded.remove(&who),
                    false => reference.excluded.insert(who),
                };
                let path = format!("/api/v1/campaigns/c/people/{}/{act}", names[who]);
                assert_eq!(organiser.post(&path, &json!({})).status, 204, "step {step}");
            }
            16 if step % 5 == 0 => house.restart(),
            17 => {
                let next = person.next().json;
                if let Some(task) = next["tasks"].get(0) {
                    let report =
                        json!({"task": task["task"], "part": "query", "problem": "silent"});
                    assert_eq!(person.post("/api/v1/judge/reports", &report).status, 201);
                }
            }
            _ => check(&organiser, &reference),
        }
    }
    check(&house.organiser(), &reference);
}

/// The log has every acknowledged answer once and no other, no pair has more votes and leases than it
/// wants, and the state is that of the log.
fn check(organiser: &Client, reference: &Reference) {
    let log = organiser.get("/api/v1/campaigns/c/log").bytes;
    let mut found = BTreeMap::new();
    for line in String::from_utf8(log.clone()).unwrap().lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        if event["event"] == "answered" {
            let id = event["id"].as_str().unwrap().to_owned();
            let double = found.insert(id, event["answer"].clone());
            assert!(double.is_none(), "{line}");
        }
    }
    assert_eq!(found, reference.saved);
    let pairs = organiser.get("/api/v1/campaigns/c/pairs").json;
    for pair in pairs["pairs"].as_array().unwrap() {
        let number = |key: &str| pair[key].as_u64().unwrap();
        let most = number("wanted").max(3);
        assert!(number("votes") <= most, "{pair}");
        let leased = number("leased");
        assert!(
            reference.readmitted || number("votes") + leased <= most,
            "{pair}"
        );
    }
    assert_eq!(
        organiser.get("/api/v1/campaigns/c/state").bytes,
        replayed(&log)
    );
}
