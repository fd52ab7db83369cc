//! Layout of the figures of campaigns, of plans and of two lists, for many rows and long names.

use partita_core::plan::{PlanInput, PlanRequest, plan};
use partita_core::work::SequentialWork;
use partita_core::{BatchRecord, NamedGroups, Preference, Preferences, ScoreMatrix, Vote};
use partita_judging::campaign::log::Stamp;
use partita_judging::campaign::{CampaignSession, CampaignSpec, MemoryStore, QuerySpec};
use partita_judging::{Price, Screening, ScreeningEvidence, ScreeningOptions, report_batches};
use partita_report::{
    Figure, MAX_BAR_ROWS, View, batches_figure, list_comparison_figure, plan_figure,
    screening_figure, status_figure,
};

use super::{assert_well_laid_out, elements, named};
use crate::svg::words;

/// Returns `count` distinct names, short or long.
fn names(count: usize, long: bool) -> Vec<String> {
    let name = if long {
        "a name that is much too long for the row of a figure, whatever it stands for, "
    } else {
        "n"
    };
    (0..count).map(|i| format!("{name}{i}")).collect()
}

/// Asserts that a figure is well laid out for 1 to 130 rows, with short and with long names.
fn assert_well_laid_out_for_all_names(draw: impl Fn(&[String]) -> Figure) {
    for count in [1, 3, 18, 40, 130] {
        for long in [false, true] {
            assert_well_laid_out(&draw(&names(count, long)));
        }
    }
}

/// Returns preferences of assessors with these names, some of whom always give the same answer.
fn answers(people: &[String]) -> Preferences {
    let mut preferences = Preferences::new();
    for (number, person) in people.iter().enumerate() {
        for (pair, (a, b)) in [
            ("x", "y"),
            ("y", "z"),
            ("x", "z"),
            ("z", "w"),
            ("w", "x"),
            ("v", "x"),
        ]
        .into_iter()
        .enumerate()
        {
            let answer = if number % 7 == 0 {
                Preference::A
            } else {
                Preference::ALL[(number + pair) % 3]
            };
            let mut given = Vote::new(a, b, person, answer);
            given.seconds = (number % 5 > 0).then_some((7 * number % 100) as f64 + 0.5);
            preferences.add("q", given).expect("an answer");
        }
    }
    preferences
}

fn screening(people: &[String]) -> Figure {
    let (evidence, settings) = (ScreeningEvidence::default(), ScreeningOptions::default());
    let screening = Screening::new(&answers(people), &evidence, settings);
    screening_figure(&screening.expect("usual settings"))
}

fn status(lists: &[String]) -> Figure {
    let lists = lists
        .iter()
        .map(|query| QuerySpec::new(query, ["x", "y", "z"]));
    let settings = CampaignSpec::new("a campaign", lists.collect());
    let stamp = Stamp {
        at: "2010-04-14T18:29:32Z".parse().expect("a moment"),
        author: "ann".to_owned(),
    };
    let mut session =
        CampaignSession::create(MemoryStore::default(), settings, &stamp).expect("a campaign");
    session.ask(&stamp, None).expect("questions");
    let status = session
        .campaign()
        .status(1, &SequentialWork)
        .expect("a status");
    status_figure(&status)
}

fn two_lists(items: &[String]) -> Figure {
    let lists: [NamedGroups; 2] =
        [1, 3].map(|size| items.chunks(size).map(<[_]>::to_vec).collect());
    let mut turned = lists[1].clone();
    turned.reverse();
    list_comparison_figure("query", ["first.csv", "second.csv"], [&lists[0], &turned])
}

