//! Small examples with results computed by hand.

use partita_core::evidence::AssessorResampler;
use partita_core::{GroupedList, Item, Names, Preference, Preferences, QueryPreferences, Vote};
use partita_judging::{
    DecisionRule, ListVotes, PreferenceBootstrap, PreferenceBootstrapResult, Relation,
    SortComparison, SortStrategy, Strategy, Votes, audit_preferences, build_list, fit_pooled,
    pair_votes, replay_sort,
};

fn item(number: usize) -> Item {
    Item::from_index(number).expect("the item number is valid")
}

/// Returns the answers to one query.
fn preferences<'g>(given: impl IntoIterator<Item = Vote<&'g str>>) -> Preferences {
    let mut preferences = Preferences::new();
    for given in given {
        preferences.add("q", given).expect("the answer is new");
    }
    preferences
}

#[test]
fn replay_finds_both_lists_if_either_item_of_the_last_pair_can_be_pivot() {
    let asked = |a, b, relation| SortComparison {
        a: item(a),
        b: item(b),
        relation,
    };
    // Item 2 was equal to 0 and 1 in the first batch; 0 was preferred to 1 in the second.
    let batches = [
        vec![asked(0, 2, Relation::Equal), asked(1, 2, Relation::Equal)],
        vec![asked(0, 1, Relation::Less)],
    ];
    let lists = replay_sort(3, &batches)
        .expect("the record comes from a sort")
        .lists;
    let ends: Vec<&[usize]> = lists.iter().map(GroupedList::group_ends).collect();
    assert_eq!(ends, [[1, 3], [2, 3]]);
}

#[test]
fn votes_count_independently_of_the_displayed_sides() {
    let [x, y] = [0, 1].map(item);
    let mut votes = ListVotes::new(3);
    votes.add(x, y, Preference::A);
    votes.add(y, x, Preference::A);
    votes.add(y, x, Preference::Equal);
    let each = Votes {
        a: 1,
        equal: 1,
        b: 1,
    };
    assert_eq!((votes.get(x, y), votes.len()), (each, 3));
    let answers = [
        Vote::new("y", "x", "ann", Preference::A),
        Vote::new("y", "x", "bob", Preference::A),
        Vote::new("x", "y", "cy", Preference::A),
    ];
    let preferences = preferences(answers);
    let query: &QueryPreferences = &preferences.queries()[0];
    let pair = pair_votes(query)[0];
    assert_eq!(
        query.items().name(pair.a),
        "y",
        "it was shown first most often"
    );
    assert_eq!(pair.votes.counts(), [2, 0, 1]);
    assert_eq!(pair.votes_by_name(query.items()).counts(), [1, 0, 2]);
}

#[test]
fn audit_finds_pair_that_differs_within_a_group() {
    let answers = [("x", "y"), ("y", "z")]
        .into_iter()
        .flat_map(|(a, b)| ["ann", "bob", "cy"].map(|who| Vote::new(a, b, who, Preference::A)));
    let preferences = preferences(answers);
    let query = &preferences.queries()[0];
    let built = build_list(query, DecisionRule::default(), 1);
    let names: &Names = query.items();
    let of = |name| names.get(name).expect("the item exists");
    let list = GroupedList::new([vec![of("x"), of("y")], vec![of("z")]]).expect("a list");
    let (audit, counts) = audit_preferences(
        (names, &list),
        &built.decisions,
        DecisionRule::default(),
        500,
    );
    assert_eq!(
        (counts.intra, counts.misordered, counts.undecided),
        (1, 0, 1)
    );
    assert!(audit.intra[0].p_less < audit.intra[0].p_greater);
}

#[test]
fn assessor_who_contradicts_all_others_has_low_reliability() {
    let items: Vec<String> = (0..8).map(|number| number.to_string()).collect();
    let mut answers = Vec::new();
    for (place, b) in items.iter().enumerate() {
        for a in &items[..place] {
            let agreed = ["ann", "bob", "cy"].map(|who| Vote::new(a, b, who, Preference::A));
            answers.extend(agreed);
            answers.push(Vote::new(a, b, "contrary", Preference::B));
        }
    }
    let preferences = preferences(answers);
    let found = fit_pooled(&preferences);
    let who = |name| {
        preferences
            .assessors()
            .get(name)
            .expect("the assessor is known")
            .index()
    };
    assert!(found.reliability[who("ann")] > 0.9);
    assert!(found.reliability[who("contrary")] < 0.5);
}

#[test]
fn sort_orders_five_items_with_at_most_ten_votes_per_pair() {
    let sorting = SortStrategy::default();
    let mut votes = ListVotes::new(5);
    loop {
        let requests = sorting.requests(&votes, &[], 1);
        if requests.is_empty() {
            break;
        }
        for request in requests {
            // Everybody prefers the item with the lower number.
            let answer = if request.a < request.b {
                Preference::A
            } else {
                Preference::B
            };
            while votes.get(request.a, request.b).len() < request.votes {
                votes.add(request.a, request.b, answer);
            }
        }
    }
    assert_eq!(sorting.list(&votes, 1).items(), [0, 1, 2, 3, 4].map(item));
    assert!(votes.len() <= 100);
}

#[test]
fn bootstrap_mostly_keeps_a_decision_by_eight_of_ten_assessors() {
    let people: Vec<String> = (0..10).map(|who| who.to_string()).collect();
    let answer = |who: usize| {
        if who < 8 {
            Preference::A
        } else {
            Preference::B
        }
    };
    let preferences = preferences(
        (people.iter().enumerate()).map(|(who, name)| Vote::new("x", "y", name, answer(who))),
    );
    let query = &preferences.queries()[0];
    let built = build_list(query, DecisionRule::default(), 1);
    let people = AssessorResampler::new(preferences.assessors());
    assert_eq!(people.draw(1, 7).len(), 10);
    assert_eq!(people.draw(1, 7), people.draw(1, 7));
    let mut bootstrap = PreferenceBootstrap::new(query, &built, DecisionRule::default());
    let drawn: Vec<_> = (0..200)
        .map(|r| bootstrap.replicate(&people, 1, r))
        .collect();
    let trust = PreferenceBootstrapResult::new(query.items().len(), built.decisions.len(), &drawn);
    let [less, ..] = trust.relations()[0];
    assert!(less > 0.7);
    let [x, y] = ["x", "y"].map(|name| query.items().get(name).expect("the item exists"));
    assert_eq!(trust.shares().order_shares(x, y).before, less);
}
