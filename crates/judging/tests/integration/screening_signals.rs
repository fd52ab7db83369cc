//! Each signal of screening is raised for an assessor constructed to show it, and not for others.

use partita_core::{Preference, Preferences, Vote};
use partita_judging::campaign::{
    self, Answer, AssessorFilter, Campaign, CampaignSpec, Event, PreferenceChoice, QuerySpec,
};
use partita_judging::{
    AssessorCard, GoldQuestion, ReportCounts, Screening, ScreeningEvidence, ScreeningOptions,
    SignalKind, UncountedAnswer,
};
use partita_stats::random::{
    RandomStream, shuffle, standard_normal, stream, uniform, uniform_index,
};

/// Answer: query, item shown first, item shown second, assessor, preference.
type AnswerRow = (String, String, String, String, Preference);

/// Behaviour of an odd assessor: function from random numbers, the honest answer and the previous
/// answers of others to the answer given, all oriented by the displayed sides.
type Behaviour = dyn Fn(&mut RandomStream, Preference, &[Preference]) -> Preference;

const LISTS: usize = 4;
const ITEMS: usize = 8;

/// Draws an honest answer: half the difference of two item numbers plus normal noise decides, and
/// absolute values up to 0.6 are called equal.
fn honest_answer(random: &mut RandomStream, a: usize, b: usize) -> Preference {
    let seen = 0.5 * (b as f64 - a as f64) + standard_normal(random);
    match seen {
        _ if seen > 0.6 => Preference::A,
        _ if seen < -0.6 => Preference::B,
        _ => Preference::Equal,
    }
}

fn random_answer(random: &mut RandomStream) -> Preference {
    Preference::ALL[uniform_index(random, 3)]
}

/// Returns the answers of `honest` honest assessors and of the `odd` assessors to every pair.
fn crowd_answers(seed: u64, honest: usize, odd: &[(&str, &Behaviour)]) -> Vec<AnswerRow> {
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
                    let own = honest_answer(&mut random, a, b);
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

fn preferences_from(rows: &[AnswerRow]) -> Preferences {
    let mut preferences = Preferences::new();
    for (query, a, b, who, answer) in rows {
        let given = Vote::new(a, b, who, *answer);
        preferences.add(query, given).expect("the answer is new");
    }
    preferences
}

fn screen(rows: &[AnswerRow], evidence: &ScreeningEvidence) -> Screening {
    let settings = ScreeningOptions::default();
    Screening::new(&preferences_from(rows), evidence, settings).expect("the settings are valid")
}

fn card_of<'s>(found: &'s Screening, who: &str) -> &'s AssessorCard {
    let mut cards = found.assessors.iter();
    cards
        .find(|card| card.assessor == who)
        .expect("every assessor has a card")
}

fn has_signal(found: &Screening, who: &str, kind: SignalKind) -> bool {
    card_of(found, who)
        .signals
        .iter()
        .any(|signal| signal.kind == kind)
}

fn assessors_with_signal(found: &Screening, kind: SignalKind) -> Vec<&str> {
    let cards = found.assessors.iter();
    let with = cards.filter(|card| card.signals.iter().any(|signal| signal.kind == kind));
    with.map(|card| card.assessor.as_str()).collect()
}

#[test]
fn only_random_assessor_is_flagged_as_unreliable() {
    let rows = crowd_answers(1, 12, &[("zed", &|random, _, _| random_answer(random))]);
    let found = screen(&rows, &ScreeningEvidence::default());
    assert_eq!(
        assessors_with_signal(&found, SignalKind::Unreliable),
        ["zed"]
    );
    let zed = card_of(&found, "zed")
        .reliability
        .expect("other assessors answered the same pairs");
    assert!(zed.sharpness.abs() < 0.3 && zed.p_random > 0.05, "{zed:?}");
    let ann = card_of(&found, "p00")
        .reliability
        .expect("other assessors answered the same pairs");
    assert!(ann.p_random < 1e-6, "{ann:?}");
}

#[test]
fn assessor_who_answers_the_opposite_has_negative_sharpness() {
    let rows = crowd_answers(2, 12, &[("zed", &|_, own, _| own.mirrored())]);
    let found = screen(&rows, &ScreeningEvidence::default());
    assert_eq!(
        assessors_with_signal(&found, SignalKind::Unreliable),
        ["zed"]
    );
    let zed = card_of(&found, "zed")
        .reliability
        .expect("other assessors answered the same pairs");
    assert!(zed.sharpness < -0.3, "{zed:?}");
}

/// Returns the most frequent answer.
fn majority(said: &[Preference]) -> Preference {
    let count = |answer: Preference| said.iter().filter(|given| **given == answer).count();
    Preference::ALL
        .into_iter()
        .max_by_key(|&answer| count(answer))
        .expect("there are three answers")
}

