//! What people try first: names of other programs, words in any case, and where to find the rest.

use crate::session::Folder;

fn folder() -> Folder {
    Folder::with("q.qrels", "q1 0 a 2\nq1 0 b 1\n")
        .and("r.run", "q1 Q0 b 1 2 mine\nq1 Q0 a 2 1 mine\n")
        .and(
            "s.csv",
            "query,x,y\n1,0.1,0.4\n2,0.3,0.2\n3,0.5,0.9\n4,0.2,0.8\n",
        )
}

#[test]
fn options_are_understood_under_the_names_of_other_programs() {
    let folder = folder();
    let usual = folder.output("evaluate --truth q.qrels r.run -m AP");
    for guess in [
        "--qrels q.qrels r.run --metric map",
        "--qrels q.qrels r.run --measures AP",
    ] {
        assert_eq!(
            folder.output(&format!("evaluate {guess}")),
            usual,
            "{guess}"
        );
    }
    let corrected = folder.output("compare s.csv --test t --correct holm");
    assert_eq!(
        folder.output("compare s.csv --test T --correction HOLM"),
        corrected
    );
}

#[test]
fn a_wrong_option_is_answered_with_the_right_word() {
    for (tried, right) in [
        ("evaluate --truth q.qrels r.run --json", "--format json"),
        (
            "evaluate --truth q.qrels --runs r.run",
            "the runs come after the options",
        ),
        ("evaluate --truth q.qrels r.run --cutoff 5", "-m nDCG@10"),
        ("compare s.csv --significance 0.01", "--alpha"),
        ("compare s.csv --tset t", "--test"),
        ("truth build s.csv", "there is --rankings FILE"),
        ("judge batches s.csv", "there is --preferences FILE"),
        ("judge init new.jsonl s.csv", "there is --candidates FILE"),
    ] {
        let ended = folder().partita(tried).refuses(&[right]);
        assert!(!ended.err.contains("as a value, use"), "{}", ended.err);
    }
}

#[test]
fn the_options_of_a_prediction_stand_under_headings() {
    let help = Folder::new().output("judge predict --help");
    let [answers, prediction, output] =
        ["\nAnswers:\n", "\nPrediction:\n", "\nOutput:\n"].map(|heading| {
            help.find(heading)
                .unwrap_or_else(|| panic!("no {heading} in {help}"))
        });
    for (option, between) in [
        ("--preferences", answers..prediction),
        ("--decide", answers..prediction),
        ("--alpha", answers..prediction),
        ("--stop-at", prediction..output),
        ("--resamples", prediction..output),
        ("--seed", prediction..output),
        ("--threads", prediction..output),
    ] {
        assert!(help[between].contains(option), "{option}: {help}");
    }
}

#[test]
fn choices_are_understood_in_any_case() {
    let folder = folder();
    let usual = folder.output("compare s.csv --like mirex");
    assert_eq!(folder.output("compare s.csv --like MIREX"), usual);
    folder
        .partita("compare s.csv --like nobody")
        .refuses(&["mirex", "urbano-2011"]);
}

#[test]
fn every_command_has_completions_and_a_manual_page() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.output(&format!("completions {shell}"));
        for word in ["evaluate", "readmit", "per-query"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    folder.output("man pages");
    for page in ["partita.1", "partita-evaluate.1", "partita-judge-ask.1"] {
        assert!(
            folder.read(&format!("pages/{page}")).contains(".SH NAME"),
            "{page}"
        );
    }
}

#[test]
fn a_figure_is_what_its_ending_says_and_another_ending_is_refused() {
    let folder = folder();
    for (ending, begins) in [("svg", "<svg"), ("pdf", "%PDF-"), ("png", "\u{89}PNG")] {
        folder.output(&format!(
            "evaluate --truth q.qrels r.run --figure f.{ending}"
        ));
        let bytes = std::fs::read(folder.path(&format!("f.{ending}"))).unwrap();
        let begin: Vec<u8> = begins.chars().map(|letter| letter as u8).collect();
        assert!(bytes.starts_with(&begin), "{ending}");
    }
    for wrong in ["f.jpg", "f", "f.PNGX"] {
        let command = format!("evaluate --truth q.qrels r.run --figure {wrong}");
        folder
            .partita(&command)
            .refuses(&[".svg, .pdf or .png", "figures/"]);
    }
    folder.output("evaluate --truth q.qrels r.run --figure drawn/");
    assert!(folder.path("drawn/dynamic-recall.svg").is_file());
}
