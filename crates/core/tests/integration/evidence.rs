//! Checks and bootstraps of lists by a kind of evidence that only this test has: marks, whose mean
//! orders the items.

use partita_core::evidence::{
    AssessorResampler, BootstrapOptions, CheckDetail, CheckedList, ListCase, ListEvidence,
    ListResampling, TruthCheckError, TruthCheckNote, bootstrap_lists, check_lists,
};
use partita_core::truth::{Audit, AuditedPair, PairFinding};
use partita_core::work::SequentialWork;
use partita_core::{GroundTruth, GroupedList, Item, Names, QueryTruth};

/// Marks of the items of one query: one row per assessor, a higher mark is better.
struct Marks {
    query: &'static str,
    items: Names,
    rows: Vec<Vec<u32>>,
}

/// Marks of all queries, given by the same assessors.
struct MarksEvidence {
    queries: Vec<Marks>,
    assessors: Names,
}

#[derive(Clone, Debug, PartialEq)]
struct MarksDetail;

impl CheckDetail for MarksDetail {
    type Settings = ();
    type Measures = ();
    type PairDetail = u32;
    type Counts = usize;
    type Totals = ();
    /// Share of replicates with the same groups.
    type Uncertainty = f64;
    type Bootstrap = ();
}

impl Marks {
    /// Orders the items by the sum of the marks of these assessors.
    fn list(&self, assessors: &[usize]) -> GroupedList {
        let mark = |item: Item| -> u32 {
            let marks = assessors.iter().map(|&who| self.rows[who][item.index()]);
            marks.sum()
        };
        let mut items: Vec<Item> = self.items.items().collect();
        items.sort_by_key(|&item| std::cmp::Reverse(mark(item)));
        let groups = items.chunk_by(|&a, &b| mark(a) == mark(b));
        GroupedList::new(groups.map(<[Item]>::to_vec)).expect("each item is marked once")
    }

    fn all(&self) -> Vec<usize> {
        (0..self.rows.len()).collect()
    }
}

#[derive(Clone)]
struct MarksBootstrap<'e> {
    marks: &'e Marks,
    people: &'e AssessorResampler,
}

impl ListResampling for MarksBootstrap<'_> {
    type Replicate = GroupedList;

    fn list(replicate: &GroupedList) -> &GroupedList {
        replicate
    }

    fn replicate(&mut self, seed: u64, replicate: u64) -> GroupedList {
        self.marks.list(&self.people.draw(seed, replicate))
    }
}

impl ListEvidence for MarksEvidence {
    /// List that all marks make.
    type Case = GroupedList;
    type Detail = MarksDetail;
    type Shared = AssessorResampler;
    type Bootstrap<'e> = MarksBootstrap<'e>;

    fn judgments(&self) -> &'static str {
        "marks"
    }

    fn construction(&self) -> String {
        "the marks make".to_owned()
    }

    fn query_names(&self) -> Vec<&str> {
        self.queries.iter().map(|marks| marks.query).collect()
    }

    fn resolve(
        &self,
        query: usize,
        truth: &QueryTruth,
        unmatched: &mut Vec<String>,
    ) -> Result<GroupedList, TruthCheckError> {
        let items = &self.queries[query].items;
        let groups = truth.list().to_named_groups(truth.names()).into_iter();
        let known = groups.map(|group| {
            let (known, unknown): (Vec<String>, Vec<String>) = group
                .into_iter()
                .partition(|name| items.get(name).is_some());
            unmatched.extend(unknown);
            let known = known.iter().filter_map(|name| items.get(name));
            known.collect::<Vec<Item>>()
        });
        let known = known.filter(|group| !group.is_empty());
        Ok(GroupedList::new(known).expect("a list holds no item twice"))
    }

    fn unmatched_note(&self, unmatched: Vec<String>) -> TruthCheckNote {
        TruthCheckNote::UncomparedItems(unmatched)
    }

    fn case(&self, query: usize, given: Option<GroupedList>) -> ListCase<GroupedList> {
        let marks = &self.queries[query];
        let built = marks.list(&marks.all());
        ListCase {
            query,
            list: given.unwrap_or_else(|| built.clone()),
            evidence: built,
        }
    }

    fn check(&self, case: &ListCase<GroupedList>) -> CheckedList<MarksDetail> {
        let marks = &self.queries[case.query];
        let place = |item: Item| {
            let mut groups = case.evidence.groups();
            groups.position(|group| group.contains(&item))
        };
        let finding = |a, b| {
            Some(PairFinding {
                differs: place(a) != place(b),
                misordered: place(a) > place(b),
            })
        };
        let (audit, counts) = Audit::new(&case.list, finding, |a, b| AuditedPair {
            a: marks.items.name(a).to_owned(),
            b: marks.items.name(b).to_owned(),
            p: None,
            p_less: None,
            p_greater: None,
            evidence: 0,
        });
        let listed = (&marks.items, &case.list);
        let found = (audit, counts.inconsistent);
        CheckedList::new(marks.query, listed, marks.rows.len(), (), found)
    }

    fn built_list(&self, case: &ListCase<GroupedList>) -> GroupedList {
        case.evidence.clone()
    }

    fn bootstrap<'e>(
        &'e self,
        people: &'e AssessorResampler,
        _: usize,
        case: &'e ListCase<GroupedList>,
    ) -> MarksBootstrap<'e> {
        let marks = &self.queries[case.query];
        MarksBootstrap { marks, people }
    }

    fn uncertainty(
        &self,
        _: &AssessorResampler,
        _: usize,
        case: &ListCase<GroupedList>,
        replicates: &[GroupedList],
        _: f64,
    ) -> f64 {
        let same = replicates
            .iter()
            .filter(|list| list.has_same_groups(&case.list));
        same.count() as f64 / replicates.len() as f64
    }
}

