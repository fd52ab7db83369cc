//! Tests of the figures of `partita reliability`.

use crate::session::Folder;

#[test]
fn a_folder_gets_figures_of_power_conflicts_and_discrimination() {
    let folder = Folder::with_scores(5, 20);
    folder.output("reliability scores.csv --trials 20 --figure figures/");
    for (name, words) in [
        (
            "power",
            [
                "differ significantly",
                "friedman-tukey, alpha 0.05",
                "wilcoxon, alpha 0.01",
            ],
        ),
        (
            "conflicts",
            [
                "two sets of queries conflict",
                "friedman-tukey, alpha 0.05",
                "10 queries",
            ],
        ),
        (
            "discrimination",
            ["on all queries", "significance level", "wilcoxon"],
        ),
    ] {
        let svg = folder.read(&format!("figures/{name}.svg"));
        assert!(roxmltree::Document::parse(&svg).is_ok());
        for words in words {
            assert!(svg.contains(words), "{name}: {words}");
        }
    }
}

#[test]
fn a_file_gets_the_power_figure_with_a_reference_line() {
    let folder = Folder::with_scores(5, 20);
    folder.output("reliability scores.csv --trials 20 --test t --figure power.svg");
    let svg = folder.read("power.svg");
    assert!(svg.contains("t, alpha 0.05") && svg.contains("20 queries"));
}
