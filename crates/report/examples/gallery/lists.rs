//! Gallery figures of lists built from synthetic rankings, and box plots of many such lists.

use partita_core::truth::{
    Aggregation, AggregationStudyOptions, Alpha, IntransitiveTriples, PanelBootstrapRequest,
    Recipe, Tails, TruthCheckRequest, check, study_aggregations,
};
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, AssessorRankingsError};
use partita_report::{BoxPlots, Figure, box_plot_figure, ranking_list_figure};

use super::Stream;

/// Returns synthetic rankings of `items` items by `people` assessors. A larger `noise` makes the
/// rankings agree less. Assessors leave items unranked at random, later items more often. `name`
/// maps the generated id of an item to its name.
fn synthetic_rankings(
    items: usize,
    people: usize,
    noise: f64,
    seed: u64,
    name: &dyn Fn(String) -> String,
) -> Result<AssessorRankings, AssessorRankingsError> {
    let mut stream = Stream(seed);
    let names: Vec<String> = (0..items).map(|item| name(incipit(item, seed))).collect();
    let who: Vec<String> = (0..people).map(|person| person.to_string()).collect();
    let mut entries = Vec::new();
    for person in &who {
        let mut order: Vec<(f64, usize)> = (0..items)
            .map(|item| {
                let deviation: f64 = (0..4).map(|_| stream.next() - 0.5).sum();
                // Integer division gives some consecutive items the same quality.
                (((item * 2 / 3) as f64) + noise * deviation, item)
            })
            .collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut rank = 0.0;
        for (_, item) in order {
            if stream.next() > 0.6 * item as f64 / items as f64 {
                rank += 1.0;
                entries.push((person.as_str(), names[item].as_str(), Some(rank)));
            }
        }
    }
    AssessorRankings::new(entries)
}

fn incipit(item: usize, seed: u64) -> String {
    let number = (item as u64 * 7919 + seed * 104_729) % 1_000_000;
    format!(
        "{}.{:03}.{:03}-1.1.1",
        [190, 450, 600, 700][item % 4],
        number / 1000,
        number % 1000
    )
}

type BoxedError = Box<dyn std::error::Error>;

/// Draws the list that an aggregation function builds from rankings, audited by one-tailed tests.
fn figure(
    query: &str,
    rankings: &AssessorRankings,
    aggregation: Aggregation,
) -> Result<Figure, BoxedError> {
    figure_with_intervals(query, rankings, aggregation, None)
}

/// Draws the audited list like [`figure`], with bootstrap intervals of the items' groups if
/// `bootstrap` is given.
fn figure_with_intervals(
    query: &str,
    rankings: &AssessorRankings,
    aggregation: Aggregation,
    bootstrap: Option<PanelBootstrapRequest>,
) -> Result<Figure, BoxedError> {
    let recipe = Recipe {
        aggregation,
        ..Recipe::default()
    };
    let found = check(
        &TruthCheckRequest {
            queries: &[(query, rankings)],
            truth: None,
            recipe,
            alpha: Alpha::TYPKE,
            tails: Tails::One,
            max_triples: IntransitiveTriples::MAX_LISTED,
            bootstrap,
        },
        &SequentialWork,
    )?;
    Ok(ranking_list_figure(rankings, &found.lists[0], &found))
}

