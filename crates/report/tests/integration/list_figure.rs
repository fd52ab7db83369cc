//! Tests of the figure of an audited list.

use crate::svg::{assert_self_contained, words};
use partita_core::evidence::CheckedList;
use partita_core::truth::{
    Alpha, Audit, AuditCounts, AuditedPair, CountsByTails, IntransitiveTriples, ListConsistency,
    PanelBootstrapRequest, RankTestCounts, RankTestDetail, RankTestEvidence, RankTestOptions,
    Recipe, Tails, TruthCheck, TruthCheckRequest, TruthCheckSettings, TruthCheckTotals, check,
};
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, NamedGroups, Preference, Preferences, Vote};
use partita_judging::{DecisionRule, PreferenceCheckRequest, check_preferences};
use partita_report::{Figure, MAX_LIST_ITEMS, preference_list_figure, ranking_list_figure};
use proptest::prelude::*;

/// Audit of a list by rankings, built by hand for a test. Items are given by index.
pub(crate) struct TestAudit {
    rankings: AssessorRankings,
    list: CheckedList<RankTestDetail>,
}

impl TestAudit {
    /// Creates an audit without inconsistent pairs, from items with their ranks and the end of each
    /// group as an index of an item.
    pub(crate) fn new(query: &str, items: &[(&str, Vec<f64>)], ends: &[usize]) -> Self {
        let ranks = items.iter().map(|(_, ranks)| ranks.len()).max();
        let people: Vec<String> = (0..=ranks.unwrap_or(0))
            .map(|who| who.to_string())
            .collect();
        let entries = items.iter().flat_map(|(item, ranks)| {
            // The first assessor ranks no item, so that items without ranks are known too.
            let known = std::iter::once((people[0].as_str(), *item, None));
            let ranks = people[1..].iter().zip(ranks);
            known.chain(ranks.map(move |(who, rank)| (who.as_str(), *item, Some(*rank))))
        });
        let mut start = 0;
        let groups = ends.iter().map(|&end| {
            let group = &items[std::mem::replace(&mut start, end)..end];
            group.iter().map(|(name, _)| (*name).to_owned()).collect()
        });
        let groups: NamedGroups = groups.collect();
        let pairs = |items: usize| items * items.saturating_sub(1) / 2;
        let same_group_pairs = groups.iter().map(|group| pairs(group.len())).sum();
        let different_group_pairs = pairs(items.len()) - same_group_pairs;
        let counts = AuditCounts {
            same_group_compared: same_group_pairs,
            different_group_compared: different_group_pairs,
            ..AuditCounts::default()
        };
        Self {
            rankings: AssessorRankings::new(entries).expect("possible ranks"),
            list: CheckedList {
                query: query.to_owned(),
                list: groups,
                audit: Audit {
                    same_group_pairs,
                    different_group_pairs,
                    ..Audit::default()
                },
                counts: RankTestCounts {
                    summary: CountsByTails {
                        one_tailed: counts,
                        two_tailed: counts,
                    },
                    ..RankTestCounts::default()
                },
                ..CheckedList::default()
            },
        }
    }

    /// Sets the inconsistent pairs: those in the same group (`intra`) and in different groups
    /// (`inter`).
    pub(crate) fn with_pairs(mut self, intra: &[(usize, usize)], inter: &[(usize, usize)]) -> Self {
        let names: Vec<String> = self.list.list.concat();
        let pair = |&(a, b): &(usize, usize)| AuditedPair {
            a: names[a].clone(),
            b: names[b].clone(),
            p: Some(0.5),
            p_less: None,
            p_greater: None,
            evidence: RankTestEvidence::default(),
        };
        self.list.audit.intra = intra.iter().map(pair).collect();
        self.list.audit.inter = inter.iter().map(pair).collect();
        self
    }

    pub(crate) fn with_consistency(mut self, adr1: f64, adr2: f64) -> Self {
        let (adr1, adr2) = (Some(adr1), Some(adr2));
        self.list.measures.consistency = ListConsistency { adr1, adr2 };
        self
    }

