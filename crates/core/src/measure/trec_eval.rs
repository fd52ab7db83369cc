//! The names that trec_eval gives to measures, which its users type and their scripts expect.

/// Measures without a cut-off: trec_eval's name and ours. The first name of ours is the one printed.
const WHOLE: [(&str, &str); 8] = [
    ("map", "AP"),
    ("ndcg", "nDCG"),
    ("recip_rank", "RR"),
    ("Rprec", "Rprec"),
    ("bpref", "bpref"),
    ("set_recall", "Recall"),
    ("mrr", "RR"),
    ("R-prec", "Rprec"),
];

/// Measures with a cut-off, which trec_eval writes after `_` when it prints and after `.` when it asks.
const CUT: [(&str, &str); 5] = [
    ("P", "P"),
    ("recall", "Recall"),
    ("ndcg_cut", "nDCG"),
    ("map_cut", "AP"),
    ("success", "Success"),
];

/// What trec_eval calls so, as our name and cut-off.
pub(super) fn ours(name: &str) -> Option<(&'static str, Option<&str>)> {
    let find = |names: &[(&str, &'static str)], asked: &str| {
        let found = names
            .iter()
            .find(|(theirs, _)| theirs.eq_ignore_ascii_case(asked));
        found.map(|&(_, ours)| ours)
    };
    if let Some(ours) = find(&WHOLE, name) {
        return Some((ours, None));
    }
    let (family, cutoff) = name.rsplit_once(['_', '.'])?;
    let digits = !cutoff.is_empty() && cutoff.bytes().all(|byte| byte.is_ascii_digit());
    Some((find(&CUT, family).filter(|_| digits)?, Some(cutoff)))
}

/// What trec_eval calls a measure, if it has it.
///
/// ```
/// use partita_core::measure::trec_eval_name;
///
/// assert_eq!(trec_eval_name("nDCG@10").as_deref(), Some("ndcg_cut_10"));
/// assert_eq!(trec_eval_name("AP").as_deref(), Some("map"));
/// assert_eq!(trec_eval_name("AP(rel=2)"), None);
/// ```
#[must_use]
pub fn trec_eval_name(canonical: &str) -> Option<String> {
    let find = |names: &[(&'static str, &str)], asked: &str| {
        let found = names.iter().find(|(_, ours)| *ours == asked);
        found.map(|&(theirs, _)| theirs)
    };
    match canonical.split_once('@') {
        None => find(&WHOLE, canonical).map(str::to_owned),
        Some((name, cutoff)) => find(&CUT, name).map(|family| format!("{family}_{cutoff}")),
    }
}