pub(super) fn list_figures() -> Result<Vec<(&'static str, Figure)>, BoxedError> {
    let query = "190.011.224-1.1.1";
    let plain = |name: String| name;
    let long = |name: String| format!("{name}: a melody with a long name <&> 旋律の類似度");
    let (all_2, any_1) = (Aggregation::All2, Aggregation::Any1);
    let odd = [
        ("p", "not ranked", None),
        ("p", "once", Some(2.0)),
        ("p", "equal", Some(3.0)),
        ("q", "equal", Some(3.0)),
        ("p", "half", Some(0.5)),
        ("q", "half", Some(1.5)),
        ("r", "half", Some(4.0)),
    ];
    let odd = AssessorRankings::new(odd)?;
    let one = AssessorRankings::new([("p", "A", Some(1.0)), ("q", "A", Some(1.0))])?;
    let sizes = [
        ("list-3", 3, 35, 3.0, all_2),
        ("list-12", 12, 35, 5.0, all_2),
        ("list-24", 24, 35, 9.0, all_2),
        ("list-40", 40, 35, 12.0, any_1),
        ("list-60", 60, 35, 22.0, all_2),
        ("list-60-any", 60, 20, 22.0, any_1),
        ("list-130", 130, 20, 40.0, all_2),
    ];
    let mut figures = vec![
        ("list-odd-items", figure("odd items", &odd, any_1)?),
        ("list-one-item", figure("q", &one, all_2)?),
    ];
    for (seed, (name, items, people, noise, aggregation)) in (1..).zip(sizes) {
        let rankings = synthetic_rankings(items, people, noise, seed, &plain)?;
        figures.push((name, figure(query, &rankings, aggregation)?));
    }
    let rankings = synthetic_rankings(16, 12, 5.0, 9, &plain)?;
    let trust = PanelBootstrapRequest {
        replicates: 100,
        seed: 1,
        confidence: 0.95,
        shared_assessors: false,
        systems: &[],
    };
    let intervals = figure_with_intervals(query, &rankings, any_1, Some(trust))?;
    figures.push(("list-intervals", intervals));
    let rankings = synthetic_rankings(14, 1200, 5.0, 8, &long)?;
    let figure = figure(&long(query.to_owned()), &rankings, all_2)?;
    figures.push(("list-long-names", figure));
    Ok(figures)
}

/// Draws box plots of a study of the six aggregation functions, and of unusual samples: empty, with
/// equal values, with outliers.
pub(super) fn box_figures() -> Result<Vec<(&'static str, Figure)>, BoxedError> {
    let lists: Vec<AssessorRankings> = (1..=11)
        .map(|seed| synthetic_rankings(5 + 3 * seed as usize, 30, 6.0, seed, &|name| name))
        .collect::<Result<_, _>>()?;
    let queries: Vec<(&str, &AssessorRankings)> = lists.iter().map(|list| ("q", list)).collect();
    let study = study_aggregations(
        &queries,
        &AggregationStudyOptions::default(),
        &[],
        &SequentialWork,
    )?;
    let mut odd = BoxPlots::new(
        "Few values, equal values, none, and values far away",
        [
            "one",
            "two",
            "four",
            "equal",
            "none",
            "outliers",
            "a category with a long name",
        ],
    );
    let mut stream = Stream(9);
    let mut many: Vec<f64> = (0..200).map(|_| 0.4 + 0.2 * stream.next()).collect();
    many.extend([0.0, 0.02, 0.05, 1.0, 0.95, 0.95]);
    odd.push(
        "a quantity",
        vec![
            vec![0.5],
            vec![0.3, 0.6],
            vec![0.2, 0.3, 0.6, 0.7],
            vec![0.4; 9],
            vec![],
            many.clone(),
            vec![0.5, 0.6, 0.65, 0.7, 0.72, 0.9],
        ],
    );
    odd.push("all equal", vec![vec![1.0]; 7]);
    let mut wide = BoxPlots::new(
        "Many systems",
        (0..64).map(|number| format!("bm25 with k1=0.9 and b=0.{number:02}")),
    );
    let scores = (0..64).map(|number| {
        (0..50)
            .map(|_| 1e5 * (stream.next() + stream.next() - 0.01 * f64::from(number)))
            .collect()
    });
    wide.push(
        "a quantity with large values and a name that is far too long for its axis",
        scores.collect(),
    );
    let mut one = BoxPlots::new("One category", ["all lists"]);
    one.push("consistency", vec![many]);
    Ok(vec![
        (
            "boxes-study",
            box_plot_figure(&BoxPlots::from_study(&study)),
        ),
        ("boxes-odd-samples", box_plot_figure(&odd)),
        ("boxes-many-categories", box_plot_figure(&wide)),
        ("boxes-one-category", box_plot_figure(&one)),
        ("boxes-none", box_plot_figure(&BoxPlots::new("None", ["a"]))),
    ])
}
