//! Lists, votes and checks from grades.

use partita_core::truth::{TruthCheckError, TruthCheckNote};
use partita_core::work::SequentialWork;
use partita_core::{GroundTruth, Preference, ZeroGainPolicy};
use partita_judging::campaign::{GradeScale, GradeSummary};
use partita_judging::{
    AssessorGrade, Grades, GradesError, PreferenceCheck, PreferenceCheckRequest, check_grades,
};

/// Broad and fine grade of an item by an assessor.
type Row<'a> = (&'a str, &'a str, f64, f64);

fn grades(rows: &[Row<'_>]) -> Grades {
    let mut grades = Grades::default();
    for &row in rows {
        grades.add("q", grade(row)).expect("the grade is new");
    }
    grades
}

fn grade((assessor, item, broad, fine): Row<'_>) -> AssessorGrade<&str> {
    let (broad, fine) = (Some(broad), Some(fine));
    AssessorGrade {
        assessor,
        item,
        grade: GradeSummary { broad, fine },
    }
}

fn checked(
    grades: &Grades,
    scale: GradeScale,
    truth: Option<(&str, &GroundTruth)>,
    bootstrap: Option<(usize, f64)>,
) -> Result<PreferenceCheck, TruthCheckError> {
    let preferences = grades.preferences(scale);
    let request = PreferenceCheckRequest {
        preferences: &preferences,
        truth,
        rule: "plurality".parse().expect("a rule"),
        seed: 1,
        triples: 10,
        bootstrap,
    };
    check_grades(&request, (grades, scale), &SequentialWork)
}

/// Three assessors who agree on the order x, y, z of the fine grades; z has no gain.
const UNANIMOUS: [Row<'static>; 9] = [
    ("ann", "x", 2.0, 90.0),
    ("ann", "y", 2.0, 50.0),
    ("ann", "z", 0.0, 0.0),
    ("bob", "z", 0.0, 0.0),
    ("bob", "y", 1.0, 60.0),
    ("bob", "x", 2.0, 80.0),
    ("cid", "y", 2.0, 70.0),
    ("cid", "x", 2.0, 75.0),
    ("cid", "z", 0.0, 0.0),
];

#[test]
fn gains_are_the_median_of_broad_and_the_mean_of_fine_grades() {
    let grades = grades(&UNANIMOUS);
    assert_eq!(grades.usual_scale(), GradeScale::Fine);
    for (scale, gains) in [
        (GradeScale::Broad, [2.0, 2.0, 0.0]),
        (GradeScale::Fine, [245.0 / 3.0, 60.0, 0.0]),
    ] {
        let truth = grades.ground_truth(scale, ZeroGainPolicy::LeaveOut);
        let judged = truth.query_truth(0);
        let gain = |name| judged.gain(judged.names().get(name).expect("a graded item"));
        assert_eq!(["x", "y", "z"].map(gain), gains);
        assert_eq!(judged.list().len(), 2, "z has no gain");
    }
    let items = grades.item_grades();
    assert_eq!(
        items.iter().map(|item| &*item.item).collect::<String>(),
        "xyz"
    );
    assert!(items.iter().all(|item| item.graders == 3));
}

#[test]
fn an_assessor_prefers_the_item_of_the_higher_grade() {
    let broad = grades(&UNANIMOUS).preferences(GradeScale::Broad);
    let votes = broad.queries()[0].votes();
    assert_eq!(votes.len(), 9);
    let equal = votes
        .iter()
        .filter(|vote| vote.preference == Preference::Equal);
    assert_eq!(equal.count(), 2, "x and y of ann and of cid");
    let fine = grades(&UNANIMOUS).preferences(GradeScale::Fine);
    let query = &fine.queries()[0];
    for vote in query.votes() {
        let names = [vote.a, vote.b].map(|item| query.items().name(item));
        let expected = if names[0] < names[1] {
            Preference::A
        } else {
            Preference::B
        };
        assert_eq!(vote.preference, expected, "{names:?}");
    }
}

#[test]
fn a_second_grade_of_the_same_person_is_an_error() {
    let mut grades = grades(&UNANIMOUS);
    let again = grades.add("q", grade(("ann", "x", 1.0, 1.0)));
    assert!(matches!(again, Err(GradesError::GradedTwice { .. })));
    assert_eq!(grades.item_grades()[0].graders, 3);
}

#[test]
fn the_list_of_the_grades_agrees_with_their_votes_in_every_replicate() {
    let grades = grades(&UNANIMOUS);
    let found = checked(&grades, GradeScale::Fine, None, Some((50, 0.95))).expect("a check");
    let list = &found.lists[0];
    assert_eq!(list.list, [["x"], ["y"]]);
    assert_eq!(list.counts.consistent, Some(1.0));
    let few = TruthCheckNote::FewAssessors(vec!["`q` (3)".to_owned()]);
    assert_eq!(found.notes, [few]);
    let trust = list.trust.as_ref().expect("a bootstrap");
    assert_eq!(trust.assumed, None, "no sort needed a pair");
    assert_eq!(trust.places.pairs[0].before, 1.0);
    assert_eq!(trust.places.items[1].lower, Some(2));
    assert_eq!(trust.places.items[1].upper, Some(2));
}

/// Two assessors put x first and one puts y first by far, so that the gains of y are higher. A
/// sample of three draws without that one (8 of 27) puts x first, counting the inner draw of the
/// nested bootstrap as well.
#[test]
fn other_assessors_could_reverse_the_gains() {
    let rows = [
        ("ann", "x", 2.0, 51.0),
        ("ann", "y", 2.0, 50.0),
        ("bob", "x", 2.0, 51.0),
        ("bob", "y", 2.0, 50.0),
        ("cid", "x", 1.0, 10.0),
        ("cid", "y", 2.0, 90.0),
    ];
    let found = checked(&grades(&rows), GradeScale::Fine, None, Some((4000, 0.95)));
    let found = found.expect("a check");
    let list = &found.lists[0];
    assert_eq!(list.list, [["y"], ["x"]]);
    assert_eq!(
        list.counts.summary.misordered, 1,
        "two of three votes are for x"
    );
    let trust = list.trust.as_ref().expect("a bootstrap");
    // The number k of draws of cid in the outer sample is binomial (3, 1/3); the inner sample lacks
    // cid with probability (1 - k/3)³.
    let outer = [8.0, 12.0, 6.0, 1.0].map(|count| count / 27.0);
    let lacks: f64 = (0..4)
        .map(|k| outer[k] * (1.0 - k as f64 / 3.0).powi(3))
        .sum();
    assert!((trust.places.pairs[0].after - lacks).abs() < 0.03);
    let rows: Vec<Row<'_>> = rows.into_iter().rev().collect();
    let again = checked(&grades(&rows), GradeScale::Fine, None, Some((4000, 0.95)));
    let again = again.expect("a check");
    assert_eq!(again.lists[0].trust.as_ref(), Some(trust));
}

#[test]
fn another_ground_truth_is_checked_against_the_votes_of_the_grades() {
    let grades = grades(&UNANIMOUS);
    let truth = GroundTruth::from_groups([("q", [vec!["y"], vec!["x", "new"]])]).expect("a truth");
    let found = checked(
        &grades,
        GradeScale::Fine,
        Some(("mine", &truth)),
        Some((5, 0.9)),
    );
    let found = found.expect("a check");
    assert_eq!(found.lists[0].audit.misordered[0].a, "y");
    let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert!(notes[0].contains("`new`"), "{notes:?}");
    assert!(notes[1].contains("the answers make"), "{notes:?}");
    let other = GroundTruth::from_groups([("p", [vec!["y"]])]).expect("a truth");
    let error = checked(&grades, GradeScale::Fine, Some(("other", &other)), None);
    assert!(matches!(error, Err(TruthCheckError::NoCommonQuery { .. })));
}
