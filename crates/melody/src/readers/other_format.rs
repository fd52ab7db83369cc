//! Formats that are recognised although they cannot be read, so that none of them is taken for
//! another format and messages can name them.

/// File format that cannot be read, with the marks by which it is recognised.
struct OtherFormat {
    name: &'static str,
    /// First bytes of its files; empty if they have no characteristic start.
    start: &'static [u8],
    /// Extensions of its files in lower case.
    extensions: &'static [&'static str],
}

/// Formats that are often found beside melodies.
const OTHER_FORMATS: [OtherFormat; 12] = [
    OtherFormat {
        name: "ABC notation",
        start: b"%abc",
        extensions: &["abc"],
    },
    OtherFormat {
        name: "LilyPond",
        start: b"\\version",
        extensions: &["ly", "ily"],
    },
    OtherFormat {
        name: "a MuseScore file",
        start: b"",
        extensions: &["mscz", "mscx"],
    },
    OtherFormat {
        name: "a PDF",
        start: b"%PDF",
        extensions: &["pdf"],
    },
    OtherFormat {
        name: "PostScript",
        start: b"%!",
        extensions: &["ps", "eps"],
    },
    OtherFormat {
        name: "TeX",
        start: b"\\documentclass",
        extensions: &["tex", "sty", "cls", "bib"],
    },
    OtherFormat {
        name: "MATLAB code or data",
        start: b"",
        extensions: &["m", "mat"],
    },
    OtherFormat {
        name: "a PNG image",
        start: b"\x89PNG",
        extensions: &["png"],
    },
    OtherFormat {
        name: "a JPEG image",
        start: b"\xff\xd8\xff",
        extensions: &["jpg", "jpeg"],
    },
    OtherFormat {
        name: "a web page",
        start: b"",
        extensions: &["html", "htm"],
    },
    OtherFormat {
        name: "an SVG image",
        start: b"",
        extensions: &["svg"],
    },
    // A zip archive inside another one. An archive that is imported itself is unpacked before.
    OtherFormat {
        name: "a zip archive",
        start: b"PK\x03\x04",
        extensions: &["zip"],
    },
];

/// Returns the name of the unreadable format that a file has, by the extension of its name in lower
/// case or by its first bytes, or `None` if it has none of them.
pub(super) fn other_format_name(bytes: &[u8], extension: &str) -> Option<&'static str> {
    let by_extension = |format: &&OtherFormat| format.extensions.contains(&extension);
    let by_start =
        |format: &&OtherFormat| !format.start.is_empty() && bytes.starts_with(format.start);
    let found = OTHER_FORMATS.iter().find(by_extension);
    let found = found.or_else(|| OTHER_FORMATS.iter().find(by_start));
    found.map(|format| format.name)
}
