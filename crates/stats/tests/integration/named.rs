//! Enums that know their names.

use partita_named::*;

partita_named::named_enum! {
    enum Colour: "colour" {
        /// As blood
        Red = "red",
        /// As the sky,
        /// on a good day
        Blue = "blue" | "azure",
    }
}

#[test]
fn a_choice_is_written_and_read_by_its_name() {
    for &colour in Colour::VARIANTS {
        let text = serde_json::to_string(&colour).unwrap();
        assert_eq!(text, format!("\"{colour}\""));
        assert_eq!(serde_json::from_str::<Colour>(&text).unwrap(), colour);
    }
    assert_eq!(Colour::from_name("AZURE"), Ok(Colour::Blue));
    assert!(serde_json::from_str::<Colour>("\"green\"").is_err());
    assert_eq!(Colour::Blue.summary(), "As the sky, on a good day");
}
