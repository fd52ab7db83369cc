//! Tests of tables in each output format.

use partita_named::NamedEnum;
use partita_report::{
    Alignment, Cell, CellValue, Column, Document, Optimum, Table, TableFormat, TableRow, Terminal,
};
use proptest::prelude::*;

fn results() -> Table {
    let mut table = Table::new([
        Column::text("System"),
        Column::number("ADR", 3),
        Column::number("Δ", 2),
        Column::integer("Queries"),
    ])
    .with_caption("Average dynamic recall, 2005 & 2006")
    .with_note("Bold: the best value of its column");
    table.push_heading("Symbolic");
    let row = |name: &str, adr: f64, delta: Option<f64>| {
        [name.into(), adr.into(), delta.into(), Cell::integer(11)]
    };
    table.push(row("EMD", 0.7402, Some(0.0)));
    table.push(row("n-grams", 0.65913, Some(-0.081)));
    table.push_heading("Audio");
    table.push(row("旋律の類似度", 0.7396, None));
    table.push_rule();
    table.push(row("mean", 0.713, Some(-0.001)));
    table.emphasise_best(1, Optimum::Highest);
    table
}

/// Returns a table that has the same text as header, caption, note, subheading and cells.
fn table_of(text: &str) -> Table {
    let mut table = Table::new([Column::text(text), Column::number("n", 1)])
        .with_caption(text)
        .with_note(text);
    table.push_heading(text);
    table.push([text.into(), Cell::text(text).with_emphasis()]);
    table
}

#[test]
fn a_plain_text_table_has_rules_and_aligned_numbers() {
    let expected = "\
Average dynamic recall, 2005 & 2006
───────────────────────────────────
System          ADR      Δ  Queries
─ Symbolic ────────────────────────
EMD           0.740   0.00       11
n-grams       0.659  -0.08       11
─ Audio ───────────────────────────
旋律の類似度  0.740      –       11
───────────────────────────────────
mean          0.713   0.00       11
───────────────────────────────────
Bold: the best value of its column
";
    assert_eq!(TableFormat::Text.render(&results()), expected);
}

#[test]
fn the_best_value_is_bold_on_a_terminal() {
    let screen = Terminal {
        columns: Some(80),
        bold: true,
    };
    let shown = TableFormat::Text.render_on(&results(), screen);
    assert!(shown.contains("\u{1b}[1m0.740\u{1b}[0m"), "{shown}");
    assert!(!shown.contains('*'), "{shown}");
}

#[test]
fn a_table_too_wide_for_the_terminal_wraps_headers_then_cells_then_stacks() {
    let mut table = Table::new([
        Column::text("System"),
        Column::number("Mean of all", 3),
        Column::text("Why"),
        Column::number("Worst of all queries", 3),
    ]);
    table.push([
        "EMD".into(),
        0.5.into(),
        "it ranks by the earth mover's distance of weighted notes".into(),
        0.25.into(),
    ]);
    let on = |columns: usize| {
        let screen = Terminal {
            columns: Some(columns),
            bold: false,
        };
        TableFormat::Text.render_on(&table, screen)
    };
    let broken = "\
──────────────────────────────────────────────────────
         Mean                                    Worst
           of                                   of all
System    all  Why                             queries
──────────────────────────────────────────────────────
EMD     0.500  it ranks by the earth mover's     0.250
               distance of weighted notes
──────────────────────────────────────────────────────
";
    assert_eq!(on(54), broken);
    let stacked = "\
─────────────────────────────────
         Mean
           of
System    all  Why
─────────────────────────────────
EMD     0.500  it ranks by the
               earth mover's
               distance of
               weighted notes
─────────────────────────────────

────────────────────────────
System  Worst of all queries
────────────────────────────
EMD                    0.250
────────────────────────────
";
    assert_eq!(on(33), stacked);
}

