//! How names, numbers and probabilities are said in sentences.

use partita_judging::Relation;

/// The first of these names, and how many more there are.
///
/// ```
/// use partita_report::words::some;
///
/// assert_eq!(some(&["a", "b", "c"], 5), "a, b, c");
/// assert_eq!(some(&["a", "b", "c"], 2), "a, b and 1 more");
/// ```
pub fn list_names<S: AsRef<str>>(names: &[S], most: usize) -> String {
    partita_core::summarize_names(names, most)
}

/// A p-value with four decimals.
///
/// ```
/// use partita_report::words::p_value;
///
/// assert_eq!(p_value(0.04999), "0.0500");
/// assert_eq!(p_value(0.00004), "<0.0001");
/// ```
pub fn format_p_value(p: f64) -> String {
    if p < 0.00005 {
        "<0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// Which of two items is closer to the query, as people say it.
///
/// ```
/// use partita_judging::Relation;
/// use partita_report::words::closer;
///
/// assert_eq!(closer(Relation::Less), "a closer");
/// ```
pub fn relation_label(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "a closer",
        Relation::Equal => "equal",
        Relation::Greater => "b closer",
    }
}

/// A number whose thousands are set apart: `483,112`.
///
/// ```
/// use partita_report::words::thousands;
///
/// assert_eq!((thousands(297), thousands(483_112)), ("297".to_owned(), "483,112".to_owned()));
/// ```
pub fn group_thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| std::str::from_utf8(group).expect("digits are ASCII"));
    groups.collect::<Vec<&str>>().join(",")
}

/// A count with its noun: `1 query`, `2 queries`.
///
/// ```
/// use partita_report::words::count;
///
/// assert_eq!(count(1, "query", "queries"), "1 query");
/// assert_eq!(count(0, "query", "queries"), "0 queries");
/// ```
pub fn count_noun(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A count with a noun that has an s where there are many: `1 list`, `2 lists`.
pub(crate) fn plural(number: usize, noun: &str) -> String {
    count_noun(number, noun, &format!("{noun}s"))
}

/// Parts in words, with something between them.
pub(crate) fn join<P: ToString>(parts: impl IntoIterator<Item = P>, between: &str) -> String {
    let parts: Vec<String> = parts.into_iter().map(|part| part.to_string()).collect();
    parts.join(between)
}

/// A duration in hours and minutes.
///
/// ```
/// use partita_report::words::clock;
///
/// assert_eq!((clock(2700.0), clock(9000.0)), ("45m".to_owned(), "2h 30m".to_owned()));
/// ```
pub fn format_duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor() as i64;
    match minutes / 60 {
        0 => format!("{minutes}m"),
        hours => format!("{hours}h {}m", minutes % 60),
    }
}

/// A paragraph in lines of at most `width` characters, each after an indent.
///
/// ```
/// use partita_report::words::wrapped;
///
/// assert_eq!(wrapped("how it is computed", "  ", 10), ["  how it", "  is", "  computed"]);
/// ```
pub fn wrap_paragraph(paragraph: &str, indent: &str, width: usize) -> Vec<String> {
    let lines = wrap_words(paragraph, |line| indent.len() + line.len() <= width);
    lines.iter().map(|line| format!("{indent}{line}")).collect()
}

/// The words of a text in lines that fit; a word that does not is a line of its own.
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
