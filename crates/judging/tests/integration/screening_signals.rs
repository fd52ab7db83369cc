//! Each signal of screening is raised for an assessor constructed to show it, and not for others.

use partita_core::{Preference, Preferences, Vote};
use partita_judging::campaign::{
    self, AssessorFilter, Campaign, CampaignSpec, Event, GoldAnswer, PreferenceAnswer,
    PreferenceChoice, QuerySpec,
};
use partita_judging::{
    AssessorCard, GoldQuestion, Screening, ScreeningEvidence, ScreeningOptions, SignalKind,
    UncountedAnswer,
};
use partita_stats::random::{
    RandomStream, shuffle, standard_normal, stream, uniform, uniform_index,
};

/// Answer: query, item shown first, item shown second, assessor, preference.
type Row = (String, String, String, String, Preference);

/// Behaviour of an odd assessor: the answer given random numbers, the honest answer, and the answers
/// of others, all as shown.
type Behaviour = dyn Fn(&mut RandomStream, Preference, &[Preference]) -> Preference;

const LISTS: usize = 4;
const ITEMS: usize = 8;

/// Draws an honest answer: the difference of two items plus noise; small differences are called equal.
fn heard(random: &mut RandomStream, a: usize, b: usize) -> Preference {
    let seen = 0.5 * (b as f64 - a as f64) + standard_normal(random);
    match seen {
        _ if seen > 0.6 => Preference::A,
        _ if seen < -0.6 => Preference::B,
        _ => Preference::Equal,
    }
}

fn any(random: &mut RandomStream) -> Preference {
    Preference::ALL[uniform_index(random, 3)]
}

/// Returns the answers of this many honest assessors, and of the odd ones, to every pair.
fn crowd(seed: u64, honest: usize, odd: &[(&str, &Behaviour)]) -> Vec<Row> {
    let mut random = stream(seed, &[1]);
    let mut rows = Vec::new();
    for list in 0..LISTS {
        for b in 0..ITEMS {
            for a in 0..b {
                let mut said: Vec<Preference> = Vec::new();
                let people = (0..honest).map(|person| (format!("p{person:02}"), None));
                let odd = odd
                    .iter()
                    .map(|(name, odd)| ((*name).to_owned(), Some(*odd)));
                for (name, odd) in people.chain(odd) {
                    let own = heard(&mut random, a, b);
                    let is_turned = uniform(&mut random) < 0.5;
                    let turned =
                        |answer: Preference| if is_turned { answer.mirrored() } else { answer };
                    let others: Vec<Preference> = said.iter().copied().map(turned).collect();
                    let answer = match odd {
                        Some(odd) => odd(&mut random, turned(own), &others),
                        None => turned(own),
                    };
                    said.push(turned(answer));
                    let [mut first, mut second] = [a, b].map(|item| format!("i{item}"));
                    if is_turned {
                        std::mem::swap(&mut first, &mut second);
                    }
                    rows.push((format!("q{list}"), first, second, name, answer));
                }
            }
        }
    }
    rows
}

fn preferences(rows: &[Row]) -> Preferences {
    let mut preferences = Preferences::new();
    for (query, a, b, who, answer) in rows {
        let given = Vote::new(a, b, who, *answer);
        preferences.add(query, given).expect("a new answer");
    }
    preferences
}

fn screened(rows: &[Row], evidence: &ScreeningEvidence) -> Screening {
    let settings = ScreeningOptions::default();
    Screening::new(&preferences(rows), evidence, settings).expect("settings that are shares")
}

fn card<'s>(found: &'s Screening, who: &str) -> &'s AssessorCard {
    let mut cards = found.assessors.iter();
    cards.find(|card| card.assessor == who).expect("a card")
}

fn has(found: &Screening, who: &str, kind: SignalKind) -> bool {
    card(found, who)
        .signals
        .iter()
        .any(|signal| signal.kind == kind)
}

fn with_signal(found: &Screening, kind: SignalKind) -> Vec<&str> {
    let cards = found.assessors.iter();
    let with = cards.filter(|card| card.signals.iter().any(|signal| signal.kind == kind));
    with.map(|card| card.assessor.as_str()).collect()
}

#[test]
fn who_answers_at_random_is_unreliable_and_who_listens_is_not() {
    let rows = crowd(1, 12, &[("zed", &|random, _, _| any(random))]);
    let found = screened(&rows, &ScreeningEvidence::default());
    assert_eq!(with_signal(&found, SignalKind::Unreliable), ["zed"]);
    let zed = card(&found, "zed").reliability.expect("others answered");
    assert!(zed.sharpness.abs() < 0.3 && zed.p_random > 0.05, "{zed:?}");
    let ann = card(&found, "p00").reliability.expect("others answered");
    assert!(ann.p_random < 1e-6, "{ann:?}");
}