#[test]
fn assessor_who_copies_the_majority_raises_the_copying_signal() {
    let rows = crowd_answers(3, 12, &[("zed", &|_, _, others| majority(others))]);
    let found = screen(&rows, &ScreeningEvidence::default());
    assert_eq!(assessors_with_signal(&found, SignalKind::Copying), ["zed"]);
}

#[test]
fn copied_answers_raise_the_alike_signal_and_constant_answers_do_not() {
    // `zed` repeats the last of the others' answers, which is that of `yan`.
    let copies: &Behaviour =
        &|_, _, others| *others.last().expect("other assessors answered before");
    let rows = crowd_answers(4, 12, &[("yan", &|_, own, _| own), ("zed", copies)]);
    let found = screen(&rows, &ScreeningEvidence::default());
    let mut alike = assessors_with_signal(&found, SignalKind::Alike);
    alike.sort_unstable();
    assert_eq!(alike, ["yan", "zed"]);
    let twin = card_of(&found, "zed")
        .alike
        .as_ref()
        .expect("zed has a similar assessor");
    assert_eq!((twin.assessor.as_str(), twin.same), ("yan", twin.pairs));
    let equal: &Behaviour = &|_, _, _| Preference::Equal;
    let rows = crowd_answers(5, 12, &[("yan", equal), ("zed", equal)]);
    let found = screen(&rows, &ScreeningEvidence::default());
    assert!(!has_signal(&found, "zed", SignalKind::Alike));
    assert!(has_signal(&found, "zed", SignalKind::SameAnswer));
}

