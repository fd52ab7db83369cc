//! Checks of rankings read from fuzzed files: ranks are positive and finite, rankings that are
//! written as rows and read again are unchanged, and a list can be built from them.

use std::collections::BTreeMap;

use partita_core::AssessorRankings;
use partita_core::truth::{RankTestOptions, Recipe, UnrankedPolicy};
use partita_formats::Source;
use partita_formats::rankings::{self, RankingsFormat, RankingsReadOptions};
use partita_named::NamedEnum;

use crate::fuzz::checks::{check_error, check_warnings};

/// Rank that an assessor gave to an item, keyed by the names of assessor and item.
type Ranks = BTreeMap<(String, String), Option<f64>>;

/// Reads a fuzzed file as rankings and checks the result. Returns true if the file was accepted.
pub(crate) fn check_rankings(source: &Source, options: &RankingsReadOptions) -> bool {
    let file = match rankings::read(std::slice::from_ref(source), options) {
        Ok(file) => file,
        Err(error) => {
            check_error(&error, source.name());
            return false;
        }
    };
    check_warnings(&file.warnings, source.name());
    assert!(!file.queries.is_empty(), "no query was accepted");
    for query in &file.queries {
        assert_eq!(query.file, source.name());
        let rankings = &query.rankings;
        assert!(!rankings.items().is_empty() && !rankings.assessors().is_empty());
        for rank in rankings.rows().flatten().flatten() {
            assert!(*rank > 0.0 && rank.is_finite(), "a rank of {rank}");
        }
        for note in rankings.notes() {
            assert!(!note.to_string().is_empty());
        }
        if rankings.assessors().len() * rankings.items().len() <= MAX_CHECKED_RANKS {
            check_round_trip(&query.name, rankings);
            check_built_lists(rankings);
        }
    }
    true
}

/// Maximum number of assessors times items for the slow checks.
const MAX_CHECKED_RANKS: usize = 2000;

fn ranks(rankings: &AssessorRankings) -> Ranks {
    let cells = (0..rankings.assessors().len()).flat_map(|assessor| {
        rankings.items().items().map(move |item| {
            let names = (
                rankings.assessor_name(assessor),
                rankings.items().name(item),
            );
            let names = (names.0.to_owned(), names.1.to_owned());
            (names, rankings.rank(assessor, item))
        })
    });
    cells.collect()
}

/// Checks that rankings are unchanged when they are written as rows and read again.
fn check_round_trip(query: &str, rankings: &AssessorRankings) {
    let expected = ranks(rankings);
    // Readers trim names, so only trimmed names without line breaks can be read back.
    let fits = |name: &str| {
        !name.is_empty() && name.trim() == name && !name.contains(['\n', '\r', '\0', '\u{feff}'])
    };
    let names = expected.keys().flat_map(|(a, b)| [a.as_str(), b.as_str()]);
    if !names.chain([query]).all(fits) {
        return;
    }
    let mut writer = csv::WriterBuilder::new()
        .comment(Some(b'#'))
        .from_writer(Vec::new());
    let header = ["query", "assessor", "item", "rank"];
    writer.write_record(header).unwrap();
    for ((assessor, item), rank) in &expected {
        let rank = rank.map(|rank| rank.to_string()).unwrap_or_default();
        writer.write_record([query, assessor, item, &rank]).unwrap();
    }
    let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    let source = Source::from_bytes("written.csv", text.as_bytes());
    let options = RankingsReadOptions {
        as_ranks: true,
        ..RankingsReadOptions::default()
    };
    let back = rankings::read(&[source], &options)
        .unwrap_or_else(|error| panic!("not read back: {error}\n{text}"));
    assert_eq!(back.queries.len(), 1, "{text}");
    assert_eq!(back.queries[0].name, query, "{text}");
    assert_eq!(ranks(&back.queries[0].rankings), expected, "{text}");
}

/// Checks the number of items in the list built with each treatment of unranked items.
fn check_built_lists(rankings: &AssessorRankings) {
    let ranked =
        |item: &_| (0..rankings.assessors().len()).any(|a| rankings.rank(a, *item).is_some());
    let everyone: Vec<usize> = (0..rankings.assessors().len()).collect();
    for unranked in [UnrankedPolicy::LeftOut, UnrankedPolicy::Worst] {
        let reading = RankTestOptions {
            unranked,
            ..RankTestOptions::default()
        };
        let recipe = Recipe {
            reading,
            ..Recipe::default()
        };
        let list = recipe.list(rankings, &everyone);
        let expected = match unranked {
            UnrankedPolicy::LeftOut => rankings.items().items().filter(ranked).count(),
            UnrankedPolicy::Worst => rankings.items().len(),
        };
        assert_eq!(list.len(), expected);
    }
}

/// Returns `None`, which stands for format detection, and then every format.
pub(crate) fn detection_and_formats() -> impl Iterator<Item = Option<RankingsFormat>> {
    super::detection_and_formats(RankingsFormat::VARIANTS.iter().copied())
}
