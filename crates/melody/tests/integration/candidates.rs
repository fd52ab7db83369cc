//! Candidates: narrowed down, found by several, one for each content.

use partita_core::Run;
use partita_core::work::SequentialWork;
use partita_melody::collection::Collection;
use partita_melody::search::candidates::{
    CandidateLists, CandidatesError, CandidatesRequest, QueryCandidates, candidates,
};
use partita_melody::search::{NamedMelody, SearchError, SearchIndex, SearchRequest};

use crate::features::collection;

/// `b` is `a` a fifth higher after a rest, `f` is `e` transposed.
const TUNES: &str = "a\t%G-2@4/4$ 4'CDEF/GFED/1C//\n\
                     b\t%G-2@4/4$xF =1/4'GAB''C/DC'BA/1G//\n\
                     c\t%G-2@4/4$ 4'CDEF/GABA/1G//\n\
                     d\t%G-2@4/4$ 8'C''C'CGC''C'CG/1C//\n\
                     e\t%G-2@4/4$ 4'EDCD/EEED/1D//\n\
                     f\t%G-2@4/4$ 4'AGFG/AAAG/1G//\n";

fn named(collection: &Collection, id: &str) -> NamedMelody {
    let item = collection.item_by_id(id).unwrap();
    let melody = collection.melody(&item).unwrap().unwrap();
    NamedMelody {
        name: id.to_owned(),
        melody,
    }
}

fn found(request: &CandidatesRequest, runs: &[Run]) -> Result<CandidateLists, CandidatesError> {
    let (_folder, collection) = collection(TUNES);
    let query = named(&collection, "a");
    candidates(&collection, &[query], runs, request, &SequentialWork)
}

fn one(request: &CandidatesRequest, runs: &[Run]) -> QueryCandidates {
    found(request, runs).unwrap().queries.remove(0)
}

fn items(list: &QueryCandidates) -> Vec<&str> {
    list.candidates
        .iter()
        .map(|one| one.item.as_str())
        .collect()
}

#[test]
fn each_step_says_what_is_left() {
    let request = CandidatesRequest {
        filters: ["pitch_range=0", "contour=0.3"]
            .map(|near| near.parse().unwrap())
            .to_vec(),
        ..CandidatesRequest::default()
    };
    let list = one(&request, &[]);
    let steps: Vec<(&str, usize, usize)> = list
        .steps
        .iter()
        .map(|step| (step.step.as_str(), step.from, step.to))
        .collect();
    assert_eq!(steps, [("pitch_range=0", 6, 2), ("contour=0.3", 2, 2)]);
    let near = list
        .candidates
        .iter()
        .filter(|one| one.found_by.contains(&"Align:near".to_owned()));
    assert_eq!(near.count(), 1);
}

#[test]
fn the_query_is_first_and_the_same_melody_does_not_count() {
    let request = CandidatesRequest {
        max_candidates: 3,
        ..CandidatesRequest::default()
    };
    let list = one(&request, &[]);
    let first = &list.candidates[0];
    assert_eq!(
        (first.item.as_str(), first.prior, first.found_by.as_slice()),
        ("a", 1, &["query".to_owned()][..])
    );
    let priors: Vec<usize> = list.candidates.iter().map(|one| one.prior).collect();
    assert_eq!(priors, (1..=list.candidates.len()).collect::<Vec<usize>>());
    let b = list.candidates.iter().find(|one| one.item == "b").unwrap();
    assert_eq!(
        (b.same_as.as_deref(), b.content),
        (Some("a"), first.content)
    );
    let different = list.candidates.iter().filter(|one| one.same_as.is_none());
    assert_eq!(different.count(), 3);
    // What is the same as a candidate stays with it.
    let twins = ["e", "f"].map(|item| items(&list).contains(&item));
    assert_eq!(twins[0], twins[1]);
}

#[test]
fn lanes_add_up_as_reciprocal_ranks() {
    // One system, only the whole collection: its own order.
    let request = CandidatesRequest {
        filters: vec!["notes=0".parse().unwrap(), "pitch_range=0".parse().unwrap()],
        systems: vec!["DP".to_owned()],
        top_per_system: 6,
        max_candidates: 50,
    };
    let list = one(&request, &[]);
    let (_folder, collection) = collection(TUNES);
    let search = SearchRequest {
        system: "DP".to_owned(),
        top: 6,
        exhaustive: true,
        exclude_query: true,
    };
    let ready = SearchIndex::from_collection("DP", &collection).unwrap();
    let results = ready
        .search_query(&search, &named(&collection, "a"), &SequentialWork)
        .unwrap()
        .results;
    let order: Vec<&str> = results.iter().map(|hit| hit.item.as_str()).collect();
    assert_eq!(items(&list)[1..], order);
    // Three runs that put the last of these first move it up: it has 3/61 more.
    let last = *order.last().unwrap();
    let run = |name: &str| Run::from_lists(name, [("a", [last])]);
    let list = one(&request, &[run("x"), run("y"), run("z")]);
    let place = items(&list).iter().position(|item| *item == last).unwrap();
    assert_eq!(place, 1);
    assert_eq!(
        list.candidates[1].found_by,
        ["DP:all", "run:x", "run:y", "run:z"]
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let request = CandidatesRequest::default();
    let unknown = found(&request, &[Run::from_lists("r", [("a", ["bb"])])]);
    assert!(
        matches!(unknown, Err(CandidatesError::UnknownItem { item, nearest, .. })
        if item == "bb" && nearest.as_deref() == Some("b"))
    );
    let other = found(&request, &[Run::from_lists("r", [("q", ["b"])])]);
    assert!(matches!(other, Err(CandidatesError::NoQueryInRun { .. })));
    let system = CandidatesRequest {
        systems: vec!["Aline".to_owned()],
        ..CandidatesRequest::default()
    };
    let none = found(&system, &[]);
    assert!(matches!(
        none,
        Err(CandidatesError::Search(SearchError::System(_)))
    ));
}