#[test]
fn who_says_the_opposite_has_a_negative_sharpness() {
    let rows = crowd(2, 12, &[("zed", &|_, own, _| own.mirrored())]);
    let found = screened(&rows, &ScreeningEvidence::default());
    assert_eq!(with_signal(&found, SignalKind::Unreliable), ["zed"]);
    let zed = card(&found, "zed").reliability.expect("others answered");
    assert!(zed.sharpness < -0.3, "{zed:?}");
}

/// Returns the most frequent answer.
fn majority(said: &[Preference]) -> Preference {
    let count = |answer: Preference| said.iter().filter(|given| **given == answer).count();
    Preference::ALL
        .into_iter()
        .max_by_key(|&answer| count(answer))
        .expect("one of three")
}

#[test]
fn who_copies_the_majority_is_sharper_than_listening_makes_anybody() {
    let rows = crowd(3, 12, &[("zed", &|_, _, others| majority(others))]);
    let found = screened(&rows, &ScreeningEvidence::default());
    assert_eq!(with_signal(&found, SignalKind::Copying), ["zed"]);
}

#[test]
fn two_whose_answers_are_the_same_are_alike_and_two_who_call_all_equal_are_not() {
    // The last answer of the others is that of the confederate.
    let copies: &Behaviour = &|_, _, others| *others.last().expect("others");
    let rows = crowd(4, 12, &[("yan", &|_, own, _| own), ("zed", copies)]);
    let found = screened(&rows, &ScreeningEvidence::default());
    let mut alike = with_signal(&found, SignalKind::Alike);
    alike.sort_unstable();
    assert_eq!(alike, ["yan", "zed"]);
    let twin = card(&found, "zed").alike.as_ref().expect("a twin");
    assert_eq!((twin.assessor.as_str(), twin.same), ("yan", twin.pairs));
    let equal: &Behaviour = &|_, _, _| Preference::Equal;
    let rows = crowd(5, 12, &[("yan", equal), ("zed", equal)]);
    let found = screened(&rows, &ScreeningEvidence::default());
    assert!(!has(&found, "zed", SignalKind::Alike));
    assert!(has(&found, "zed", SignalKind::SameAnswer));
}

#[test]
fn who_prefers_the_same_side_of_turned_pairs_contradicts_themselves() {
    let first: &Behaviour = &|random, own, _| {
        let is_lazy = uniform(random) < 0.6;
        if is_lazy { Preference::A } else { own }
    };
    let rows = crowd(6, 12, &[("zed", first)]);
    let mut random = stream(6, &[2]);
    let mut evidence = ScreeningEvidence::default();
    // An honest person and the lazy one see thirty of their pairs again, turned.
    for who in ["p00", "zed"] {
        for (query, a, b, person, answer) in rows.iter().filter(|row| row.3 == who).take(30) {
            let number = |item: &str| -> usize { item[1..].parse().expect("a number") };
            let again = if who == "zed" {
                *answer
            } else {
                heard(&mut random, number(b), number(a))
            };
            evidence.repeats.push(UncountedAnswer {
                query: query.clone(),
                a: b.clone(),
                b: a.clone(),
                assessor: person.clone(),
                answer: again,
            });
        }
    }
    let found = screened(&rows, &evidence);
    assert_eq!(with_signal(&found, SignalKind::Repeats), ["zed"]);
    let repeats = card(&found, "zed").repeats.expect("pairs shown again");
    assert_eq!((repeats.answers, repeats.same_side), (30, repeats.turned));
    assert!(card(&found, "p00").repeats.expect("as many").p > 0.01);
}

#[test]
fn gold_that_is_no_vote_counts_for_who_missed_it() {
    let rows = crowd(7, 12, &[]);
    let mut evidence = ScreeningEvidence::default();
    for number in 0..12 {
        let item = format!("g{number}");
        evidence.gold.push(GoldQuestion {
            query: "q0".to_owned(),
            a: "best".to_owned(),
            b: item.clone(),
            expected: Preference::A,
        });
        for who in 0..12 {
            // Shown the other way round, so that b is right.
            evidence.gold_answers.push(UncountedAnswer {
                query: "q0".to_owned(),
                a: item.clone(),
                b: "best".to_owned(),
                assessor: format!("p{who:02}"),
                answer: if who == 3 {
                    Preference::A
                } else {
                    Preference::B
                },
            });
        }
    }
    let found = screened(&rows, &evidence);
    assert_eq!(with_signal(&found, SignalKind::Gold), ["p03"]);
    let gold = card(&found, "p03").gold.expect("twelve");
    assert_eq!((gold.answers, gold.wrong), (12, 12));
}

