//! XML trees of scores. Size limits are checked before memory is allocated, and files that declare
//! XML entities are rejected.

use std::borrow::Cow;

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};
use roxmltree::{Document, Node, ParsingOptions};

use super::{LocatedProblem, empty_file_diagnostic, syntax_diagnostic};
use crate::{Beats, Step};

/// Largest size of an XML score in bytes. Its tree needs several times as much memory.
const MAX_SCORE_BYTES: usize = 32 << 20;

/// Largest number of XML nodes of a score.
const MAX_XML_NODES: u32 = 2_000_000;

/// Largest number of attributes of an XML element. The XML parser compares each with all others,
/// which takes quadratic time.
const MAX_ATTRIBUTES: usize = 500;

/// Returns the name of the root element of an XML file, without prefix, or `None` if the first 64
/// KiB do not show one.
pub(crate) fn root_name(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(64 << 10)];
    let text = decode_xml(head).unwrap_or_else(|_| String::from_utf8_lossy(head));
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        if let Some(after) = rest.strip_prefix("<?") {
            rest = after.split_once("?>")?.1.trim_start();
        } else if let Some(after) = rest.strip_prefix("<!--") {
            rest = after.split_once("-->")?.1.trim_start();
        } else if let Some(after) = rest.strip_prefix("<!DOCTYPE") {
            let end = match (after.find('['), after.find('>')) {
                (Some(open), Some(end)) if open < end => {
                    after[open..].find(']').map(|at| open + at)?
                }
                (_, end) => end?,
            };
            rest = after[end..].split_once('>')?.1.trim_start();
        } else {
            let name = rest.strip_prefix('<')?;
            let end = name.find(|letter: char| letter.is_whitespace() || "/>".contains(letter));
            let name = &name[..end.unwrap_or(name.len())];
            let local = name.rsplit(':').next().unwrap_or(name);
            return Some(local.to_owned());
        }
    }
}

/// Decodes the text of an XML file: UTF-16 with a byte order mark, UTF-8, or Latin-1 if Latin-1 or
/// Windows-1252 is declared.
pub(crate) fn decode_xml(bytes: &[u8]) -> Result<Cow<'_, str>, Diagnostic> {
    let utf_16 = |from_bytes: fn([u8; 2]) -> u16| {
        let pairs = bytes[2..].chunks_exact(2);
        let units = pairs.map(|pair| from_bytes([pair[0], pair[1]]));
        let text: Result<String, _> = char::decode_utf16(units).collect();
        text.map(Cow::Owned).map_err(|_| wrong_encoding("UTF-16"))
    };
    match bytes {
        [0xff, 0xfe, ..] => return utf_16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return utf_16(u16::from_be_bytes),
        _ => {}
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)));
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_lowercase();
    let head = head.split("?>").next().unwrap_or_default();
    if ["iso-8859-1", "latin1", "windows-1252"]
        .iter()
        .any(|name| head.contains(name))
    {
        return Ok(Cow::Owned(
            bytes.iter().map(|&byte| char::from(byte)).collect(),
        ));
    }
    Err(wrong_encoding("UTF-8"))
}

/// Returns the diagnostic for bytes that are not text in this encoding.
fn wrong_encoding(encoding: &str) -> Diagnostic {
    diagnostic!(NotText: "this is no {encoding}")
}

/// Parses an XML file and passes its tree to `read`.
pub(crate) fn with_xml_tree<T>(
    bytes: &[u8],
    read: impl FnOnce(&Document<'_>) -> Result<T, LocatedProblem>,
) -> Result<T, LocatedProblem> {
    if bytes.trim_ascii().is_empty() {
        return Err(empty_file_diagnostic().into());
    }
    if bytes.len() > MAX_SCORE_BYTES {
        return Err(diagnostic!(TooLarge: "a score has {MAX_SCORE_BYTES} bytes at most").into());
    }
    let text = decode_xml(bytes)?;
    if text.contains("<!ENTITY") {
        return Err(diagnostic!(Entities: "it declares entities").into());
    }
    let has_too_many_attributes = text.split('<').any(|tag| {
        let tag = tag.split('>').next().unwrap_or_default();
        tag.bytes()
            .filter(|&byte| byte == b'=')
            .take(MAX_ATTRIBUTES + 1)
            .count()
            > MAX_ATTRIBUTES
    });
    if has_too_many_attributes {
        return Err(syntax_diagnostic("an element has too many attributes").into());
    }
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_XML_NODES,
        ..ParsingOptions::default()
    };
    match Document::parse_with_options(&text, options) {
        Ok(document) => read(&document),
        Err(roxmltree::Error::NodesLimitReached) => {
            Err(diagnostic!(TooLarge: "a score has {MAX_XML_NODES} elements at most").into())
        }
        Err(error) => {
            // Truncation causes various syntax errors, so it is detected by checking for the end
            // tag of the root element.
            let ends =
                root_name(bytes).is_some_and(|root| text.trim_end().ends_with(&format!("{root}>")));
            let code = if ends {
                DiagnosticCode::Syntax
            } else {
                DiagnosticCode::Truncated
            };
            let position = error.pos();
            Err(LocatedProblem {
                problem: Diagnostic::new(code, format!("this is no XML: {error}")),
                line: Some(position.row.into()),
                column: Some(position.col.into()),
            })
        }
    }
}

/// Iterates over the child elements of a node that have this name.
pub(crate) fn children<'a, 'i>(
    node: Node<'a, 'i>,
    name: &str,
) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children()
        .filter(move |child| child.has_tag_name(name))
}

/// Returns the first child element of a node that has this name.
pub(crate) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// Returns the text of the first child element of a node that has this name.
pub(crate) fn child_text<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    child(node, name)?.text().map(str::trim)
}

/// Returns the line in the file, from 1, at which an element starts.
pub(crate) fn line_of(node: Node<'_, '_>) -> u64 {
    node.document().text_pos_at(node.range().start).row.into()
}

/// Parses a note letter from a text of one letter.
pub(crate) fn parse_step(text: &str) -> Option<Step> {
    let mut letters = text.chars();
    let step = Step::from_letter(letters.next()?)?;
    letters.next().is_none().then_some(step)
}

/// Parses a decimal number as an exact fraction. Returns `None` if it is invalid or has more than
/// seven characters before the decimal point or three after it.
pub(crate) fn parse_decimal(text: &str) -> Option<Beats> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if whole.len() > 7 || decimals.len() > 3 || whole.starts_with('+') {
        return None;
    }
    let negative = whole.starts_with('-');
    let digits = format!("{}{decimals}", whole.trim_start_matches('-'));
    let number: i64 = digits.parse().ok()?;
    let number = if negative { -number } else { number };
    Some(Beats::new(number, 10_i64.pow(decimals.len() as u32)))
}