fn names(names: &[&str]) -> Names {
    let mut numbered = Names::new();
    for name in names {
        numbered.intern(name).expect("few names");
    }
    numbered
}

/// Everybody prefers x in q1; in q2 one of two assessors prefers y by a little.
fn marks() -> MarksEvidence {
    let query = |query, rows: [[u32; 2]; 2]| Marks {
        query,
        items: names(&["x", "y"]),
        rows: rows.iter().map(|row| row.to_vec()).collect(),
    };
    MarksEvidence {
        queries: vec![query("q1", [[2, 1], [3, 0]]), query("q2", [[5, 1], [1, 2]])],
        assessors: names(&["ann", "bob"]),
    }
}

#[test]
fn lists_without_a_ground_truth_are_those_that_the_judgments_make() {
    let found = check_lists(&marks(), None, &SequentialWork).expect("a check");
    assert!(found.notes.is_empty(), "{:?}", found.notes);
    for list in &found.lists {
        assert_eq!(list.list, [["x"], ["y"]]);
        assert_eq!((list.items, list.groups, list.assessors), (2, 2, 2));
        assert_eq!((list.counts, &list.trust), (0, &None));
    }
}

#[test]
fn lists_of_a_ground_truth_are_matched_by_query_and_item() {
    let truth = GroundTruth::from_groups([
        ("q2", [vec!["y"], vec!["x", "z"]]),
        ("q3", [vec!["x"], vec!["y"]]),
    ]);
    let found = check_lists(&marks(), Some(&truth.expect("a truth")), &SequentialWork);
    let found = found.expect("a check");
    assert_eq!(found.lists.len(), 1);
    let list = &found.lists[0];
    assert_eq!((&*list.query, list.counts), ("q2", 1));
    assert_eq!(list.audit.misordered[0].a, "y");
    let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "queries that have no marks and are not audited: `q3`",
            "queries with marks that are not in the ground truth: `q1`",
            "items that nobody compared and that are left out: `z`",
        ]
    );
    let other = GroundTruth::from_groups([("q9", [vec!["x"]])]).expect("a truth");
    let error = check_lists(&marks(), Some(&other), &SequentialWork).err();
    let error = error.expect("no query in common").to_string();
    assert!(
        error.contains("no query of the ground truth has marks"),
        "{error}"
    );
}

#[test]
fn the_bootstrap_sets_the_uncertainty_of_each_list_and_notes_other_lists() {
    let evidence = marks();
    let truth = GroundTruth::from_groups([
        ("q1", [vec!["x"], vec!["y"]]),
        ("q2", [vec!["y"], vec!["x"]]),
    ]);
    let truth = truth.expect("a truth");
    let mut found = check_lists(&evidence, Some(&truth), &SequentialWork).expect("a check");
    let options = BootstrapOptions {
        replicates: 2000,
        seed: 7,
        confidence: 0.95,
        other_passes: 0,
    };
    let people = AssessorResampler::new(&evidence.assessors);
    bootstrap_lists(&evidence, &mut found, &options, &people, &SequentialWork).expect("done");
    let shares: Vec<Option<f64>> = found.lists.iter().map(|list| list.trust).collect();
    // Resampling two people who agree shows nothing (numbers C5).
    assert_eq!(shares[0], None);
    // Only a sample of bob twice, which is one in four, puts y first.
    let share = shares[1].expect("two people who do not agree");
    assert!((share - 0.25).abs() < 0.04, "{shares:?}");
    let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "lists that are not those that the marks make, which is what the bootstrap is about: `q2`",
            "lists by fewer than 5 people, for which P and intervals say little about other people: \
             `q2` (2)",
            "lists by two people or one that are the same whoever of them is drawn, and that get \
             neither P nor intervals: `q1`",
        ]
    );
}
