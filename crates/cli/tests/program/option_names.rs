//! Tests of option names: aliases from other programs, tips for wrong names, values in any letter
//! case, and manual pages.

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
fn options_have_the_names_of_other_programs_as_aliases() {
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
fn a_wrong_option_gets_one_tip_that_names_the_right_one() {
    for (tried, right) in [
        ("evaluate --truth q.qrels r.run --json", "--format json"),
        (
            "evaluate --truth q.qrels --runs r.run",
            "use the runs as arguments",
        ),
        ("evaluate --truth q.qrels r.run --cutoff 5", "-m nDCG@10"),
        ("compare s.csv --significance 0.01", "--alpha"),
        ("compare s.csv --tset t", "--test"),
        (
            "evaluate --truth q.qrels r.run --correction holm",
            "partita compare SCORES --correct",
        ),
        ("truth study s.csv", "use --rankings FILE"),
        ("judge init new.jsonl s.csv", "use --candidates FILE"),
    ] {
        let ended = folder().partita(tried).refuses(&[right]);
        assert!(!ended.err.contains("as a value, use"), "{}", ended.err);
        let tips = ended.err.matches("tip:").count();
        assert_eq!(tips, 1, "{}", ended.err);
    }
}

#[test]
fn option_values_are_accepted_in_any_letter_case() {
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
    for page in ["partita.1", "partita-evaluate.1", "partita-judge-next.1"] {
        assert!(
            folder.read(&format!("pages/{page}")).contains(".SH NAME"),
            "{page}"
        );
    }
}

#[test]
fn a_figure_has_the_format_of_its_file_extension() {
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

#[test]
fn significance_levels_for_building_and_checking_have_separate_aliases() {
    let folder = Folder::with(
        "r.csv",
        "assessor,a,b,c\n1,1,2,3\n2,1,3,2\n3,2,1,3\n4,1,2,3\n",
    );
    for (command, own, help) in [
        ("truth build", "--build-alpha", "tests that build the lists"),
        ("truth study", "--build-alpha", "tests that build the lists"),
        ("truth check", "--check-alpha", "tests that check the lists"),
    ] {
        let asked = |option: &str| folder.output(&format!("{command} -r r.csv {option} 0.1"));
        assert_eq!(asked("--alpha"), asked(own), "{command}");
        let shown = folder.output(&format!("{command} --help"));
        assert!(
            shown.contains(help) && shown.contains(&format!("[alias: {own}]")),
            "{shown}"
        );
    }
    folder.output("truth check -r r.csv --build-alpha 0.1 --check-alpha 0.2");
}

#[test]
fn missing_scores_and_missing_queries_are_skipped_by_the_same_value() {
    let folder = folder().and(
        "h.csv",
        "query,x,y\n1,0.1,\n2,0.3,0.2\n3,0.5,0.9\n4,0.2,0.8\n",
    );
    let skipped = folder.output("compare h.csv --missing skip");
    assert_eq!(folder.output("compare h.csv --missing drop-query"), skipped);
    folder.output("evaluate --truth q.qrels r.run --missing skip");
    folder.refuses(
        "compare h.csv",
        &["`--missing skip` leaves such queries out"],
    );
}

#[test]
fn convert_accepts_csv_and_the_option_format() {
    let folder = folder().and("p.csv", "query,a,b,assessor,answer\nq,x,y,ann,a\n");
    for (command, usual) in [
        ("truth convert q.qrels", "groups"),
        ("run convert r.run", "systems"),
        ("scores convert s.csv", "rows"),
        ("preferences convert p.csv", "answers"),
    ] {
        let expected = folder.output(&format!("{command} --to {usual}"));
        for guess in ["--to csv", "--to CSV", &format!("--format {usual}")] {
            assert_eq!(
                folder.output(&format!("{command} {guess}")),
                expected,
                "{guess}"
            );
        }
    }
}

#[test]
fn a_name_with_spaces_is_refused_with_the_formats_that_allow_it() {
    let folder = Folder::with("t.txt", "q: (a b), (c)\n").and("r.json", r#"{"q": ["a b"]}"#);
    folder.refuses(
        "truth convert t.txt --to qrels",
        &["`a b`", "`--to gains`", "tabs"],
    );
    folder.refuses(
        "run convert r.json --to trec",
        &["`a b`", "`--to systems`", "tabs"],
    );
}

#[test]
fn help_groups_options_under_headings_and_names_a_guide() {
    let folder = Folder::new();
    for (command, headings) in [
        (
            "evaluate",
            &["Measures:", "Queries:", "Intervals:", "Reading:", "Output:"][..],
        ),
        ("compare", &["Scores:", "Test:", "Output:"]),
        (
            "reliability",
            &["Scores:", "Query sets:", "Tests:", "Output:"],
        ),
        ("plan", &["Scores:", "Coefficients:", "Money:", "Output:"]),
        (
            "truth build",
            &["Levels:", "From rankings:", "From preferences:"],
        ),
        (
            "truth check",
            &["Tests:", "From rankings:", "Bootstrap:", "Output:"],
        ),
        (
            "judge init",
            &[
                "Votes and decisions:",
                "Strategy:",
                "Checks:",
                "People and questions:",
            ],
        ),
    ] {
        let help = folder.output(&format!("{command} --help"));
        for heading in headings {
            assert!(
                help.contains(&format!("\n{heading}\n")),
                "{command}: {heading}\n{help}"
            );
        }
        assert!(help.trim_end().ends_with("(in the source)"), "{help}");
    }
    let init = folder.output("judge init --help");
    assert!(
        init.contains("all votes on each pair (Urbano et al. 2010)"),
        "{init}"
    );
    let simulate = folder.output("judge simulate --help");
    let simulate = simulate.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(simulate.contains("[default: sort,"), "{simulate}");
}

#[test]
fn messages_use_the_singular_for_a_count_of_one() {
    let folder = Folder::with("z.qrels", "q1 0 a 1\nq1 0 b 0\n").and("l.jsonl", "what\n");
    folder
        .partita("truth convert z.qrels --to groups")
        .succeeds()
        .says(&["1 judged item with a grade of 0 or less is not in the lists"]);
    let said = folder.run("stats t l.jsonl");
    said.says(&["1 of 1 line could not be answered"]);
    folder.refuses(
        "truth convert z.qrels --to groups --query q9",
        &["its only query is q1"],
    );
}
