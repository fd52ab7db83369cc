//! Phrases for names, numbers, durations and p-values.

use partita_judging::Relation;

/// Lists the first `most` names, followed by the number of the other names.
///
/// ```
/// use partita_report::phrases::list_names;
///
/// assert_eq!(list_names(&["a", "b", "c"], 5), "a, b, c");
/// assert_eq!(list_names(&["a", "b", "c"], 2), "a, b and 1 more");
/// ```
pub fn list_names<S: AsRef<str>>(names: &[S], most: usize) -> String {
    partita_core::summarize_names(names, most)
}

/// Formats a p-value with four decimals.
///
/// ```
/// use partita_report::phrases::format_p_value;
///
/// assert_eq!(format_p_value(0.04999), "0.0500");
/// assert_eq!(format_p_value(0.00004), "<0.0001");
/// ```
pub fn format_p_value(p: f64) -> String {
    if p < 0.00005 {
        "<0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// Returns a label that says which of two items, a or b, is closer to the query.
///
/// ```
/// use partita_judging::Relation;
/// use partita_report::phrases::relation_label;
///
/// assert_eq!(relation_label(Relation::Less), "a closer");
/// ```
pub fn relation_label(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "a closer",
        Relation::Equal => "equal",
        Relation::Greater => "b closer",
    }
}

/// Formats a number with thousands separators: `483,112`.
///
/// ```
/// use partita_report::phrases::group_thousands;
///
/// assert_eq!(group_thousands(297), "297");
/// assert_eq!(group_thousands(483_112), "483,112");
/// ```
pub fn group_thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| std::str::from_utf8(group).expect("digits are ASCII"));
    groups.collect::<Vec<&str>>().join(",")
}

/// Formats a count with its noun: `1 query`, `2 queries`.
///
/// ```
/// use partita_report::phrases::count_noun;
///
/// assert_eq!(count_noun(1, "query", "queries"), "1 query");
/// assert_eq!(count_noun(0, "query", "queries"), "0 queries");
/// ```
pub fn count_noun(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Formats a count with a noun whose plural ends in s: `1 list`, `2 lists`.
pub(crate) fn plural(number: usize, noun: &str) -> String {
    count_noun(number, noun, &format!("{noun}s"))
}

/// Joins the texts of the parts with a separator.
pub(crate) fn join<P: ToString>(parts: impl IntoIterator<Item = P>, between: &str) -> String {
    let parts: Vec<String> = parts.into_iter().map(|part| part.to_string()).collect();
    parts.join(between)
}

/// Formats a duration in hours and minutes.
///
/// ```
/// use partita_report::phrases::format_duration;
///
/// assert_eq!(format_duration(2700.0), "45m");
/// assert_eq!(format_duration(9000.0), "2h 30m");
/// ```
pub fn format_duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor() as i64;
    match minutes / 60 {
        0 => format!("{minutes}m"),
        hours => format!("{hours}h {}m", minutes % 60),
    }
}

/// Wraps a paragraph into indented lines of at most `width` bytes. A longer word gets a line of its
/// own.
///
/// ```
/// use partita_report::phrases::wrap_paragraph;
///
/// let lines = wrap_paragraph("how it is computed", "  ", 10);
/// assert_eq!(lines, ["  how it", "  is", "  computed"]);
/// ```
pub fn wrap_paragraph(paragraph: &str, indent: &str, width: usize) -> Vec<String> {
    let lines = wrap_words(paragraph, |line| indent.len() + line.len() <= width);
    lines.iter().map(|line| format!("{indent}{line}")).collect()
}

/// Wraps words into lines that fit. A word that does not fit gets a line of its own.
pub(crate) fn wrap_words(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}")) => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
