//! Names of measures in trec_eval, ranx and ir_measures, accepted as input and used for trec_eval
//! output.

use crate::call::Call;

/// Measures without a cut-off, as pairs of the name in trec_eval or other tools and the name in
/// this crate. If a name of this crate occurs twice, output uses its first entry, that of
/// trec_eval.
const NAMES_WITHOUT_CUTOFF: [(&str, &str); 8] = [
    ("map", "AP"),
    ("ndcg", "nDCG"),
    ("recip_rank", "RR"),
    ("Rprec", "Rprec"),
    ("bpref", "bpref"),
    ("set_recall", "Recall"),
    ("mrr", "RR"),
    ("R-prec", "Rprec"),
];

/// Measures with a cut-off, as pairs of trec_eval name and the name in this crate. trec_eval prints
/// the cut-off after `_` and also accepts it after `.`.
const NAMES_WITH_CUTOFF: [(&str, &str); 5] = [
    ("P", "P"),
    ("recall", "Recall"),
    ("ndcg_cut", "nDCG"),
    ("map_cut", "AP"),
    ("success", "Success"),
];

/// Measures of ranx with the exponential gain 2^g - 1, as pairs of ranx name and the name in this
/// crate.
const EXPONENTIAL_GAIN_NAMES: [(&str, &str); 2] = [("ndcg_burges", "nDCG"), ("dcg_burges", "DCG")];

/// Translates a measure in the syntax of trec_eval, ranx or ir_measures to the syntax of this
/// crate. Other texts stay unchanged.
///
/// ```
/// use partita_core::measure::canonical_name;
///
/// for (theirs, ours) in [
///     ("P_10", "P@10"),
///     ("hit_rate@5", "Success@5"),
///     ("rbp.95", "RBP(p=0.95)"),
///     ("map-l2", "AP(rel=2)"),
///     ("precision@10-l2", "P(rel=2)@10"),
///     ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
/// ] {
///     assert_eq!(canonical_name(theirs)?, ours);
/// }
/// # Ok::<(), partita_core::measure::MeasureError>(())
/// ```
pub(super) fn to_native_call(mut call: Call) -> Call {
    apply_ranx_syntax(&mut call);
    match (parse_trec_eval_name(&call.name), &call.cutoff) {
        (Some((name, Some(cutoff))), None) => {
            call.cutoff = Some(cutoff.to_owned());
            call.name = name.to_owned();
        }
        (Some((name, None)), _) => call.name = name.to_owned(),
        _ => {}
    }
    let same = |theirs: &str| theirs.eq_ignore_ascii_case(&call.name);
    if let Some((_, ours)) = EXPONENTIAL_GAIN_NAMES
        .iter()
        .find(|(theirs, _)| same(theirs))
    {
        call.name = (*ours).to_owned();
        call.parameters.push(("gain".to_owned(), "exp".to_owned()));
    }
    // ranx writes the persistence without the leading "0.", as in rbp.95.
    if let Some(digits) = call.name.to_lowercase().strip_prefix("rbp.")
        && is_number(digits)
    {
        call.name = "RBP".to_owned();
        call.parameters
            .push(("p".to_owned(), format!("0.{digits}")));
    }
    apply_ir_measures_syntax(&mut call);
    call
}

/// Translates the relevance threshold of ranx, which may stand before or after the cut-off:
/// `map-l2`, `map-l2@10`, `map@10-l2`.
fn apply_ranx_syntax(call: &mut Call) {
    for part in [Some(&mut call.name), call.cutoff.as_mut()] {
        if let Some(part) = part
            && let Some((before, grade)) = part.rsplit_once("-l")
            && is_number(grade)
        {
            let rel = ("rel".to_owned(), grade.to_owned());
            *part = before.to_owned();
            call.parameters.push(rel);
            return;
        }
    }
}

/// Translates the parameters `cutoff` and `dcg` of ir_measures. The value of `dcg` may be quoted as
/// in Python.
fn apply_ir_measures_syntax(call: &mut Call) {
    if call.cutoff.is_none()
        && let Some(place) = call
            .parameters
            .iter()
            .position(|(name, _)| name == "cutoff")
    {
        call.cutoff = Some(call.parameters.remove(place).1);
    }
    for (name, value) in &mut call.parameters {
        let word = value.trim_matches(['\'', '"']);
        let gain = match (name.as_str(), word) {
            ("dcg", "log2") => "linear",
            ("dcg", "exp-log2") => "exp",
            _ => continue,
        };
        (*name, *value) = ("gain".to_owned(), gain.to_owned());
    }
}

/// Returns true if the text consists of digits only.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the name in this crate and the cut-off, if any, for a measure name of trec_eval, such as
/// `P_10`; `None` for other names.
fn parse_trec_eval_name(name: &str) -> Option<(&'static str, Option<&str>)> {
    let find = |names: &[(&str, &'static str)], asked: &str| {
        let found = names
            .iter()
            .find(|(theirs, _)| theirs.eq_ignore_ascii_case(asked));
        found.map(|&(_, ours)| ours)
    };
    if let Some(ours) = find(&NAMES_WITHOUT_CUTOFF, name) {
        return Some((ours, None));
    }
    let (family, cutoff) = name.rsplit_once(['_', '.'])?;
    let ours = find(&NAMES_WITH_CUTOFF, family).filter(|_| is_number(cutoff))?;
    Some((ours, Some(cutoff)))
}

/// Returns the name of a measure in trec_eval, or `None` if trec_eval does not have the measure.
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
        None => find(&NAMES_WITHOUT_CUTOFF, canonical).map(str::to_owned),
        Some((name, cutoff)) => {
            find(&NAMES_WITH_CUTOFF, name).map(|family| format!("{family}_{cutoff}"))
        }
    }
}