#[test]
fn preferring_the_same_side_of_swapped_pairs_raises_the_repeats_signal() {
    let first: &Behaviour = &|random, own, _| {
        let is_lazy = uniform(random) < 0.6;
        if is_lazy { Preference::A } else { own }
    };
    let rows = crowd_answers(6, 12, &[("zed", first)]);
    let mut random = stream(6, &[2]);
    let mut evidence = ScreeningEvidence::default();
    // The honest p00 and the lazy zed see thirty of their pairs again with swapped sides.
    for who in ["p00", "zed"] {
        for (query, a, b, person, answer) in rows.iter().filter(|row| row.3 == who).take(30) {
            let number = |item: &str| -> usize { item[1..].parse().expect("the text is a number") };
            let again = if who == "zed" {
                *answer
            } else {
                honest_answer(&mut random, number(b), number(a))
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
    let found = screen(&rows, &evidence);
    assert_eq!(assessors_with_signal(&found, SignalKind::Repeats), ["zed"]);
    let repeats = card_of(&found, "zed").repeats.expect("pairs shown again");
    assert_eq!((repeats.answers, repeats.same_side), (30, repeats.turned));
    assert!(card_of(&found, "p00").repeats.expect("pairs shown again").p > 0.01);
}

#[test]
fn wrong_gold_answers_that_are_not_votes_raise_the_gold_signal() {
    let rows = crowd_answers(7, 12, &[]);
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
            // The sides are swapped, so the correct answer is B.
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
    let found = screen(&rows, &evidence);
    assert_eq!(assessors_with_signal(&found, SignalKind::Gold), ["p03"]);
    let gold = card_of(&found, "p03")
        .gold
        .expect("p03 answered gold questions");
    assert_eq!((gold.answers, gold.wrong), (12, 12));
}

/// Gold answers of a campaign are evidence for screening, whichever item was shown first.
#[test]
fn wrong_gold_answers_of_a_campaign_raise_the_gold_signal() {
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
    let mut run = Campaign::open(settings).expect("the settings are valid");
    let mut say = |event: Event| run.apply(&event).expect("the event is valid");
    for who in 0..8 {
        let person = format!("p{who}");
        for item in &items[1..] {
            // The sides are swapped, so the correct answer is B.
            let answer = if who == 3 {
                Preference::A
            } else {
                Preference::B
            };
            say(Event::gold(
                Answer::preference("q", item, "i0", &person, Some(answer)),
                Preference::B,
            ));
        }
        // Every assessor also gives an answer that was not asked for.
        let other = Answer::preference("q", "i1", "i2", &person, Some(Preference::A));
        say(Event::vote(other));
    }
    // A blank gold answer is ignored.
    say(Event::gold(
        Answer::preference("q", "i1", "i0", "p4", None),
        Preference::B,
    ));
    let answers = run
        .preferences(AssessorFilter::All, &[])
        .expect("no query is named");
    let mut evidence = ScreeningEvidence::default();
    assert_eq!(evidence.add_campaign_gold(&run, &["other".to_owned()]), 0);
    assert!(evidence.gold.is_empty());
    assert_eq!(evidence.add_campaign_gold(&run, &[]), 48);
    let settings = ScreeningOptions::default();
    let found =
        Screening::new(&answers.preferences, &evidence, settings).expect("the settings are valid");
    assert_eq!(assessors_with_signal(&found, SignalKind::Gold), ["p3"]);
    for (who, wrong) in [("p3", 6), ("p4", 0)] {
        let gold = card_of(&found, who)
            .gold
            .expect("the assessor answered gold questions");
        assert_eq!((gold.answers, gold.wrong), (6, wrong), "{who}");
    }
}

/// Three assessors who call everything equal make nine honest ones look odd until the three are
/// left out.
#[test]
fn assessors_left_out_of_the_crowd_do_not_affect_honest_ones() {
    let equal: &Behaviour = &|_, _, _| Preference::Equal;
    let odd = [("x1", equal), ("x2", equal), ("x3", equal)];
    let rows = crowd_answers(8, 9, &odd);
    let found = screen(&rows, &ScreeningEvidence::default());
    assert_eq!(found.crowd.left_out, 3);
    assert!(found.crowd.rounds >= 2);
    let honest: Vec<AnswerRow> = (rows.iter())
        .filter(|row| !row.3.starts_with('x'))
        .cloned()
        .collect();
    let alone = screen(&honest, &ScreeningEvidence::default());
    for other in &alone.assessors {
        let card = card_of(&found, &other.assessor);
        assert!(!card.left_out && card.signals.is_empty(), "{card:?}");
        // Honest assessors get the same results as without the other assessors.
        assert_eq!(card.reliability, other.reliability);
        assert_eq!(card.agreement, other.agreement);
    }
}

#[test]
fn at_least_half_of_the_assessors_stay_in_the_crowd() {
    let settings = ScreeningOptions {
        level: 1.0,
        unreliable: 1.0,
        agreement_deficit: 0.0,
        ..ScreeningOptions::default()
    };
    let rows = crowd_answers(9, 10, &[]);
    let known = ScreeningEvidence::default();
    let found =
        Screening::new(&preferences_from(&rows), &known, settings).expect("the settings are valid");
    assert!(found.crowd.people >= 5, "{:?}", found.crowd);
    assert!(found.crowd.rounds <= 10);
}

#[test]
fn screening_is_independent_of_row_order_and_signals_of_names() {
    let odd: [(&str, &Behaviour); 2] = [
        ("yan", &|random, _, _| random_answer(random)),
        ("zed", &|_, _, others| {
            *others.last().expect("other assessors answered before")
        }),
    ];
    let mut rows = crowd_answers(10, 10, &odd);
    let known = ScreeningEvidence::default();
    let json = |rows: &[AnswerRow]| {
        serde_json::to_string(&screen(rows, &known)).expect("the JSON is valid")
    };
    let before = json(&rows);
    let renamed: Vec<AnswerRow> = (rows.iter())
        .map(|(query, a, b, who, answer)| {
            let name = |of: &str| of.chars().rev().collect::<String>();
            (name(query), name(a), name(b), name(who), *answer)
        })
        .collect();
    for seed in 0..3 {
        shuffle(&mut stream(seed, &[3]), &mut rows);
        assert_eq!(before, json(&rows));
    }
    let (found, other) = (screen(&rows, &known), screen(&renamed, &known));
    for one in &found.assessors {
        let name: String = one.assessor.chars().rev().collect();
        let kinds = |card: &AssessorCard| {
            card.signals
                .iter()
                .map(|signal| signal.kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            kinds(one),
            kinds(card_of(&other, &name)),
            "{}",
            one.assessor
        );
    }
}

#[test]
fn server_a4_many_reports_are_a_signal_even_without_an_answer() {
    let rows = crowd_answers(12, 6, &[]);
    let mut evidence = ScreeningEvidence::default();
    let mut report = |who: &str, questions, reports| {
        let counts = ReportCounts { questions, reports };
        evidence.reports.insert(who.to_owned(), counts);
    };
    // Others report 1 of 56 questions each; 4 reports of somebody who gave no answer are too few.
    for person in 0..4 {
        report(&format!("p{person:02}"), 57, 1);
    }
    report("p04", 140, 28);
    report("p05", 112, 0);
    report("silent", 7, 7);
    report("short", 4, 4);
    let found = screen(&rows, &evidence);
    let kind = SignalKind::ManyReports;
    assert_eq!(assessors_with_signal(&found, kind), ["p04", "silent"]);
    let silent = card_of(&found, "silent");
    assert_eq!((silent.answers, silent.frequent), (0, None));
    let reports = silent.reports.expect("the assessor reported");
    assert_eq!((reports.questions, reports.reports), (7, 7));
    // 36 of the 484 questions of the others were reported.
    assert_eq!(reports.expected, 36.0 / 484.0);
    let p = (36.0_f64 / 484.0).powi(7);
    assert!((reports.p / p - 1.0).abs() < 1e-12, "{}", reports.p);
    assert_eq!(card_of(&found, "p05").reports, None);
    assert_eq!(
        found.crowd.people, 6,
        "reports alone make nobody a member of the crowd"
    );
}