fn planned(measures: &[String], request: &PlanRequest) -> Figure {
    let values = (0..24).map(|i| f64::from(i % 4) + f64::from(i * i % 5) / 3.0);
    let queries = (0..6).map(|query| query.to_string());
    let scores = ScoreMatrix::new("AP", ["a", "b", "c", "d"], queries, values.collect());
    let scores = scores.expect("scores");
    let evidence = [PlanInput::Scores(&scores)];
    let mut planned = plan(request, &evidence).expect("a plan");
    // Copy the plan for each measure, because computing a plan takes time.
    let first = planned.measures.remove(0);
    for measure in measures {
        let mut same = first.clone();
        same.measure.clone_from(measure);
        planned.measures.push(same);
    }
    plan_figure(&planned)
}

/// Text below 6.5 pixels is unreadable if the figure is scaled to a page column of 340 pixels.
#[test]
fn text_is_readable_if_the_figure_is_scaled_to_a_column() {
    let names = names(18, false);
    for figure in [screening(&names), status(&names)] {
        let svg = figure.to_svg();
        let number = |after: &str| {
            let rest = svg.split(after).nth(1).expect("an attribute");
            rest.split([' ', '"'])
                .next()
                .expect("a number")
                .parse::<f64>()
                .expect("a number")
        };
        let width = number("viewBox=\"0 0 ");
        let sizes = svg.split("font-size=\"").skip(1);
        let sizes = sizes.map(|rest| rest.split('"').next().unwrap().parse::<f64>().unwrap());
        let least = sizes.fold(f64::MAX, f64::min);
        assert!(least * 340.0 / width >= 6.5, "{least} of {width}");
    }
}

/// The thresholds are so lax that nearly every assessor has a signal.
#[test]
fn signals_of_an_assessor_are_wrapped_and_not_shortened() {
    let settings = ScreeningOptions {
        level: 0.9,
        least_answers: 1,
        same_answer: 0.1,
        ..ScreeningOptions::default()
    };
    let evidence = ScreeningEvidence::default();
    let screening = Screening::new(&answers(&names(18, true)), &evidence, settings);
    let screening = screening.expect("possible settings");
    let figure = screening_figure(&screening);
    assert_well_laid_out(&figure);
    let words = words(&figure).join(" ");
    let signals = screening.assessors.iter().map(|card| &card.signals);
    let signals: Vec<String> = signals
        .map(|of_one| of_one.iter().map(|s| s.kind.to_string().replace('-', " ")))
        .map(|kinds| kinds.collect::<Vec<_>>().join(", "))
        .collect();
    assert!(signals.iter().any(|kinds| kinds.contains(',')), "{words}");
    for kinds in signals {
        assert!(words.contains(&kinds), "{kinds} in {words}");
    }
}

#[test]
fn screening_figures_are_well_laid_out() {
    assert_well_laid_out_for_all_names(screening);
}

#[test]
fn campaign_status_figures_are_well_laid_out() {
    assert_well_laid_out_for_all_names(status);
}

#[test]
fn batch_figures_are_well_laid_out() {
    assert_well_laid_out_for_all_names(|names| {
        let mut preferences = Preferences::new();
        for (batch, name) in names.iter().enumerate() {
            let mut given = Vote::new("x", name, "ann", Preference::A);
            (given.batch, given.seconds) = (batch, Some(batch as f64 * 1.5));
            preferences.add("q", given).expect("an answer");
        }
        let records = names.iter().map(|name| BatchRecord {
            name: name.clone(),
            ..BatchRecord::default()
        });
        let records: Vec<BatchRecord> = records.collect();
        batches_figure(&report_batches(
            &preferences,
            &records,
            Some(&Price::URBANO_2010),
        ))
    });
}

#[test]
fn figures_of_two_lists_are_well_laid_out() {
    assert_well_laid_out_for_all_names(two_lists);
}

#[test]
fn plans_are_well_laid_out_by_queries_and_by_cost() {
    let without_budget = PlanRequest::default();
    let with_budget = PlanRequest {
        money: Some(100.0),
        cost_per_query: Some(5.0),
        ..PlanRequest::default()
    };
    for count in [1, 3, 18] {
        for long in [false, true] {
            let names = names(count, long);
            assert_well_laid_out(&planned(&names, &without_budget));
            assert_well_laid_out(&planned(&names, &with_budget));
        }
    }
}

