//! Tests on answers of real assessors: the archive of Urbano et al. (2010), and votes on photos.
//! The repository does not include the data; `make data` runs these tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod real_data {
    use std::path::PathBuf;

    use partita_core::truth::Alpha;
    use partita_core::work::SequentialWork;
    use partita_core::{GroundTruth, Preferences};
    use partita_formats::Source;
    use partita_formats::campaign::recorded_votes;
    use partita_formats::preferences::{self, PreferencesFile, PreferencesReadOptions};
    use partita_judging::simulate::{AnswerSource, RecordedAnswers, SimulationRequest, simulate};
    use partita_judging::{
        AnswerClass, DecisionRule, DescribedAnswers, GroupingRule, ListMethod,
        PreferenceCheckRequest, PreferenceListsRequest, Price, ReferenceComparison,
        ReferenceComparisonRequest, ReferenceJudgments, Relation, Screening, ScreeningEvidence,
        ScreeningOptions, SignalKind, build_preference_lists, check_preferences,
        compare_with_reference, report_batches,
    };

    /// Mapping of the archive's CSV columns to those of Partita.
    const COLUMN_MAP: &str = "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,\
                        answer=Answer.radio,equal=s,time=CreationTime,ended=SubmitTime,\
                        seconds=WorkTimeInSeconds,background=Answer.bground,clips=Input.time";

    fn source(file: &str) -> Source {
        let root = std::env::var_os("PARTITA_DATA");
        let root = root.expect("PARTITA_DATA names the folder of the data (see CONTRIBUTING.md)");
        let path = PathBuf::from(root).join(file);
        Source::open(path.to_str().unwrap()).unwrap()
    }

    /// Reads the answers of the archive.
    fn archive() -> PreferencesFile {
        let options = PreferencesReadOptions {
            map: COLUMN_MAP.parse().unwrap(),
            ..PreferencesReadOptions::default()
        };
        preferences::read(&source("sigir2010-crowdsourcing/judgments.csv"), &options).unwrap()
    }

    /// Builds the lists from preferences.
    fn lists(preferences: &Preferences) -> GroundTruth {
        let request = PreferenceListsRequest {
            preferences,
            batches: &[],
            price: Some(Price::URBANO_2010),
            rule: DecisionRule::default(),
            by: ListMethod::Sort,
            grouping: GroupingRule::default(),
            seed: 1,
        };
        build_preference_lists(&request, &SequentialWork)
            .unwrap()
            .truth
    }

    #[track_caller]
    fn close(found: Option<f64>, expected: f64, tolerance: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < tolerance, "{found} {expected}");
    }

    #[test]
    #[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
    fn statistics_of_the_archive_batches_equal_table_2() {
        let file = archive();
        let found = report_batches(&file.preferences, &file.batches, Some(&Price::URBANO_2010));
        let times = found.batches.iter().map(|batch| &batch.priced);
        let minutes: Vec<i64> = times
            .map(|batch| batch.seconds_to_completion.unwrap() as i64 / 60)
            .collect();
        // Completion times of Table 2 in minutes, except for the third batch: the table prints 3h,
        // but the data has 3h 40m.
        assert_eq!(minutes, [13 * 60 + 29, 182, 220, 603, 209, 168, 81, 28]);
        let all = found.all;
        assert_eq!((all.pairs, all.answers, all.assessors), (281, 2805, 79));
        close(all.returning, 0.55, 0.005);
        assert_eq!(all.mean_of_median_seconds, Some(21.75));
        assert_eq!(all.cost, Some(70.25));
        close(all.agreement_of_batches, 0.664, 5e-4);
        close(all.agreement_of_pairs, 0.715, 5e-4);
        // Reference values of the Python package krippendorff 0.8, and of Fleiss' and Gwet's
        // formulas in NumPy, on the same answers with the items of every pair sorted by name.
        let found = all.agreement;
        close(found.alpha_nominal, 0.237_320_216_240_016_5, 1e-11);
        close(found.alpha_ordinal, 0.243_507_201_877_885_1, 1e-11);
        close(found.fleiss_kappa, 0.236_832_433_594_2, 1e-11);
        close(found.ac1, 0.307_157_682_520_5, 1e-11);
        close(found.ac2, 0.406_453_965_610_9, 1e-11);
    }

    /// Compares the answers with reference judgments, separately for each class of answers `by`.
    fn compare_answers_with(
        file: &PreferencesFile,
        others: &ReferenceJudgments,
        by: Option<AnswerClass>,
    ) -> ReferenceComparison {
        let answers = DescribedAnswers {
            preferences: &file.preferences,
            backgrounds: &file.backgrounds,
            batches: &[],
        };
        let request = ReferenceComparisonRequest {
            rule: DecisionRule::default(),
            against_alpha: Alpha::TYPKE,
            single: false,
            by,
        };
        compare_with_reference(answers, others, &request).unwrap()
    }

    #[test]
    #[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
    fn answers_of_assessors_without_background_agree_with_table_4() {
        let file = archive();
        let truth = ReferenceJudgments::from_truth(lists(&file.preferences));
        let found = compare_answers_with(&file, &truth, Some(AnswerClass::Background));
        let classes: Vec<&str> = (found.tables.iter())
            .map(|table| table.class.as_deref().unwrap())
            .collect();
        assert_eq!(classes, ["none", "some", "unknown"]);
        // Table 4 has 97 equal answers: it counts two blank answers of these five assessors as
        // equal.
        let none = &found.tables[0].counts;
        assert_eq!(
            Relation::ALL.map(|ours| none.column_total(ours)),
            [81, 95, 193]
        );
        let total: usize = found.tables.iter().map(|table| table.total).sum();
        assert_eq!(total, 2805);
        // The lists agree with all decisions except 44 pairs that were judged equal but are in
        // different groups, which count as partial agreement.
        let aggregated = &compare_answers_with(&file, &truth, None).tables[0];
        assert_eq!(
            (aggregated.total, aggregated.partial, aggregated.none),
            (281, 44, 0)
        );
        // A reference made from the same answers by the same rule agrees fully.
        let by = |rule| ReferenceJudgments::from_preferences(&file.preferences, rule);
        let same = &compare_answers_with(&file, &by(DecisionRule::default()), None).tables[0];
        assert_eq!(same.score, Some(1.0));
        assert_eq!(same.counts.count(Relation::Greater, Relation::Greater), 115);
        let sign: DecisionRule = "sign".parse().unwrap();
        let strict = &compare_answers_with(&file, &by(sign), None).tables[0];
        assert!(strict.none == 0 && strict.score < Some(1.0));
    }

    #[test]
    #[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
    fn the_assessor_who_prefers_other_items_to_the_query_itself_is_listed_first() {
        let file = archive();
        let evidence = ScreeningEvidence {
            clips: file.clips,
            ..ScreeningEvidence::default()
        };
        let settings = ScreeningOptions::default();
        let found = Screening::new(&file.preferences, &evidence, settings).unwrap();
        let cards = found.assessors;
        assert_eq!(cards.len(), 79);
        assert_eq!(cards[0].assessor, "4");
        assert_eq!(cards[0].gold.unwrap().wrong, 15);
        assert_eq!(cards.iter().map(|card| card.answers).sum::<usize>(), 2805);
        // Two robots had been blocked before, so no assessor is left whose times are all the same.
        let mut signals = cards.iter().flat_map(|card| &card.signals);
        assert!(signals.all(|signal| signal.kind != SignalKind::SameTime));
        let raised = cards.iter().filter(|card| !card.signals.is_empty());
        assert!(raised.count() < 16);
    }

    #[test]
    #[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
    fn the_audit_of_the_archive_finds_equal_pairs_in_different_groups() {
        let file = archive();
        let request = PreferenceCheckRequest {
            preferences: &file.preferences,
            truth: None,
            rule: DecisionRule::default(),
            seed: 1,
            triples: 500,
            bootstrap: Some((40, 0.95)),
        };
        let found = check_preferences(&request, &partita::ThreadPool::new(0)).unwrap();
        let summary = found.totals.summary;
        assert_eq!(
            (summary.intra, summary.inter, summary.misordered),
            (0, 44, 0)
        );
        // The 11 lists of 118 items have 717 pairs, of which 281 were compared.
        assert_eq!(summary.undecided, 717 - 281);
        assert_eq!(found.lists.len(), 11);
        for list in &found.lists {
            let trust = list.trust.as_ref().unwrap();
            let mut items = trust.places.items.iter();
            assert!(items.all(|item| item.lower.is_some() && item.lower <= item.upper));
            for pair in &trust.relations {
                let sum = pair.less + pair.equal + pair.greater;
                assert!((sum - 1.0).abs() < 1e-9, "{pair:?}");
            }
        }
        // The pivots inferred from the recorded answers reproduce the lists, so there is no note.
        assert!(found.notes.is_empty(), "{:?}", found.notes);
        let in_turn = check_preferences(&request, &SequentialWork).unwrap();
        assert_eq!(in_turn.lists, found.lists);
    }

    #[test]
    #[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
    fn the_pooled_strategy_needs_fewer_votes_than_the_sort_on_photos() {
        let read = recorded_votes::read(&source("photo-pairs/Photo.csv")).unwrap();
        let answers = RecordedAnswers::from_vote_sizes(&read.items, &read.pairs, 0.125).unwrap();
        let request = SimulationRequest {
            strategies: vec!["sort".to_owned(), "pooled".to_owned()],
            lists: 30,
            items: (14, 16),
            votes: 10,
            rule: DecisionRule::default(),
            matters: GroupingRule::DEFAULT_MATTERS,
            settled: 0.02,
            price: Some(Price::URBANO_2010),
            seconds: 21.75,
            resamples: 20,
            seed: 1,
        };
        let threads = partita::ThreadPool::new(0);
        let found = simulate(&request, AnswerSource::Recorded(&answers), &threads).unwrap();
        let share = found.strategies[1]
            .baseline_comparison
            .needed_mean
            .unwrap()
            .mean;
        assert!(share < 0.6, "{share}");
    }
}
