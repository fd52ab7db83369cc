//! LaTeX tables with booktabs rules and escaped special characters.
//!
//! The output compiles with pdflatex and `\usepackage{booktabs}`. Characters without a pdflatex
//! font (Chinese, Arabic, …) are unchanged and need XeLaTeX or LuaLaTeX.

use super::{Alignment, Cell, CellValue, Column, Table, TableRow};

/// Writes a `tabular`, inside a `table` if there is a caption, a label or a note.
pub(super) fn write(table: &Table) -> String {
    let floats = table.caption.is_some() || table.note.is_some() || table.label.is_some();
    let mut out = String::new();
    if floats {
        out += "\\begin{table}[htbp]\n\\centering\n";
    }
    if let Some(caption) = &table.caption {
        out += &format!("\\caption{{{}}}\n", escaped(caption));
    }
    if let Some(label) = &table.label {
        out += &format!("\\label{{{label}}}\n");
    }
    let columns = table.columns().iter();
    let letters: String = columns
        .map(|column| alignment_letter(column.align))
        .collect();
    out += &format!("\\begin{{tabular}}{{{letters}}}\n\\toprule\n");
    out += &(table.headers(escaped).join(" & ") + " \\\\\n\\midrule\n");
    for (index, row) in table.rows().iter().enumerate() {
        out += &match row {
            TableRow::Cells(cells) => {
                table.format_cells(cells, format_cell).join(" & ") + " \\\\\n"
            }
            TableRow::Heading(heading) => {
                let space = if index == 0 { "" } else { "\\addlinespace\n" };
                let span = table.columns().len();
                let heading = escaped(heading);
                format!("{space}\\multicolumn{{{span}}}{{l}}{{\\emph{{{heading}}}}} \\\\\n")
            }
            TableRow::Rule => "\\midrule\n".to_owned(),
        };
    }
    out += "\\bottomrule\n\\end{tabular}\n";
    if let Some(note) = &table.note {
        out += &format!("\\par\\smallskip\n{{\\footnotesize {}}}\n", escaped(note));
    }
    if floats {
        out += "\\end{table}\n";
    }
    out
}

/// Returns the letter of an alignment in the column specification of a `tabular`.
fn alignment_letter(align: Alignment) -> char {
    match align {
        Alignment::Left => 'l',
        Alignment::Centre => 'c',
        Alignment::Right => 'r',
    }
}

fn format_cell(cell: &Cell, column: &Column) -> String {
    let shown = column.format_value(&cell.value);
    let text = match (&cell.value, shown.strip_prefix('-')) {
        (CellValue::Number(_) | CellValue::Integer(_), Some(digits)) => format!("$-${digits}"),
        _ => escaped(&shown),
    };
    if cell.emphasised {
        format!("\\textbf{{{text}}}")
    } else {
        text
    }
}

/// Escapes text for LaTeX.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let last = out.chars().next_back();
        if last.is_some_and(|last| forms_ligature(last, c)) {
            out += "{}";
        }
        match c {
            '\\' => out += "\\textbackslash{}",
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', c]),
            '^' => out += "\\textasciicircum{}",
            '~' => out += "\\textasciitilde{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            '"' => out += "''",
            // After `\\`, LaTeX would read a bracket or a star as an argument.
            '[' | '*' => out.extend(['{', c, '}']),
            '–' => out += "--",
            '—' => out += "---",
            '…' => out += "\\ldots{}",
            '‘' => out += "`",
            '’' => out += "'",
            '“' => out += "``",
            '”' => out += "''",
            '\u{a0}' => out.push('~'),
            c if c.is_control() => out.push(' '),
            c => match math_formula(c) {
                Some(body) => out += &format!("${body}$"),
                None => out.push(c),
            },
        }
    }
    out
}

/// Returns true if TeX would join the two characters into a ligature: `--`, `''`, `` ?` ``.
fn forms_ligature(last: char, next: char) -> bool {
    match next {
        '-' | '–' | '—' => last == '-',
        '\'' | '’' | '"' | '”' => last == '\'',
        '`' | '‘' | '“' => matches!(last, '`' | '?' | '!'),
        ',' => last == ',',
        _ => false,
    }
}

/// Characters that pdflatex cannot set as text, each followed by its formula in math mode.
const MATH_CHARACTERS: &str = r"
    − - ± \pm × \times · \cdot ≤ \le ≥ \ge ≠ \ne ≈ \approx ∞ \infty → \rightarrow ← \leftarrow
    ≺ \prec ≻ \succ ² ^2 ³ ^3 α \alpha β \beta γ \gamma δ \delta ε \varepsilon ζ \zeta η \eta
    θ \theta κ \kappa λ \lambda μ \mu µ \mu π \pi ρ \rho σ \sigma τ \tau φ \varphi χ \chi ψ \psi
    ω \omega Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Σ \Sigma Φ \Phi Ψ \Psi Ω \Omega";

/// Returns the math-mode formula of a character that pdflatex cannot set as text; `None` for other
/// characters.
fn math_formula(c: char) -> Option<&'static str> {
    let mut words = MATH_CHARACTERS.split_whitespace();
    // The characters are not ASCII, so no letter of a formula matches one.
    words.find(|word| !c.is_ascii() && word.starts_with(c))?;
    words.next()
}