#[test]
fn only_the_first_of_many_assessors_are_drawn_and_a_note_says_so() {
    let people = names(MAX_BAR_ROWS + 10, false);
    let figure = screening(&people);
    let words = words(&figure);
    let note = format!("The first {MAX_BAR_ROWS} of {} rows.", people.len());
    assert!(words.iter().any(|word| word.ends_with(&note)), "{words:?}");
    let shown = words.iter().filter(|word| people.contains(word)).count();
    assert_eq!(shown, MAX_BAR_ROWS);
    assert!(
        figure
            .title
            .ends_with("of 70 people have a signal against them")
    );
}

#[test]
fn a_line_connects_the_positions_of_each_shared_item_of_two_lists() {
    let group = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
    let first: NamedGroups = vec![group(&["a"]), group(&["b", "c"]), group(&["d"])];
    let second: NamedGroups = vec![group(&["d"]), group(&["a"]), group(&["b"]), group(&["e"])];
    let figure = list_comparison_figure("q", ["one", "two"], [&first, &second]);
    let svg = figure.to_svg();
    for title in [
        "a: group 1, then 2",
        "b: group 2, then 3",
        "d: group 3, then 1",
    ] {
        assert!(svg.contains(&format!("<title>{title}</title>")), "{title}");
    }
    let elements = elements(&figure);
    // Three lines in the legend, and one for each of the three items that both lists contain.
    assert_eq!(named(&elements, "line").len(), 3 + 3);
    let blue = svg
        .lines()
        .filter(|line| line.starts_with("<line") && line.contains("#0072B2"));
    assert_eq!(blue.count(), 1 + 1, "only d overtakes others");
}

#[test]
fn a_plan_figure_shows_both_coefficients_with_interval_bands() {
    let figure = planned(&["AG@5".to_owned()], &PlanRequest::default());
    assert_eq!(
        figure.title,
        "How far the result would hold, by the number of queries"
    );
    let elements = elements(&figure);
    let bands = named(&elements, "polygon").into_iter();
    let bands = bands.filter(|polygon| polygon.points.len() > 20);
    assert_eq!(bands.count(), 2, "of both coefficients");
    let words = words(&figure);
    assert!(
        words.contains(&"AG@5 (6 queries now)".to_owned()),
        "{words:?}"
    );
}

#[test]
fn server_b11_the_figure_and_the_table_of_the_status_show_the_same_numbers() {
    let items = ["i1", "i2", "i3", "i4", "i5"];
    let mut spec = CampaignSpec::new("b11", vec![QuerySpec::new("early-bird", items)]);
    spec.settings.strategy = "pooled".parse().expect("a strategy");
    let stamp = Stamp {
        at: "2010-04-14T18:29:32Z".parse().expect("a moment"),
        author: "ann".to_owned(),
    };
    let session = CampaignSession::create(MemoryStore::default(), spec, &stamp);
    let mut session = session.expect("a campaign");
    session.ask(&stamp, None).expect("questions");
    let status = session.campaign().status(2, &SequentialWork);
    let status = status.expect("a status");
    let list = &status.lists[0];
    let shown = words(&status_figure(&status));
    let pairs = format!("{} of {}", list.decided, list.pairs);
    let votes = format!("{}, about {:.0} to come", list.votes, list.expected_votes);
    assert!(
        shown.contains(&pairs) && shown.contains(&votes),
        "{shown:?}"
    );
    let mut csv = Vec::new();
    status.write_csv(&mut csv).expect("a table");
    let csv = String::from_utf8(csv).expect("UTF-8");
    let numbers = format!(",{},{},{},", list.pairs, list.decided, list.open);
    assert!(csv.contains(&numbers), "{csv}");
}