    pub(crate) fn figure(&self) -> Figure {
        let settings = TruthCheckSettings {
            alpha: Alpha::TYPKE,
            tails: 1,
            reading: RankTestOptions::default(),
            truth: None,
            aggregate: None,
            build_alpha: None,
        };
        let check = TruthCheck {
            settings,
            lists: Vec::new(),
            totals: TruthCheckTotals {
                mean: ListConsistency::default(),
                summary: CountsByTails::default(),
            },
            trust: None,
            notes: Vec::new(),
        };
        ranking_list_figure(&self.rankings, &self.list, &check)
    }
}

/// Returns the audit of the list ⟨(A, B), (C), (D, E, F)⟩ with two inconsistent pairs: A and C do
/// not differ, although in different groups; D and F differ, although in the same group.
fn example() -> TestAudit {
    let names = ["A", "B", "C", "D", "E", "F"];
    let items = (1..).zip(names).map(|(place, name)| {
        let place = f64::from(place);
        (name, vec![place, place + 1.0, place, place + 0.5])
    });
    TestAudit::new("the paper", &items.collect::<Vec<_>>(), &[2, 3, 6])
        .with_pairs(&[(3, 5)], &[(0, 2)])
        .with_consistency(0.86, 0.8625)
}

/// Returns the audit of a list of `items` items in groups of `group_size`.
fn list(items: usize, group_size: usize) -> TestAudit {
    let names: Vec<String> = (0..items).map(|place| format!("item {place}")).collect();
    let items_with_ranks: Vec<_> = names.iter().map(|n| (n.as_str(), vec![1.0, 2.0])).collect();
    let ends: Vec<usize> = (1..=items)
        .filter(|end| end % group_size == 0 || *end == items)
        .collect();
    TestAudit::new("q", &items_with_ranks, &ends)
}

fn one(name: &str, ranks: &[f64]) -> TestAudit {
    TestAudit::new("q", &[(name, ranks.to_vec())], &[1])
}

fn every_pair(items: usize) -> Vec<(usize, usize)> {
    (0..items)
        .flat_map(|later| (0..later).map(move |earlier| (earlier, later)))
        .collect()
}

fn element_count(svg: &str, name: &str) -> usize {
    svg.matches(&format!("<{name} ")).count()
}

#[test]
fn the_figure_states_the_consistency_and_the_inconsistent_pairs() {
    let figure = example().figure();
    let words = words(&figure).join(" ");
    for expected in [
        "Audit of the list for the paper",
        "6 items in 3 groups; ADR-1 consistency 0.860, ADR-2 consistency 0.863; 1-tailed \
         Mann-Whitney U tests, alpha 0.25",
        "1 of 4 pairs in the same group differ (arcs at the left)",
        "1 of 11 pairs in different groups do not differ (arcs at the right)",
    ] {
        assert!(words.contains(expected), "{expected} in {words}");
    }
    assert!(figure.description.contains("(A, B), (C), (D, E, F)"));
}

#[test]
fn each_inconsistent_pair_is_an_arc_with_a_tooltip() {
    let svg = example().figure().to_svg();
    assert_eq!(element_count(&svg, "path"), 2);
    assert!(svg.contains("<title>4. D and 6. F: in the same group, but they differ</title>"));
    let inter = "<title>1. A and 3. C: in different groups, but they do not differ</title>";
    assert!(svg.contains(inter));
    // Only the arc of the pair in different groups and its sample in the legend are dashed.
    assert_eq!(svg.matches("stroke-dasharray").count(), 2);
}

#[test]
fn each_group_number_is_drawn_once() {
    let svg = example().figure().to_svg();
    let numbers = |number: &str| svg.matches(&format!("bold\">{number}</text>")).count();
    assert_eq!(["1", "2", "3", "4"].map(numbers), [1, 1, 1, 0]);
}

#[test]
fn untestable_pairs_have_no_arc_and_are_counted_separately() {
    let mut made = example();
    made.list.audit.inter.clear();
    made.list.counts.untestable_pairs = 1;
    made.list.counts.summary.one_tailed.different_group_compared -= 1;
    let figure = made.figure();
    assert_eq!(element_count(&figure.to_svg(), "path"), 1);
    let words = words(&figure).join(" ");
    assert!(words.contains("0 of 10 pairs in different groups do not differ"));
    assert!(words.contains("1 pair cannot be tested"), "{words}");
}