/// Gold answers of a campaign are evidence for screening, whichever item was shown first.
#[test]
fn gold_of_a_campaign_counts_for_who_missed_it() {
    let items: Vec<String> = (0..7).map(|item| format!("i{item}")).collect();
    let gold = |b: &str| campaign::GoldPair {
        query: "q".to_owned(),
        a: "i0".to_owned(),
        b: b.to_owned(),
        answer: PreferenceChoice::A,
    };
    let settings = CampaignSpec {
        gold: Some(campaign::GoldSet {
            share: 0.2,
            pairs: items[1..].iter().map(|item| gold(item)).collect(),
        }),
        ..CampaignSpec::new("c", vec![QuerySpec::new("q", items.clone())])
    };
    let mut run = Campaign::open(settings).expect("settings that can be");
    let mut say = |event: Event| run.apply(&event).expect("an event that fits");
    for who in 0..8 {
        let person = format!("p{who}");
        for item in &items[1..] {
            // Shown the other way round, so that b is right.
            let answer = if who == 3 {
                Preference::A
            } else {
                Preference::B
            };
            say(Event::GoldAnswered(GoldAnswer {
                answer: PreferenceAnswer::new("q", item, "i0", &person, Some(answer)),
                expected: PreferenceChoice::B,
            }));
        }
        // Answers that nobody asked for are answers too.
        let other = PreferenceAnswer::new("q", "i1", "i2", &person, Some(Preference::A));
        say(Event::Answered(other));
    }
    // One that was left blank says nothing.
    say(Event::GoldAnswered(GoldAnswer {
        answer: PreferenceAnswer::new("q", "i1", "i0", "p4", None),
        expected: PreferenceChoice::B,
    }));
    let answers = run
        .preferences(AssessorFilter::All, &[])
        .expect("no query is named");
    let mut evidence = ScreeningEvidence::default();
    assert_eq!(evidence.add_campaign_gold(&run, &["other".to_owned()]), 0);
    assert!(evidence.gold.is_empty());
    assert_eq!(evidence.add_campaign_gold(&run, &[]), 48);
    let settings = ScreeningOptions::default();
    let found = Screening::new(&answers.preferences, &evidence, settings).expect("settings");
    assert_eq!(with_signal(&found, SignalKind::Gold), ["p3"]);
    for (who, wrong) in [("p3", 6), ("p4", 0)] {
        let gold = card(&found, who).gold.expect("six");
        assert_eq!((gold.answers, gold.wrong), (6, wrong), "{who}");
    }
}

/// Three assessors who call everything equal make nine honest ones look odd until they are left out.
#[test]
fn those_left_out_no_longer_make_the_honest_look_odd() {
    let equal: &Behaviour = &|_, _, _| Preference::Equal;
    let odd = [("x1", equal), ("x2", equal), ("x3", equal)];
    let rows = crowd(8, 9, &odd);
    let found = screened(&rows, &ScreeningEvidence::default());
    assert_eq!(found.crowd.left_out, 3);
    assert!(found.crowd.rounds >= 2);
    let honest: Vec<Row> = (rows.iter())
        .filter(|row| !row.3.starts_with('x'))
        .cloned()
        .collect();
    let alone = screened(&honest, &ScreeningEvidence::default());
    for other in &alone.assessors {
        let card = card(&found, &other.assessor);
        assert!(!card.left_out && card.signals.is_empty(), "{card:?}");
        // The honest are judged as if the others had never answered.
        assert_eq!(card.reliability, other.reliability);
        assert_eq!(card.agreement, other.agreement);
    }
}

#[test]
fn at_least_half_of_the_people_stay_in_the_crowd() {
    let settings = ScreeningOptions {
        level: 1.0,
        unreliable: 1.0,
        agreement_deficit: 0.0,
        ..ScreeningOptions::default()
    };
    let rows = crowd(9, 10, &[]);
    let known = ScreeningEvidence::default();
    let found = Screening::new(&preferences(&rows), &known, settings).expect("shares");
    assert!(found.crowd.people >= 5, "{:?}", found.crowd);
    assert!(found.crowd.rounds <= 10);
}

#[test]
fn shuffled_rows_give_the_same_bytes_and_other_names_the_same_signals() {
    let odd: [(&str, &Behaviour); 2] = [
        ("yan", &|random, _, _| any(random)),
        ("zed", &|_, _, others| *others.last().expect("others")),
    ];
    let mut rows = crowd(10, 10, &odd);
    let known = ScreeningEvidence::default();
    let json = |rows: &[Row]| serde_json::to_string(&screened(rows, &known)).expect("JSON");
    let before = json(&rows);
    let renamed: Vec<Row> = (rows.iter())
        .map(|(query, a, b, who, answer)| {
            let name = |of: &str| of.chars().rev().collect::<String>();
            (name(query), name(a), name(b), name(who), *answer)
        })
        .collect();
    for seed in 0..3 {
        shuffle(&mut stream(seed, &[3]), &mut rows);
        assert_eq!(before, json(&rows));
    }
    let (found, other) = (screened(&rows, &known), screened(&renamed, &known));
    for one in &found.assessors {
        let name: String = one.assessor.chars().rev().collect();
        let kinds = |card: &AssessorCard| {
            card.signals
                .iter()
                .map(|signal| signal.kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(one), kinds(card(&other, &name)), "{}", one.assessor);
    }
}
