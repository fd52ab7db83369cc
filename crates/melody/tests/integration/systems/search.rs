//! Tests of searches: order of results, ties, threads, indexes and short melodies.

use std::sync::atomic::{AtomicUsize, Ordering};

use partita_core::work::{SequentialWork, Work};
use partita_melody::search::{NamedMelody, SearchIndex, SearchRequest};
use partita_melody::systems;
use partita_melody::systems::{DocumentScore, REGISTRY, SearchOptions};
use proptest::prelude::*;

use super::{NoteList, any_melody, melody};

/// Work that runs its pieces in descending order on three threads.
struct ReverseWork;

impl Work for ReverseWork {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= pieces {
                            break;
                        }
                        piece(pieces - 1 - number);
                    }
                });
            }
        });
    }
}

/// Searches documents for a query with the system that `text` describes.
fn search(
    text: &str,
    query: &NoteList,
    documents: &[NoteList],
    wanted: SearchOptions,
    work: &dyn Work,
) -> Vec<DocumentScore> {
    let system = systems::parse(text).expect("the system is valid");
    let collection = system.prepare(&mut documents.iter().map(melody));
    let found = collection.search(&melody(query), wanted, work);
    found
        .expect("the search is not cancelled")
        .expect("the query is long enough")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn top_results_are_the_first_of_all_results(
        query in any_melody(7..16),
        documents in prop::collection::vec(any_melody(1..16), 1..90),
        top in 1usize..20,
    ) {
        for definition in REGISTRY.iter().filter(|definition| definition.name != "ShapeTime") {
            let all = search(definition.name, &query, &documents, SearchOptions::ALL, &SequentialWork);
            let wanted = SearchOptions { top, exhaustive: true };
            for work in [&SequentialWork as &dyn Work, &ReverseWork] {
                let found = search(definition.name, &query, &documents, wanted, work);
                prop_assert_eq!(&found[..], &all[..top.min(all.len())], "{}", definition.name);
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    // More documents than one thread scores at a time, with many equal scores.
    let document = |number: usize| -> NoteList {
        (0..8)
            .map(|at| (60 + ((number * 7 + at * at) % 11) as u8, 0, 12))
            .collect()
    };
    let documents: Vec<NoteList> = (0..3000).map(document).collect();
    for text in ["ShapeH", "US", "DP", "ShapeTime"] {
        for top in [0, 1, 50] {
            let wanted = SearchOptions {
                top,
                exhaustive: true,
            };
            let one = search(text, &documents[5], &documents, wanted, &SequentialWork);
            assert_eq!(
                one,
                search(text, &documents[5], &documents, wanted, &ReverseWork),
                "{text}"
            );
        }
    }
}

/// Returns one of many random melodies of 8 to 16 notes. Every thousandth begins with the same notes.
fn random_line(number: usize) -> NoteList {
    let mut state = number as u64 * 2654435761 + 1;
    let mut pitch = 60i32;
    let notes = 8 + number % 9;
    (0..notes)
        .map(|at| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let near = number.is_multiple_of(1000) && at < 7;
            let step = if near {
                [2, 2, 1, 2, -2, -3, 5][at]
            } else {
                (state >> 40) as i32 % 11 - 5
            };
            pitch = if (40..90).contains(&(pitch + step)) {
                pitch + step
            } else {
                pitch - step
            };
            (pitch as u8, 0, 12)
        })
        .collect()
}

#[test]
fn index_finds_the_best_documents_with_their_exact_scores() {
    // There are enough documents for the index to be used. Every thousandth is similar to the
    // query.
    let documents: Vec<NoteList> = (0..20_500).map(random_line).collect();
    let system = systems::parse("ShapeH").unwrap();
    let collection = system.prepare(&mut documents.iter().map(melody));
    let query = melody(&random_line(1000));
    let search = |exhaustive| {
        let wanted = SearchOptions {
            top: 10,
            exhaustive,
        };
        collection
            .search(&query, wanted, &SequentialWork)
            .unwrap()
            .unwrap()
    };
    assert_eq!(search(false), search(true));
    for hit in search(false) {
        assert_eq!(collection.score(&query, hit.document), Some(hit.score));
    }
}

#[test]
fn music_a3_the_results_of_a_query_do_not_depend_on_the_queries_beside_it() {
    let named = |name: String, notes: &NoteList| NamedMelody {
        name,
        melody: melody(notes),
    };
    let mut documents: Vec<NamedMelody> = (0..20_000)
        .map(|number| named(format!("m{number:05}"), &random_line(number)))
        .collect();
    // A melody that contains the first query after six other notes, where the index does not look.
    let query = random_line(1003);
    let mut late: NoteList = [71, 57, 70, 56, 72, 55]
        .map(|pitch| (pitch, 0, 12))
        .to_vec();
    late.extend(&query);
    documents.push(named("z".to_owned(), &late));
    let index = SearchIndex::from_melodies("ShapeH", documents.into_iter()).unwrap();
    let queries: Vec<NamedMelody> = (0..12)
        .map(|number| named(format!("query {number}"), &random_line(1003 + 17 * number)))
        .collect();
    let request = SearchRequest {
        top: 15,
        ..SearchRequest::default()
    };
    let search = |request: &SearchRequest, queries: &[NamedMelody]| {
        index.search(request, queries, &SequentialWork).unwrap()
    };
    let together = search(&request, &queries);
    assert!(together.exhaustive);
    let items = together.searches[0]
        .results
        .iter()
        .map(|hit| hit.item.as_str());
    assert!(
        items.into_iter().any(|item| item == "z"),
        "{:?}",
        together.searches[0]
    );
    for (query, found) in queries.iter().zip(&together.searches) {
        assert_eq!(
            search(&request, std::slice::from_ref(query)).searches[0],
            *found
        );
    }
    // With the index, too, one query is answered as it is beside others.
    let indexed = SearchRequest {
        index: true,
        ..request.clone()
    };
    let together = search(&indexed, &queries);
    assert!(!together.exhaustive);
    let alone = search(&indexed, &queries[..1]);
    assert_eq!(
        (alone.exhaustive, &alone.searches[0]),
        (false, &together.searches[0])
    );
    let both = SearchRequest {
        exhaustive: true,
        ..indexed
    };
    assert!(search(&both, &queries).exhaustive);
}

#[test]
fn ties_are_broken_by_difference_in_length_then_by_index() {
    let steps =
        |pitches: &[u8]| -> NoteList { pitches.iter().map(|&pitch| (pitch, 0, 12)).collect() };
    // No document contains an n-gram of the query, so the system US gives all of them the score 0.
    let documents = [
        steps(&[60, 61, 60, 61, 60, 61, 60, 61]),
        steps(&[60, 61, 60, 61, 60, 61]),
        steps(&[50, 51, 50, 51, 50, 51]),
        steps(&[60, 61, 60, 61, 60, 61, 60]),
    ];
    let query = steps(&[60, 62, 64, 65, 67, 69]);
    let found = search(
        "US",
        &query,
        &documents,
        SearchOptions::ALL,
        &SequentialWork,
    );
    let order: Vec<usize> = found.iter().map(|hit| hit.document).collect();
    assert_eq!(order, [1, 2, 3, 0]);
    assert!(found.iter().all(|hit| hit.score == 0.0));
}

#[test]
fn shape_h_breaks_ties_by_exact_intervals_then_by_length() {
    let steps =
        |pitches: &[u8]| -> NoteList { pitches.iter().map(|&pitch| (pitch, 0, 12)).collect() };
    // All n-grams of the collection are equal, so a match adds 1 - 1 = 0 and a gap costs 0. ShapeH
    // therefore gives all documents the score 0, and the tie rule decides.
    let documents = [
        steps(&[60, 62, 64]),
        steps(&[60, 62, 64, 66, 68]),
        steps(&[60, 62, 64, 66]),
    ];
    let query = steps(&[50, 52, 54, 56]);
    let found = search(
        "ShapeH",
        &query,
        &documents,
        SearchOptions::ALL,
        &SequentialWork,
    );
    assert!(found.iter().all(|hit| hit.score == 0.0));
    // By exact intervals the documents score 1/1, 2/2 and 2/2, which is equal. They differ in length
    // from the query by 1, 1 and 0 notes.
    let order: Vec<usize> = found.iter().map(|hit| hit.document).collect();
    assert_eq!(order, [2, 0, 1]);
}

#[test]
fn too_short_melodies_are_counted_and_not_returned() {
    let one: NoteList = vec![(60, 0, 12)];
    let long: NoteList = (60..70).map(|pitch| (pitch, 0, 12)).collect();
    for definition in REGISTRY {
        let system = systems::parse(definition.name).unwrap();
        let collection = system.prepare(&mut [melody(&one), melody(&long)].into_iter());
        let found = collection
            .search(&melody(&long), SearchOptions::ALL, &SequentialWork)
            .unwrap()
            .unwrap();
        assert_eq!(
            found.len() + collection.too_short_count(),
            2,
            "{}",
            definition.name
        );
        assert_eq!(found[0].document, 1, "{}", definition.name);
        let short = collection
            .search(&melody(&one), SearchOptions::ALL, &SequentialWork)
            .unwrap();
        assert_eq!(
            short.is_none(),
            collection.too_short_count() == 1,
            "{}",
            definition.name
        );
    }
}