#[test]
fn intervals_of_groups_are_drawn_if_assessors_were_resampled() {
    let entries = (0..9).flat_map(|who: u32| {
        let rank = move |item: u32| f64::from((item + who * item % 3) % 4 + 1);
        (0..4).map(move |item| (who.to_string(), item.to_string(), Some(rank(item))))
    });
    let entries: Vec<(String, String, Option<f64>)> = entries.collect();
    let entries = entries
        .iter()
        .map(|(who, item, rank)| (who.as_str(), item.as_str(), *rank));
    let rankings = AssessorRankings::new(entries).expect("possible ranks");
    let mut request = TruthCheckRequest {
        queries: &[("q", &rankings)],
        truth: None,
        recipe: Recipe::default(),
        alpha: Alpha::TYPKE,
        tails: Tails::One,
        max_triples: IntransitiveTriples::MAX_LISTED,
        bootstrap: None,
    };
    let draw = |request: &TruthCheckRequest| {
        let found = check(request, &SequentialWork).expect("a list of what was ranked");
        ranking_list_figure(&rankings, &found.lists[0], &found)
    };
    let axis = "place, 90%".to_owned();
    assert!(!words(&draw(&request)).contains(&axis));
    request.bootstrap = Some(PanelBootstrapRequest {
        replicates: 20,
        seed: 1,
        confidence: 0.9,
        shared_assessors: false,
        systems: &[],
    });
    let figure = draw(&request);
    assert!(words(&figure).contains(&axis));
    assert_eq!(
        figure.to_svg().matches("and by other people from").count(),
        4
    );
}

/// Draws the list of these items built from the preferences of three assessors, who are resampled
/// for intervals (bootstrap).
pub(crate) fn preference_list_with_intervals(names: &[String]) -> Figure {
    let mut preferences = Preferences::new();
    for (later, b) in names.iter().enumerate() {
        for (earlier, a) in names[..later].iter().enumerate() {
            for (number, who) in ["ann", "bob", "cem"].into_iter().enumerate() {
                let answer = match (earlier * 3 + later + number) % 5 {
                    0 => Preference::Equal,
                    1 => Preference::B,
                    _ => Preference::A,
                };
                let preference = Vote::new(a, b, who, answer);
                preferences.add("q", preference).expect("an answer");
            }
        }
    }
    let request = PreferenceCheckRequest {
        preferences: &preferences,
        truth: None,
        rule: DecisionRule::Majority,
        seed: 1,
        triples: IntransitiveTriples::MAX_LISTED,
        bootstrap: Some((5, 0.9)),
    };
    let found = check_preferences(&request, &SequentialWork).expect("a list of answers");
    preference_list_figure(&preferences.queries()[0], &found.lists[0], &found)
}

#[test]
fn a_list_by_preferences_shows_the_votes_for_each_item() {
    let mut preferences = Preferences::new();
    let answers = [
        ("x", "y", "ann", Preference::A),
        ("y", "x", "bob", Preference::B),
        ("x", "y", "cem", Preference::Equal),
    ];
    for (a, b, who, answer) in answers {
        let given = Vote::new(a, b, who, answer);
        preferences.add("q", given).expect("an answer");
    }
    let request = PreferenceCheckRequest {
        preferences: &preferences,
        truth: None,
        rule: DecisionRule::Majority,
        seed: 1,
        triples: IntransitiveTriples::MAX_LISTED,
        bootstrap: None,
    };
    let found = check_preferences(&request, &SequentialWork).expect("a list of answers");
    let figure = preference_list_figure(&preferences.queries()[0], &found.lists[0], &found);
    assert_self_contained(&figure);
    let svg = figure.to_svg();
    assert!(
        svg.contains("1. x: preferred 2, equal 1, the other preferred 0"),
        "{svg}"
    );
    assert!(svg.contains("2. y: preferred 0, equal 1, the other preferred 2"));
}

