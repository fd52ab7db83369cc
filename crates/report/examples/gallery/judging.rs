//! Gallery figures of synthetic campaigns, their assessors and lists, and of evaluation plans.

use partita_core::plan::{PlanInput, PlanRequest, plan};
use partita_core::truth::IntransitiveTriples;
use partita_core::work::SequentialWork;
use partita_core::{BatchRecord, NamedGroups, Preference, Preferences, ScoreMatrix, Vote};
use partita_judging::campaign::log::Stamp;
use partita_judging::campaign::{
    Answer, CampaignSession, CampaignSpec, EngineSettings, Event, MemoryStore, QuerySpec,
};
use partita_judging::{
    DecisionRule, PreferenceCheckRequest, Price, Screening, ScreeningEvidence, ScreeningOptions,
    check_preferences, report_batches,
};
use partita_report::{
    Figure, batches_figure, list_comparison_figure, plan_figure, preference_list_figure,
    screening_figure, status_figure,
};

use super::Stream;

const ITEMS: [&str; 8] = [
    "Ash Grove",
    "Rowan Tree",
    "Millrace",
    "Harvest Home",
    "Foxglove",
    "Candlemas",
    "Ferryman",
    "Greensward",
];

type BoxedError = Box<dyn std::error::Error>;

/// Returns preferences of 30 synthetic assessors in three batches. Most tend to prefer the item
/// that is earlier in [`ITEMS`], more often if the two are far apart; a few always give the same
/// answer.
fn answers() -> Result<Preferences, BoxedError> {
    let mut stream = Stream(3);
    let mut preferences = Preferences::new();
    for person in 0..30 {
        for _ in 0..18 {
            let [i, j] = [0, 1].map(|_| (stream.next() * 8.0) as usize % ITEMS.len());
            let apart = (j as f64 - i as f64) / 4.0 + 0.8 * (stream.next() - 0.5);
            let answer = match apart {
                _ if person % 9 == 4 => Preference::A,
                0.2.. => Preference::A,
                ..-0.2 => Preference::B,
                _ => Preference::Equal,
            };
            let name = format!("W{person:02}");
            let mut given = Vote::new(ITEMS[i], ITEMS[j], &name, answer);
            given.seconds = Some((5.0 + 30.0 * stream.next() * stream.next()).round());
            given.batch = person / 10;
            // A repeated pair, or an item paired with itself, is an error and is left out.
            let _ = preferences.add("lantern", given);
        }
    }
    Ok(preferences)
}

/// Draws the status of a campaign in which assessors have answered part of the questions.
fn campaign() -> Result<Figure, BoxedError> {
    let queries = [
        "lantern",
        "hornpipe",
        "a query with a name that is rather long for its row",
    ];
    let lists = queries.map(|query| QuerySpec::new(query, ITEMS));
    let settings = CampaignSpec {
        settings: EngineSettings {
            votes: 3,
            decide: "majority".parse()?,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("tunes", lists.to_vec())
    };
    let stamp = Stamp {
        at: "2010-04-14T18:29:32Z".parse()?,
        author: "ann".to_owned(),
    };
    let mut session = CampaignSession::create(MemoryStore::default(), settings, &stamp)?;
    for round in 0..3 {
        for pair in session.ask(&stamp, None)?.pairs {
            // The query with the long name is answered in the first round only.
            if pair.query.len() > 10 && round > 0 {
                continue;
            }
            let answered = ["bob", "cid", "dee"].map(|person| {
                let place = |name: &str| ITEMS.iter().position(|item| *item == name);
                let is_a = place(&pair.a) < place(&pair.b);
                let answer = if is_a { Preference::A } else { Preference::B };
                let (a, b) = (&pair.a, &pair.b);
                Event::vote(Answer::preference(&pair.query, a, b, person, Some(answer)))
            });
            session.record(&stamp, answered.to_vec())?;
        }
    }
    Ok(status_figure(
        &session.campaign().status(20, &SequentialWork)?,
    ))
}

fn groups(list: &[&[usize]]) -> NamedGroups {
    let group = |group: &&[usize]| group.iter().map(|item| ITEMS[*item].to_owned()).collect();
    list.iter().map(group).collect()
}

fn plan_figure_of_random_scores(request: &PlanRequest) -> Result<Figure, BoxedError> {
    let mut stream = Stream(11);
    let tables = ["AG@5", "ADR"].map(|measure| {
        let values = (0..160).map(|i| 0.08 * f64::from(i % 8) + 0.5 * stream.next());
        let systems = (1..=8).map(|system| format!("S{system}"));
        let queries = (1..=20).map(|query| query.to_string());
        ScoreMatrix::new(measure, systems, queries, values.collect()).expect("scores")
    });
    let evidence: Vec<PlanInput> = tables.iter().map(PlanInput::Scores).collect();
    Ok(plan_figure(&plan(request, &evidence)?))
}

pub(super) fn figures() -> Result<Vec<(&'static str, Figure)>, BoxedError> {
    let preferences = answers()?;
    let request = PreferenceCheckRequest {
        preferences: &preferences,
        truth: None,
        rule: DecisionRule::Majority,
        seed: 1,
        triples: IntransitiveTriples::MAX_LISTED,
        bootstrap: Some((50, 0.95)),
    };
    let check = check_preferences(&request, &SequentialWork)?;
    let list = preference_list_figure(&preferences.queries()[0], &check.lists[0], &check);
    let records: Vec<BatchRecord> = ["monday", "tuesday", "wednesday"]
        .map(|name| BatchRecord {
            name: name.to_owned(),
            ..BatchRecord::default()
        })
        .into();
    let batches = report_batches(&preferences, &records, Some(&Price::URBANO_2010));
    let (evidence, settings) = (ScreeningEvidence::default(), ScreeningOptions::default());
    let screening = Screening::new(&preferences, &evidence, settings)?;
    let experts = groups(&[&[0], &[1, 2], &[3], &[4, 5, 6], &[7]]);
    let crowd = groups(&[&[0, 1], &[2, 4], &[3], &[6], &[5]]);
    let without_budget = PlanRequest::default();
    let with_budget = PlanRequest {
        money: Some(150.0),
        cost_per_judgment: Some(0.02),
        judgments_per_query: Some(60.0),
        cost_per_query: Some(1.0),
        ..PlanRequest::default()
    };
    Ok(vec![
        ("list-answers", list),
        (
            "two-lists",
            list_comparison_figure("lantern", ["experts", "crowd"], [&experts, &crowd]),
        ),
        ("status", campaign()?),
        ("batches", batches_figure(&batches)),
        ("screening", screening_figure(&screening)),
        ("plan", plan_figure_of_random_scores(&without_budget)?),
        ("plan-cost", plan_figure_of_random_scores(&with_budget)?),
    ])
}
