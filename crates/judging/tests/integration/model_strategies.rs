//! Whole campaigns by the strategies that fit one model to all votes of a list.

use std::cmp::Ordering;

use partita_core::Preference;
use partita_judging::StrategyName;
use partita_judging::campaign::{
    Answer, Campaign, CampaignSpec, EngineSettings, Event, OpenPair, QuerySpec, log,
};

const STRATEGIES: [StrategyName; 2] = [StrategyName::Pooled, StrategyName::SortRefitted];

/// Returns twelve items on three levels: the letter of an item is its level.
fn items() -> Vec<String> {
    let of_level = |level: char| (1..=4).map(move |number| format!("{level}{number}"));
    "abc".chars().flat_map(of_level).collect()
}

fn spec(strategy: StrategyName) -> CampaignSpec {
    CampaignSpec {
        settings: EngineSettings {
            strategy,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", vec![QuerySpec::new("q", items())])
    }
}

/// A campaign and the events that made it.
struct RecordedCampaign {
    campaign: Campaign,
    events: Vec<Event>,
}

impl RecordedCampaign {
    fn new(spec: CampaignSpec) -> Self {
        let opened = Event::Opened {
            version: log::VERSION,
            spec: Box::new(spec),
        };
        Self::from_events(&[opened])
    }

    fn from_events(events: &[Event]) -> Self {
        Self {
            campaign: Campaign::replay(events).expect("a valid log"),
            events: events.to_vec(),
        }
    }

    fn apply(&mut self, event: Event) {
        self.campaign.apply(&event).expect("a valid event");
        self.events.push(event);
    }

    /// Requests all pairs that the strategy wants now, and returns all open pairs.
    fn open_pairs(&mut self) -> Vec<OpenPair> {
        while let Some(event) = self.campaign.next_batch() {
            self.apply(event);
        }
        self.campaign.open_pairs_in_request_order(0)
    }

    /// Records an answer that follows the levels of the two items.
    fn answer(&mut self, pair: &OpenPair, assessor: &str) {
        let answer = match pair.a[..1].cmp(&pair.b[..1]) {
            Ordering::Less => Preference::A,
            Ordering::Equal => Preference::Equal,
            Ordering::Greater => Preference::B,
        };
        let answer = Answer::preference(&pair.query, &pair.a, &pair.b, assessor, Some(answer));
        self.apply(Event::vote(answer));
    }

    /// Answers all open pairs until none is left. The assessors' names begin with `assessors`.
    fn finish(&mut self, assessors: &str) {
        for round in 0.. {
            assert!(round < 100, "the campaign never ends");
            let open = self.open_pairs();
            if open.is_empty() {
                return;
            }
            for pair in &open {
                for vote in 0..pair.votes {
                    self.answer(pair, &format!("{assessors}{round}-{vote}"));
                }
            }
        }
    }

    /// Returns the number of groups, after asserting that the list has every item once and no pair
    /// of items in the reverse of the order that all assessors gave.
    fn check_list(&self) -> usize {
        let groups = self.campaign.groups(0);
        let mut listed: Vec<&str> = groups.concat();
        listed.sort_unstable();
        assert_eq!(listed, items());
        for (position, earlier) in groups.iter().enumerate() {
            for later in groups[position + 1..].concat() {
                let in_order = earlier.iter().all(|item| item[..1] <= later[..1]);
                assert!(in_order, "{groups:?}");
            }
        }
        groups.len()
    }
}

#[test]
fn a_campaign_ends_in_a_list_that_no_assessor_contradicts() {
    for strategy in STRATEGIES {
        let mut run = RecordedCampaign::new(CampaignSpec {
            settings: EngineSettings {
                seed: 3,
                ..spec(strategy).settings
            },
            ..spec(strategy)
        });
        run.finish("p");
        run.check_list();
        assert!(run.campaign.is_settled(), "{strategy}");
        // Ten votes on each of the 66 pairs would be 660.
        let answers = run.campaign.answer_count();
        assert!(answers < 330, "{strategy}: {answers}");
        let replayed = Campaign::replay(&run.events).unwrap();
        assert_eq!(replayed.snapshot(), run.campaign.snapshot(), "{strategy}");
    }
}

#[test]
fn the_same_seed_and_answers_make_the_same_events() {
    for strategy in STRATEGIES {
        let events = || {
            let mut run = RecordedCampaign::new(spec(strategy));
            run.finish("p");
            run.events
        };
        assert_eq!(events(), events(), "{strategy}");
    }
}

#[test]
fn a_campaign_can_stop_after_any_event_and_go_on_with_other_assessors() {
    for strategy in STRATEGIES {
        let mut whole = RecordedCampaign::new(spec(strategy));
        whole.finish("p");
        for stop in (1..=whole.events.len()).step_by(whole.events.len() / 4) {
            let mut resumed = RecordedCampaign::from_events(&whole.events[..stop]);
            resumed.finish("late");
            resumed.check_list();
            assert!(resumed.campaign.is_settled(), "{strategy} from {stop}");
        }
    }
}

#[test]
fn single_answers_to_half_of_the_open_pairs_settle_the_list() {
    for strategy in STRATEGIES {
        let mut run = RecordedCampaign::new(CampaignSpec {
            settings: EngineSettings {
                votes: 3,
                ..spec(strategy).settings
            },
            ..spec(strategy)
        });
        for round in 0.. {
            assert!(round < 300, "{strategy} never ends");
            let open = run.open_pairs();
            if open.is_empty() {
                break;
            }
            for pair in &open[..open.len().div_ceil(2)] {
                run.answer(pair, &format!("p{round}"));
            }
        }
        assert!(run.campaign.is_settled(), "{strategy}");
        let listed = run.campaign.groups(0).concat().len();
        assert_eq!(listed, items().len(), "{strategy}");
    }
}

#[test]
fn a_larger_difference_that_matters_makes_coarser_lists() {
    let groups_at = |matters: f64| {
        let mut run = RecordedCampaign::new(CampaignSpec {
            settings: EngineSettings {
                seed: 3,
                matters,
                ..spec(StrategyName::Pooled).settings
            },
            ..spec(StrategyName::Pooled)
        });
        run.finish("p");
        run.check_list()
    };
    let (fine, coarse) = (groups_at(0.05), groups_at(0.95));
    assert!(coarse < fine, "{coarse} {fine}");
}