#[test]
fn the_tooltip_of_a_row_has_the_summary_statistics_of_its_ranks() {
    let ranks = [3.0, 6.0, 7.0, 8.0, 8.0, 10.0, 13.0, 15.0, 16.0, 20.0];
    let svg = one("A", &ranks).figure().to_svg();
    let title = "1. A: n = 10, median 9, quartiles 7.25 and 14.5, mean 10.6, from 3 to 20";
    assert!(svg.contains(title), "{svg}");
}

#[test]
fn an_item_without_ranks_is_shown_as_not_ranked() {
    let items = [("A", vec![1.0]), ("B", vec![])];
    let words = words(&TestAudit::new("q", &items, &[2]).figure());
    assert!(words.iter().any(|w| w == "not ranked") && words.iter().any(|w| w == "0"));
}

#[test]
fn arcs_are_drawn_lighter_only_if_there_are_many() {
    let few = list(40, 40).with_pairs(&[(0, 1), (2, 5)], &[]);
    let few = few.figure().to_svg();
    let all = list(40, 40).with_pairs(&every_pair(40), &[]);
    let all = all.figure().to_svg();
    assert!(few.contains("stroke-opacity=\"0.9\""));
    assert!(!all.contains("stroke-opacity=\"0.9\"") && all.contains("stroke-opacity=\"0.1"));
    assert!(!few.contains("Arcs are lighter") && all.contains("Arcs are lighter"));
}

#[test]
fn only_the_first_items_of_a_long_list_are_drawn_and_a_note_says_so() {
    let figure = (list(250, 7).with_pairs(&[(0, 1), (242, 243)], &[(0, 249)])).figure();
    let words = words(&figure);
    let items = words.iter().filter(|word| word.starts_with("item "));
    assert_eq!(items.count(), MAX_LIST_ITEMS);
    let note =
        "The first 100 of 250 items, and the pairs among them; the last group shown goes on.";
    assert!(words.iter().any(|w| w == note), "{words:?}");
    assert_eq!(element_count(&figure.to_svg(), "path"), 1);
    assert!(
        words.iter().any(|w| w.starts_with("2 of ")),
        "the counts are of all"
    );
}

#[test]
fn long_names_are_shortened_and_given_in_full_below() {
    let name = "a melody with a name that is much too long for the column of names";
    let figure = one(name, &[1.0]).figure();
    assert!(words(&figure).iter().any(|word| word.contains('…')));
    assert!(figure.to_svg().contains(&format!("<title>{name}</title>")));
    assert!(words(&figure).join(" ").contains(&format!("= {name}")));
}

#[test]
fn the_largest_figures_stay_under_a_megabyte() {
    let long = "x".repeat(200);
    let names: Vec<String> = (0..300).map(|i| format!("{long}{i}")).collect();
    let items: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), vec![1.0]))
        .collect();
    let list = TestAudit::new("q", &items, &[300]).with_pairs(&every_pair(300), &[]);
    let size = list.figure().to_svg().len();
    assert!(size < 1_000_000, "{size}");
}

#[test]
fn the_same_data_give_the_same_bytes() {
    let draw = || example().figure().to_svg();
    assert_eq!(draw(), draw());
}

#[test]
fn an_empty_list_and_a_huge_rank_give_valid_figures() {
    let mut empty = one("A", &[1.0]);
    empty.list.list = Vec::new();
    assert_eq!(words(&empty.figure()), ["The list has no items."]);
    assert_self_contained(&one("A", &[1.0, 1e300]).figure());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_svg_is_well_formed_and_self_contained_for_any_names(
        query in any::<String>(),
        names in proptest::collection::hash_set(any::<String>(), 1..12),
        ranks in proptest::collection::vec(1e-3..1e12_f64, 0..9),
        group in 1_usize..5,
    ) {
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort();
        let count = names.len();
        let items: Vec<_> = names.iter().map(|name| (name.as_str(), ranks.clone())).collect();
        let ends: Vec<usize> =
            (1..=count).filter(|end| end % group == 0 || *end == count).collect();
        let (intra, inter): (Vec<_>, Vec<_>) = every_pair(count)
            .into_iter()
            .partition(|(earlier, later)| earlier / group == later / group);
        let list = TestAudit::new(&query, &items, &ends).with_pairs(&intra, &inter);
        assert_self_contained(&list.figure());
    }
}