#[test]
fn the_last_stacked_block_has_at_least_two_columns_if_possible() {
    let names = ["ADR", "nDCG@5", "unjudged", "unjudged@5", "missing"];
    let columns = names.map(|name| Column::number(name, 4));
    let mut table = Table::new([Column::text("Run")].into_iter().chain(columns));
    table.push(
        [Cell::text("contour")]
            .into_iter()
            .chain([0.5; 5].map(Cell::number)),
    );
    let screen = Terminal {
        columns: Some(46),
        bold: false,
    };
    let shown = TableFormat::Text.render_on(&table, screen);
    let headers = shown.lines().filter(|line| line.starts_with("Run"));
    let headers: Vec<Vec<&str>> = headers
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        headers,
        [
            vec!["Run", "ADR", "nDCG@5", "unjudged"],
            vec!["Run", "unjudged@5", "missing"]
        ]
    );
}

proptest! {
    // Fewer cases than usual, because generating the random words is slow.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_line_is_wider_than_the_terminal_and_no_word_is_lost(
        columns in 40usize..140,
        headers in prop::collection::vec("[a-zA-Z]{1,9}( [a-z]{1,9}){0,4}", 2..12),
        cells in prop::collection::vec("[a-z]{1,30}( [a-z]{1,12}){0,12}", 12),
        note in "[a-z]{1,12}( [a-z]{1,12}){0,60}",
    ) {
        let text = |header: &String| Column::text(header.as_str());
        let mut table = Table::new(headers.iter().map(text)).with_note(note.clone());
        table.push(cells.iter().take(headers.len()).map(|cell| Cell::from(cell.as_str())));
        let screen = Terminal { columns: Some(columns), bold: false };
        let shown = TableFormat::Text.render_on(&table, screen);
        for line in shown.lines() {
            prop_assert!(line.chars().count() <= columns, "{line}");
        }
        let words = note.split(' ').chain(cells[..headers.len()].iter().flat_map(|c| c.split(' ')));
        for word in words.filter(|word| word.len() <= 6) {
            prop_assert!(shown.contains(word), "{word}\n{shown}");
        }
    }
}

#[test]
fn key_columns_are_repeated_in_each_block_without_wrapping() {
    let mut table = Table::new([
        Column::text("Measure"),
        Column::text("Test"),
        Column::integer("Queries"),
        Column::number("Lack of power", 2),
        Column::number("Significant swap", 2),
        Column::number("Exclusive or", 2),
        Column::text("Remark"),
    ])
    .with_key_columns(3);
    let names = [
        "nDCG(discount=log)@5".into(),
        "friedman-tukey:0.05".into(),
        50usize.into(),
    ];
    let remark = "conflicts are rare where so many queries are asked".into();
    table.push(
        names
            .into_iter()
            .chain([1.0.into(), 2.0.into(), 3.0.into(), remark]),
    );
    for columns in [80, 72] {
        let screen = Terminal {
            columns: Some(columns),
            bold: false,
        };
        let text = TableFormat::Text.render_on(&table, screen);
        let rows = text
            .lines()
            .filter(|line| line.starts_with("nDCG(discount=log)@5  "));
        let named = |line: &str| line.contains("  friedman-tukey:0.05       50");
        assert!(
            rows.clone().count() > 1 && rows.clone().all(named),
            "{text}"
        );
        let headers = text.lines().filter(|line| line.starts_with("Measure"));
        assert_eq!(headers.count(), rows.count(), "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= columns),
            "{text}"
        );
    }
}

#[test]
fn a_latex_label_is_set_on_each_table() {
    let document = Document::new().table(results()).table(table_of("x"));
    let document = document.with_caption(Some("Recall & more"), Some("tab:adr"));
    let latex = TableFormat::Latex.render_document(&document);
    assert!(
        latex.contains("\\caption{Recall \\& more}\n\\label{tab:adr}\n"),
        "{latex}"
    );
    assert!(
        latex.contains("\\caption{x}\n\\label{tab:adr-2}\n"),
        "{latex}"
    );
    let text = TableFormat::Text.render_document(&document);
    assert!(
        text.starts_with("Recall & more\n") && !text.contains("tab:adr"),
        "{text}"
    );
}

