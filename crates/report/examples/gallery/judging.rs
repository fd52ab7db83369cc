//! Made-up campaigns, their people and their lists, and plans.

use partita_core::plan::{Best, Budget, Costs, Evidence, Request, plan};
use partita_core::truth::Contradictions;
use partita_core::work::InTurn;
use partita_core::{Answer, BatchRecord, Groups, Preference, Preferences, Scores};
use partita_judging::campaign::log::Stamp;
use partita_judging::campaign::{AnswerRecord, Candidates, Event, MemoryStore, Session, Settings};
use partita_judging::{
    PreferenceCheckRequest, Price, Rule, Screening, ScreeningEvidence, ScreeningSettings, batches,
    check_preferences,
};
use partita_report::{
    Figure, batches_figure, plan_figure, preference_list_figure, screening_figure, status_figure,
    two_lists_figure,
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

type Failure = Box<dyn std::error::Error>;

/// Answers of 30 people in three batches: most prefer the earlier item the more the farther apart the
/// two are, some always say the same.
fn answers() -> Result<Preferences, Failure> {
    let mut stream = Stream(3);
    let mut preferences = Preferences::new();
    for person in 0..30 {
        for _ in 0..18 {
            let [i, j] = [0, 1].map(|_| (stream.next() * 8.0) as usize % ITEMS.len());
            let apart = (j as f64 - i as f64) / 4.0 + 0.8 * (stream.next() - 0.5);
            let answer = match apart {
                _ if person % 9 == 4 => Answer::A,
                0.2.. => Answer::A,
                ..-0.2 => Answer::B,
                _ => Answer::Equal,
            };
            let name = format!("W{person:02}");
            let mut given = Preference::new(ITEMS[i], ITEMS[j], &name, answer);
            given.seconds = Some((5.0 + 30.0 * stream.next() * stream.next()).round());
            given.batch = person / 10;
            // Nobody is asked twice, nor about an item and itself.
            let _ = preferences.add("lantern", given);
        }
    }
    Ok(preferences)
}

/// A campaign of some lists of which people have answered a part.
fn campaign() -> Result<Figure, Failure> {
    let queries = [
        "lantern",
        "hornpipe",
        "a query with a name that is rather long for its row",
    ];
    let lists = queries.map(|query| Candidates::of(query, ITEMS));
    let settings = Settings {
        votes: 3,
        decide: "majority".parse()?,
        ..Settings::new("tunes", lists.to_vec())
    };
    let stamp = Stamp {
        at: "2010-04-14T18:29:32Z".parse()?,
        author: "ann".to_owned(),
    };
    let mut session = Session::begin(MemoryStore::default(), settings, &stamp)?;
    for round in 0..3 {
        for pair in session.ask(&stamp, None)?.pairs {
            // The last query is answered less and less.
            if pair.query.len() > 10 && round > 0 {
                continue;
            }
            let answered = ["bob", "cid", "dee"].map(|person| {
                let place = |name: &str| ITEMS.iter().position(|item| *item == name);
                let is_a = place(&pair.a) < place(&pair.b);
                let answer = if is_a { Answer::A } else { Answer::B };
                let (a, b) = (&pair.a, &pair.b);
                Event::Answered(AnswerRecord::new(&pair.query, a, b, person, Some(answer)))
            });
            session.record(&stamp, answered.to_vec())?;
        }
    }
    Ok(status_figure(&session.campaign().status(20, &InTurn)?))
}

fn groups(list: &[&[usize]]) -> Groups {
    let group = |group: &&[usize]| group.iter().map(|item| ITEMS[*item].to_owned()).collect();
    list.iter().map(group).collect()
}

fn planned(budget: Option<Budget>) -> Result<Figure, Failure> {
    let mut stream = Stream(11);
    let tables = ["AG@5", "ADR"].map(|measure| {
        let values = (0..160).map(|i| 0.08 * f64::from(i % 8) + 0.5 * stream.next());
        let systems = (1..=8).map(|system| format!("S{system}"));
        let queries = (1..=20).map(|query| query.to_string());
        Scores::new(measure, systems, queries, values.collect()).expect("scores")
    });
    let evidence: Vec<Evidence> = tables.iter().map(Evidence::Scores).collect();
    let request = Request {
        budget,
        ..Request::default()
    };
    Ok(plan_figure(&plan(&request, &evidence)?))
}

pub(super) fn figures() -> Result<Vec<(&'static str, Figure)>, Failure> {
    let preferences = answers()?;
    let request = PreferenceCheckRequest {
        preferences: &preferences,
        truth: None,
        rule: Rule::Majority,
        seed: 1,
        triples: Contradictions::LISTED,
        bootstrap: Some((50, 0.95)),
    };
    let check = check_preferences(&request, &InTurn)?;
    let list = preference_list_figure(&preferences.queries()[0], &check.lists[0], &check);
    let records: Vec<BatchRecord> = ["monday", "tuesday", "wednesday"]
        .map(|name| BatchRecord {
            name: name.to_owned(),
            ..BatchRecord::default()
        })
        .into();
    let batches = batches(&preferences, &records, &Price::PAPER);
    let (evidence, settings) = (ScreeningEvidence::default(), ScreeningSettings::default());
    let screening = Screening::new(&preferences, &evidence, settings)?;
    let experts = groups(&[&[0], &[1, 2], &[3], &[4, 5, 6], &[7]]);
    let crowd = groups(&[&[0, 1], &[2, 4], &[3], &[6], &[5]]);
    let (costs, best) = (Costs::new(0.02, 60.0, 1.0)?, Best::Erho2);
    let budget = Budget {
        sum: 150.0,
        costs,
        best,
    };
    Ok(vec![
        ("list-answers", list),
        (
            "two-lists",
            two_lists_figure("lantern", ["experts", "crowd"], [&experts, &crowd]),
        ),
        ("status", campaign()?),
        ("batches", batches_figure(&batches)),
        ("screening", screening_figure(&screening)),
        ("plan", planned(None)?),
        ("plan-cost", planned(Some(budget))?),
    ])
}
