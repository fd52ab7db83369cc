//! Tests of the search for candidates: filters, fusion of several rankings, and duplicates.

use partita_core::Run;
use partita_core::work::SequentialWork;
use partita_melody::collection::Collection;
use partita_melody::search::candidates::{
    CandidateLists, CandidatesError, CandidatesRequest, QueryCandidates, candidates,
};
use partita_melody::search::{NamedMelody, SearchError, SearchIndex, SearchRequest};

use crate::features::collection_of_incipits;

/// Incipits, one per line. `b` is `a` transposed up a fifth after a rest, `f` is `e` transposed up.
const TUNES: &str = "a\t%G-2@4/4$ 4'CDEF/GFED/1C//\n\
                     b\t%G-2@4/4$xF =1/4'GAB''C/DC'BA/1G//\n\
                     c\t%G-2@4/4$ 4'CDEF/GABA/1G//\n\
                     d\t%G-2@4/4$ 8'C''C'CGC''C'CG/1C//\n\
                     e\t%G-2@4/4$ 4'EDCD/EEED/1D//\n\
                     f\t%G-2@4/4$ 4'AGFG/AAAG/1G//\n";

/// Returns the melody of an item as a query.
fn query_from_item(collection: &Collection, id: &str) -> NamedMelody {
    let item = collection.item_by_id(id).unwrap();
    let melody = collection.melody(&item).unwrap().unwrap();
    NamedMelody {
        name: id.to_owned(),
        melody,
    }
}

/// Searches for the candidates of the query `a` in [`TUNES`].
fn find_candidates(
    request: &CandidatesRequest,
    runs: &[Run],
) -> Result<CandidateLists, CandidatesError> {
    let (_folder, collection) = collection_of_incipits(TUNES);
    let query = query_from_item(&collection, "a");
    candidates(&collection, &[query], runs, request, &SequentialWork)
}

/// Returns the candidates of the query `a`, whose search must succeed.
fn query_candidates(request: &CandidatesRequest, runs: &[Run]) -> QueryCandidates {
    find_candidates(request, runs).unwrap().queries.remove(0)
}

/// Returns the item ids of the candidates, in order.
fn item_ids(list: &QueryCandidates) -> Vec<&str> {
    list.candidates
        .iter()
        .map(|one| one.item.as_str())
        .collect()
}

#[test]
fn filter_steps_report_melodies_before_and_after() {
    let request = CandidatesRequest {
        filters: ["pitch_range=0", "contour=0.3"]
            .map(|near| near.parse().unwrap())
            .to_vec(),
        ..CandidatesRequest::default()
    };
    let list = query_candidates(&request, &[]);
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
fn query_is_first_and_duplicates_do_not_count_towards_the_limit() {
    let request = CandidatesRequest {
        max_candidates: 3,
        ..CandidatesRequest::default()
    };
    let list = query_candidates(&request, &[]);
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
    // `e` and `f` have the same content, so either both are candidates or neither is.
    let are_listed = ["e", "f"].map(|item| item_ids(&list).contains(&item));
    assert_eq!(are_listed[0], are_listed[1]);
}

#[test]
fn reciprocal_ranks_of_all_rankers_are_summed() {
    // Only one system ranks the melodies, so the candidates are in the order of that system.
    let request = CandidatesRequest {
        filters: vec!["notes=0".parse().unwrap(), "pitch_range=0".parse().unwrap()],
        systems: vec!["DP".to_owned()],
        top_per_system: 6,
        max_candidates: 50,
    };
    let list = query_candidates(&request, &[]);
    let (_folder, collection) = collection_of_incipits(TUNES);
    let search = SearchRequest {
        system: "DP".to_owned(),
        top: 6,
        index: false,
        exhaustive: true,
        exclude_query: true,
    };
    let index = SearchIndex::from_collection("DP", &collection).unwrap();
    let results = index
        .search_query(&search, &query_from_item(&collection, "a"), &SequentialWork)
        .unwrap()
        .results;
    let order: Vec<&str> = results.iter().map(|hit| hit.item.as_str()).collect();
    assert_eq!(item_ids(&list)[1..], order);
    // Three runs that rank the last of these items first add 3/61 to its score. It becomes the
    // first candidate after the query.
    let last = *order.last().unwrap();
    let run = |name: &str| Run::from_lists(name, [("a", [last])]);
    let list = query_candidates(&request, &[run("x"), run("y"), run("z")]);
    let position = item_ids(&list)
        .iter()
        .position(|item| *item == last)
        .unwrap();
    assert_eq!(position, 1);
    assert_eq!(
        list.candidates[1].found_by,
        ["DP:all", "run:x", "run:y", "run:z"]
    );
}

#[test]
fn unknown_items_queries_and_systems_are_errors() {
    let request = CandidatesRequest::default();
    let unknown = find_candidates(&request, &[Run::from_lists("r", [("a", ["bb"])])]);
    assert!(
        matches!(unknown, Err(CandidatesError::UnknownItem { item, nearest, .. })
        if item == "bb" && nearest.as_deref() == Some("b"))
    );
    let other = find_candidates(&request, &[Run::from_lists("r", [("q", ["b"])])]);
    assert!(matches!(other, Err(CandidatesError::NoQueryInRun { .. })));
    let system = CandidatesRequest {
        systems: vec!["Aline".to_owned()],
        ..CandidatesRequest::default()
    };
    let none = find_candidates(&system, &[]);
    assert!(matches!(
        none,
        Err(CandidatesError::Search(SearchError::System(_)))
    ));
}
