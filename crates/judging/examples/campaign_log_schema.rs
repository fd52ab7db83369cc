//! Prints the JSON Schema of a line of a campaign's log.

use std::io::{self, Write};

use partita_judging::campaign::log;

fn main() -> io::Result<()> {
    let schema = serde_json::to_string_pretty(&log::schema())?;
    writeln!(io::stdout(), "{schema}")
}
