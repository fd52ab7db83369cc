//! Rankings, grades and gold.

use serde_json::{Value, json};

use crate::house::{House, by_text, replayed, texts};

#[test]
fn experts_rank_a_list_with_drafts_on_the_way() {
    let house = House::new();
    let mut document = texts("c", 1, &[("q", &["x", "y", "z"])]);
    document["kinds"] = json!(["ranking", "preference"]);
    document["judging"] = json!({"graders": 2});
    let people = house.campaign(&document, 2);
    let task = people[0].tasks()[0].clone();
    assert_eq!(task["draft"], Value::Null);
    let keys: Vec<(String, String)> = (task["items"].as_array().unwrap().iter())
        .map(|item| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            (text(&item["show"]["text"]), text(&item["key"]))
        })
        .collect();
    let key = |name: &str| {
        keys.iter()
            .find(|(text, _)| text.ends_with(name))
            .unwrap()
            .1
            .clone()
    };
    let (x, y, z) = (key("x"), key("y"), key("z"));
    let path = format!("/api/v1/judge/drafts/{}", task["task"].as_str().unwrap());
    let draft = json!({"version": 2, "groups": [[y]], "unranked": []});
    assert_eq!(people[0].put(&path, &draft).status, 204);
    let older = json!({"version": 1, "groups": [], "unranked": []});
    assert_eq!(people[0].put(&path, &older).problem(), "draft");
    assert_eq!(people[0].tasks()[0]["draft"], draft);
    let body = |groups: Value, unranked: Value| json!({"task": task["task"], "seconds": 60, "groups": groups, "unranked": unranked});
    for (groups, unranked, pointer) in [
        (json!([[x, y]]), json!([]), "/groups"),
        (json!([[x], [y], [x]]), json!([z]), "/groups/2/0"),
        (json!([[x], [y]]), json!(["k9"]), "/unranked/0"),
        (json!([[x, y, z], []]), json!([]), "/groups/1"),
    ] {
        let refused = people[0].answer(1, &body(groups, unranked));
        assert_eq!(refused.json["errors"][0]["pointer"], pointer);
    }
    let saved = people[0].answer(1, &body(json!([[y], [x]]), json!([z])));
    assert_eq!(saved.status, 201, "{:?}", saved.json);
    assert_eq!(people[0].next().json["state"], "done");
    let organiser = house.organiser();
    let rankings = organiser.get("/api/v1/campaigns/c/export/rankings.csv");
    let rankings = String::from_utf8(rankings.bytes).unwrap();
    assert!(
        rankings.starts_with("query,assessor,item,rank\n"),
        "{rankings}"
    );
    assert!(
        rankings.contains(",y,1\n") && rankings.contains(",x,2\n"),
        "{rankings}"
    );
}

#[test]
fn judges_grade_on_two_scales() {
    let house = House::new();
    let mut document = texts("c", 1, &[("q", &["x", "y"])]);
    document["kinds"] = json!(["grading"]);
    document["judging"] = json!({"graders": 1, "fine": {"min": 0, "max": 10, "step": 0.5}});
    let people = house.campaign(&document, 1);
    for (id, task) in people[0].tasks().into_iter().enumerate() {
        assert_eq!(task["scales"]["broad"], json!(["NS", "SS", "VS"]));
        let fine = if task["item"]["text"] == "text x" {
            9.5
        } else {
            2.0
        };
        let body =
            |fine: f64| json!({"task": task["task"], "seconds": 4, "broad": "SS", "fine": fine});
        for off in [9.7, -1.0, 10.5] {
            let refused = people[0].answer(id as u128, &body(off));
            assert_eq!(refused.json["errors"][0]["pointer"], "/fine");
        }
        assert_eq!(people[0].answer(id as u128, &body(fine)).status, 201);
    }
    assert_eq!(people[0].next().json["state"], "done");
    let organiser = house.organiser();
    let grades = organiser.get("/api/v1/campaigns/c/export/grades.csv");
    assert!(
        String::from_utf8(grades.bytes)
            .unwrap()
            .contains(",x,SS,9.5")
    );
    let truth = organiser.get("/api/v1/campaigns/c/export/truth.csv");
    assert_eq!(
        String::from_utf8(truth.bytes).unwrap(),
        "query,item,gain\nq,x,9.5\nq,y,2\n"
    );
}

#[test]
fn gold_looks_like_any_other_question_and_is_no_vote() {
    let house = House::new();
    let mut document = texts(
        "c",
        2,
        &[("q", &["x", "y", "z", "w"]), ("r", &["k", "l", "m"])],
    );
    let pair = json!({"query": "q", "a": "x", "b": "z", "answer": "a"});
    document["gold"] = json!({"share": 0.5, "pairs": [pair]});
    let people = house.campaign(&document, 2);
    let mut shapes = std::collections::BTreeSet::new();
    let mut id = 0;
    for person in &people {
        while let [task, ..] = person.tasks().as_slice() {
            let keys: Vec<&String> = task.as_object().unwrap().keys().collect();
            shapes.insert(format!("{keys:?}"));
            let saved = person.answer(id, &by_text(task));
            let keys: Vec<&String> = saved.json.as_object().unwrap().keys().collect();
            assert_eq!(
                (saved.status, format!("{keys:?}").as_str()),
                (201, "[\"id\", \"task\", \"saved\"]")
            );
            id += 1;
        }
    }
    assert_eq!(shapes.len(), 1, "{shapes:?}");
    let organiser = house.organiser();
    let log = organiser.get("/api/v1/campaigns/c/log").bytes;
    let text = String::from_utf8(log.clone()).unwrap();
    assert!(text.contains("\"event\":\"checked\""));
    let state = organiser.get("/api/v1/campaigns/c/state");
    assert_eq!(state.bytes, replayed(&log));
    assert!(state.json["answers"]["gold"].as_u64().unwrap() >= 2);
}