#[test]
fn a_latex_table_has_booktabs_rules() {
    let expected = r"\begin{table}[htbp]
\centering
\caption{Average dynamic recall, 2005 \& 2006}
\begin{tabular}{lrrr}
\toprule
System & ADR & $\Delta$ & Queries \\
\midrule
\multicolumn{4}{l}{\emph{Symbolic}} \\
EMD & \textbf{0.740} & 0.00 & 11 \\
n-grams & 0.659 & $-$0.08 & 11 \\
\addlinespace
\multicolumn{4}{l}{\emph{Audio}} \\
旋律の類似度 & \textbf{0.740} & -- & 11 \\
\midrule
mean & 0.713 & 0.00 & 11 \\
\bottomrule
\end{tabular}
\par\smallskip
{\footnotesize Bold: the best value of its column}
\end{table}
";
    assert_eq!(TableFormat::Latex.render(&results()), expected);
}

#[test]
fn a_number_that_rounds_to_zero_has_no_minus_sign() {
    let mut table = Table::new([Column::number("n", 3), Column::integer("m")]);
    table.push([Cell::number(-0.0004), Cell::number(-0.0)]);
    table.push([Cell::number(-0.0006), Cell::number(-1.0)]);
    let text = TableFormat::Text.render(&table);
    assert!(text.contains("\n 0.000   0\n-0.001  -1\n"), "{text}");
}

#[test]
fn a_latex_table_without_caption_and_note_is_a_bare_tabular() {
    let table = Table::new([Column::text("a").with_alignment(Alignment::Centre)]);
    let latex = TableFormat::Latex.render(&table);
    assert!(latex.starts_with("\\begin{tabular}{c}\n"), "{latex}");
    assert!(latex.ends_with("\\end{tabular}\n"), "{latex}");
}

#[test]
fn latex_special_characters_are_escaped() {
    let cases = [
        ("a\\b", r"a\textbackslash{}b"),
        ("{x}", r"\{x\}"),
        ("50% & #1_a$", r"50\% \& \#1\_a\$"),
        ("x^2~y", r"x\textasciicircum{}2\textasciitilde{}y"),
        ("<a|b>", r"\textless{}a\textbar{}b\textgreater{}"),
        ("[1]*", "{[}1]{*}"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("?`!`", "?{}`!{}`"),
        ("p ≤ .05, χ²", r"p $\le$ .05, $\chi$$^2$"),
        ("two\nlines", "two lines"),
    ];
    for (text, expected) in cases {
        let latex = TableFormat::Latex.render(&table_of(text));
        assert!(
            latex.contains(&format!("\\caption{{{expected}}}")),
            "{latex}"
        );
        assert!(
            latex.contains(&format!("\\textbf{{{expected}}}")),
            "{latex}"
        );
    }
}

#[test]
fn wiki_markup_in_names_is_escaped() {
    let wiki =
        TableFormat::MediaWiki.render(&table_of("a|b [[c]] {{d}} <br> '''e''' ~~~~ __TOC__"));
    assert!(
        wiki.contains(
            "a&#124;b &#91;&#91;c&#93;&#93; &#123;&#123;d&#125;&#125; &lt;br&gt; \
         &#39;&#39;&#39;e&#39;&#39;&#39; &#126;&#126;&#126;&#126; _&#95;TOC_&#95;"
        ),
        "{wiki}"
    );
}

#[test]
fn a_wiki_table_is_sortable_unless_it_has_subheadings() {
    let mut table = Table::new([Column::text("System"), Column::number("ADR", 2)]);
    table.push(["EMD".into(), 0.74.into()]);
    assert_eq!(
        TableFormat::MediaWiki.render(&table),
        "{| class=\"wikitable sortable\"\n|-\n! scope=\"col\" | System\n\
         ! scope=\"col\" data-sort-type=\"number\" | ADR\n|-\n| EMD\n\
         | style=\"text-align:right\" | 0.74\n|}\n"
    );
    table.push_heading("more");
    assert!(
        TableFormat::MediaWiki
            .render(&table)
            .starts_with("{| class=\"wikitable\"\n")
    );
}

#[test]
fn markdown_markup_in_names_is_escaped() {
    let markdown = TableFormat::Markdown.render(&table_of("a|b *c* <d> `e`"));
    assert!(
        markdown.contains(r"| **a\|b \*c\* \<d\> \`e\`** |"),
        "{markdown}"
    );
}

#[test]
fn control_characters_in_names_are_not_printed() {
    let text = TableFormat::Text.render(&table_of("\u{1b}[31mred\r\u{7}"));
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "{text:?}"
    );
}

