//! Detection of truncated MP3 files, which the decoder does not report. An MP3 file is a sequence
//! of frames that state their lengths, and the first frame may state the length of the file.

/// Bit rates of MPEG-1 layer III in kbit/s, by index in the frame header from 1 (ISO/IEC 11172-3,
/// 2.4.2.3).
const MPEG_1_BIT_RATES: [usize; 14] = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
];
/// Bit rates of MPEG-2 and MPEG-2.5 layer III in kbit/s, by index in the frame header from 1
/// (ISO/IEC 13818-3, 2.4.2.3).
const MPEG_2_BIT_RATES: [usize; 14] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/// Sample rates of MPEG-1 in Hz, by index in the frame header. Those of MPEG-2 are half and those
/// of MPEG-2.5 a quarter of these.
const MPEG_1_SAMPLE_RATES: [usize; 3] = [44_100, 48_000, 32_000];

/// Returns the length in bytes of the MPEG layer III frame at the start of `bytes`, or `None` if
/// `bytes` does not start with such a frame.
fn frame_length(bytes: &[u8]) -> Option<usize> {
    let [0xff, second, third, _, ..] = *bytes else {
        return None;
    };
    let layer_three = second & 0xe6 == 0xe2;
    let (version, rate) = (second >> 3 & 3, usize::from(third >> 4));
    let samples = MPEG_1_SAMPLE_RATES.get(usize::from(third >> 2 & 3))?;
    let (rates, samples, factor) = match version {
        3 => (MPEG_1_BIT_RATES, *samples, 144_000),
        2 => (MPEG_2_BIT_RATES, samples / 2, 72_000),
        0 => (MPEG_2_BIT_RATES, samples / 4, 72_000),
        _ => return None,
    };
    let rate = rates.get(rate.checked_sub(1)?)?;
    layer_three.then(|| factor * rate / samples + usize::from(third >> 1 & 1))
}

/// Returns the length of the MP3 file in bytes, from its first frame on, that the Xing header in
/// this frame declares, if any. LAME and other encoders write this header.
fn declared_length(first: &[u8]) -> Option<usize> {
    // Possible offsets of the Xing header. It follows the frame header and the side information,
    // whose size depends on MPEG version and number of channels.
    [13, 21, 36].iter().find_map(|&at| {
        let head = first.get(at..at + 16)?;
        let (flags, named) = (
            head[7],
            head.starts_with(b"Xing") || head.starts_with(b"Info"),
        );
        // The optional number of frames comes before the number of bytes.
        let at = if flags & 1 == 1 { 12 } else { 8 };
        let bytes = head[at..at + 4].try_into().expect("these are four bytes");
        (named && flags & 2 == 2).then(|| u32::from_be_bytes(bytes) as usize)
    })
}

/// Returns true if an MP3 file ends inside a frame or before its declared length.
pub(crate) fn is_truncated(bytes: &[u8]) -> bool {
    let mut rest = skip_id3_tag(bytes);
    if frame_length(rest).is_none() {
        return false;
    }
    if declared_length(rest).is_some_and(|length| length > rest.len()) {
        return true;
    }
    while let Some(length) = frame_length(rest) {
        match rest.get(length..) {
            Some(next) => rest = next,
            None => return true,
        }
    }
    false
}

/// Returns the bytes after the ID3 tag at the start of an MP3 file, or all bytes if there is no
/// tag. The length of the tag is stored with seven bits per byte.
fn skip_id3_tag(bytes: &[u8]) -> &[u8] {
    match bytes {
        [b'I', b'D', b'3', _, _, _, size @ ..] if size.len() >= 4 => {
            let digits = size[..4].iter().map(|&digit| usize::from(digit & 0x7f));
            let length = digits.fold(0, |length, digit| length * 128 + digit);
            size[4..].get(length..).unwrap_or(&[])
        }
        _ => bytes,
    }
}
