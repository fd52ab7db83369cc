//! Tests of `partita judge` on real data. The results themselves are tested in
//! `crates/partita/tests/data.rs`.

use crate::data::data;
use crate::judge::agree::parse_json;
use crate::session::{outcome_on, output_of};

/// Column map for the published answers of Urbano et al. (2010).
const COLUMN_MAP: &str = "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,\
                    answer=Answer.radio,equal=s,time=CreationTime,ended=SubmitTime,\
                    seconds=WorkTimeInSeconds,background=Answer.bground,clips=Input.time";

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn the_published_answers_give_the_same_result_for_any_thread_count() {
    let file = data("sigir2010-crowdsourcing").join("judgments.csv");
    let file = file.to_str().expect("a path");
    let read = ["-p", file, "--map", COLUMN_MAP, "--format", "json"];
    let batches = parse_json(&output_of(&[&["judge", "batches"], &read[..]].concat()));
    assert_eq!(batches["all"]["answers"], 2805);
    let check = [&["truth", "check", "--bootstrap", "40"], &read[..]].concat();
    let again = outcome_on("1", &check);
    assert!(!again.err.contains("the record alone"), "{}", again.err);
    assert_eq!(parse_json(&again.out), parse_json(&output_of(&check)));
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn a_folder_with_one_votes_file_is_read_like_the_file() {
    let folder = data("photo-pairs");
    let of = |oracle: &str| {
        let few = ["--lists", "2", "--items", "6", "--strategies", "sort"];
        output_of(&[&["judge", "simulate", "--oracle", oracle], &few[..]].concat())
    };
    let file = folder.join("Photo.csv");
    assert_eq!(of(&folder.to_string_lossy()), of(&file.to_string_lossy()));
}
