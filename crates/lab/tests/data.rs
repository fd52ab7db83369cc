//! Predictions on the answers of Urbano et al. (2010). The data is not part of the repository:
//! `make data` runs these tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod real_data {
    use std::path::PathBuf;

    use partita_formats::Source;
    use partita_formats::preferences::{self, PreferencesReadOptions};
    use partita_judging::DecisionRule;
    use partita_lab::{PredictionOptions, PredictionRequest, measure_vote_value};

    /// Columns of the archive.
    const TURK: &str = "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,\
                        answer=Answer.radio,equal=s";

    #[test]
    #[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
    fn archive_pooled_model_needs_about_half_the_votes_and_curtailment_keeps_decisions() {
        let root = std::env::var_os("PARTITA_DATA");
        let root = root.expect("PARTITA_DATA names the folder of the data (see CONTRIBUTING.md)");
        let file = PathBuf::from(root).join("sigir2010-crowdsourcing/judgments.csv");
        let options = PreferencesReadOptions {
            map: TURK.parse().unwrap(),
            ..PreferencesReadOptions::default()
        };
        let source = Source::open(file.to_str().unwrap()).unwrap();
        let archive = preferences::read(&source, &options).unwrap().preferences;
        let request = PredictionRequest {
            settings: PredictionOptions::default(),
            rule: DecisionRule::default(),
            confidence: vec![0.9],
        };
        let threads = partita::ThreadPool::new(0);
        let found = measure_vote_value(&archive, &request, &threads).unwrap();
        let prediction = &found.prediction;
        assert_eq!(
            (prediction.pairs, prediction.held_out),
            (281, 2805 - 5 * 281)
        );
        // By mean squared error the share of votes needed is about one half; it varies with the
        // random orders.
        for (measure, most) in [("direction", 0.5), ("mean_square", 0.55)] {
            let share = prediction.needed.get(measure).unwrap().share.unwrap().mean;
            assert!(share <= most, "{measure} {share}");
        }
        let curtailed = &found.stops[1];
        assert_eq!(
            (curtailed.stop.as_str(), curtailed.found.kept),
            ("curtailed", 1.0)
        );
        assert!(curtailed.found.votes < 0.92);
    }
}