#[test]
#[should_panic(expected = "the number NaN in column \"ADR\" is not finite")]
fn pushing_a_number_that_is_not_finite_panics() {
    let mut table = Table::new([Column::text("System"), Column::number("ADR", 2)]);
    table.push(["EMD".into(), f64::NAN.into()]);
}

#[test]
#[should_panic(expected = "which is a column of text")]
fn pushing_a_number_into_a_text_column_panics() {
    Table::new([Column::text("System")]).push([0.5.into()]);
}

#[test]
#[should_panic(expected = "a row has a cell for each column")]
fn pushing_a_row_with_too_few_cells_panics() {
    let mut table = Table::new([Column::text("System"), Column::number("ADR", 2)]);
    table.push(["EMD".into()]);
}

#[test]
fn the_best_value_is_the_lowest_when_lower_is_better() {
    let mut table = Table::new([Column::number("rank", 1)]);
    for value in [
        Cell::number(2.5),
        Cell::missing(),
        Cell::integer(1),
        Cell::text("< 1"),
    ] {
        table.push([value]);
    }
    table.emphasise_best(0, Optimum::Lowest);
    let best: Vec<&CellValue> = table
        .rows()
        .iter()
        .filter_map(|row| match row {
            TableRow::Cells(cells) => cells[0].emphasised.then(|| &cells[0].value),
            _ => None,
        })
        .collect();
    assert_eq!(best, [&CellValue::Integer(1)]);
}

#[test]
fn every_table_format_is_parsed_from_its_name() {
    for format in TableFormat::VARIANTS {
        assert_eq!(format.name().parse(), Ok(*format));
        assert!(!format.summary().is_empty());
    }
    let unknown = "html5".parse::<TableFormat>().unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "unknown table format \"html5\"; there are: table, latex, mediawiki, markdown"
    );
}

proptest! {
    #[test]
    fn no_name_adds_lines_to_a_table(name in any::<String>()) {
        for format in TableFormat::VARIANTS {
            let plain = format.render(&table_of("x")).lines().count();
            let lines = format.render(&table_of(&name));
            prop_assert_eq!(lines.split('\n').count(), plain + 1);
        }
    }

    #[test]
    fn a_row_of_markdown_has_as_many_cells_as_columns(name in any::<String>()) {
        let markdown = TableFormat::Markdown.render(&table_of(&name));
        for line in markdown.lines().filter(|line| line.starts_with("| ")) {
            let bare = line.replace("\\\\", "").replace("\\|", "");
            prop_assert_eq!(bare.matches('|').count(), 3, "{}", line);
        }
    }

    #[test]
    fn braces_and_dollar_signs_are_balanced_in_latex(name in any::<String>()) {
        let latex = TableFormat::Latex.render(&table_of(&name));
        let (mut depth, mut dollars, mut escaped) = (0_i64, 0, false);
        for c in latex.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '{' => depth += 1,
                '}' => depth -= 1,
                '$' => dollars += 1,
                _ => {}
            }
            prop_assert!(depth >= 0);
        }
        prop_assert_eq!((depth, dollars % 2), (0, 0));
    }
}
