//! Real data through the program. What is found in it is a matter of the library, whose tests on the
//! same data stand in `crates/partita/tests/data.rs`.

use crate::data::data;
use crate::judge::agree::parsed;
use crate::session::{outcome_on, output_of};

/// The columns of the archive of Urbano et al. (2010).
const TURK: &str = "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,\
                    answer=Answer.radio,equal=s,time=CreationTime,ended=SubmitTime,\
                    seconds=WorkTimeInSeconds,background=Answer.bground,clips=Input.time";

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn the_archive_is_read_by_its_own_columns_on_any_number_of_threads() {
    let file = data("sigir2010-crowdsourcing").join("judgments.csv");
    let file = file.to_str().expect("a path");
    let read = ["-p", file, "--map", TURK, "--format", "json"];
    let batches = parsed(&output_of(&[&["judge", "batches"], &read[..]].concat()));
    assert_eq!(batches["all"]["answers"], 2805);
    let check = [&["truth", "check", "--bootstrap", "40"], &read[..]].concat();
    let again = outcome_on("1", &check);
    assert!(!again.err.contains("the record alone"), "{}", again.err);
    assert_eq!(parsed(&again.out), parsed(&output_of(&check)));
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn a_folder_with_one_file_of_recorded_votes_stands_for_the_file() {
    let folder = data("photo-pairs");
    let of = |oracle: &str| {
        let few = ["--lists", "2", "--items", "6", "--strategies", "sort"];
        output_of(&[&["judge", "simulate", "--oracle", oracle], &few[..]].concat())
    };
    let file = folder.join("Photo.csv");
    assert_eq!(of(&folder.to_string_lossy()), of(&file.to_string_lossy()));
}
