//! What attributes say: how long something lasts, and what sounds.

use num_traits::CheckedMul;
use partita_formats::{Diagnostic, DiagnosticCode};
use roxmltree::Node;

use super::builder::out_of_range;
use super::mei::syntax;
use super::xml::{child, step};
use crate::note::{beats_from_halvings, checked_sum, in_range};
use crate::{Beats, Pitch, Spelling};

pub(crate) fn pass(now: &mut Beats, duration: Beats) -> Result<(), Diagnostic> {
    if !in_range(duration) {
        return Err(out_of_range());
    }
    *now = checked_sum(*now, duration).ok_or_else(out_of_range)?;
    Ok(())
}

pub(crate) fn scaled(duration: Beats, scale: Beats) -> Result<Beats, Diagnostic> {
    let scaled = duration.checked_mul(&scale).filter(|&time| in_range(time));
    scaled.ok_or_else(out_of_range)
}

/// How long a note is, by itself or as the first of its chord; nothing where that is not said.
pub(crate) fn duration(
    node: Node<'_, '_>,
    first: Option<Node<'_, '_>>,
) -> Result<Option<Beats>, Diagnostic> {
    let attribute = |name| node.attribute(name).or_else(|| first?.attribute(name));
    let Some(text) = attribute("dur") else {
        return Ok(None);
    };
    let plain = match text {
        "breve" => Beats::from_integer(8),
        "long" => Beats::from_integer(16),
        "maxima" | "longa" | "brevis" | "semibrevis" | "minima" | "semiminima" | "fusa"
        | "semifusa" => {
            return Err(Diagnostic::new(
                DiagnosticCode::Mensural,
                format!("{text} is a value of mensural notation"),
            ));
        }
        text => {
            let value = text
                .parse()
                .ok()
                .filter(|value: &i64| (1..=2048).contains(value) && value & (value - 1) == 0);
            let value = value.ok_or_else(|| syntax(format!("{text:?} is no duration")))?;
            beats_from_halvings(4, value.trailing_zeros())
        }
    };
    let signs = node
        .children()
        .filter(|node| node.tag_name().name() == "dot")
        .count();
    let dots = attribute("dots").map_or(Some(signs), |text| text.parse().ok());
    let dots = dots
        .filter(|&dots| dots <= 8)
        .ok_or_else(|| syntax("a note has too many dots"))?;
    Ok(Some(plain * Beats::new((2 << dots) - 1, 1 << dots)))
}

pub(crate) fn pitch(node: Node<'_, '_>, transposed: i32) -> Option<(Pitch, Option<Spelling>)> {
    let step = step(node.attribute("pname")?)?;
    let octave: i32 = node
        .attribute("oct.ges")
        .or(node.attribute("oct"))?
        .parse()
        .ok()?;
    let sign = child(node, "accid");
    let said = |name: &str| {
        node.attribute(name)
            .or(sign.and_then(|sign| sign.attribute(name)))
    };
    let alteration = match said("accid.ges").or(said("accid")).unwrap_or("n") {
        "n" => 0,
        "s" | "ns" => 1,
        "f" | "nf" => -1,
        "ss" | "x" => 2,
        "ff" => -2,
        "xs" | "sx" | "ts" => 3,
        "tf" => -3,
        _ => return None,
    };
    let spelling = Spelling { step, alteration };
    let pitch = Pitch::from_spelling(spelling, octave)?.transposed(transposed)?;
    Some((pitch, (transposed % 12 == 0).then_some(spelling)))
}
