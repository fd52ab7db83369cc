//! Tests of the macro `named_enum`.

use partita_named::*;

partita_named::named_enum! {
    enum Colour: "colour" {
        /// Warm colour
        Red = "red",
        /// Cold colour,
        /// with an alias
        Blue = "blue" | "azure",
    }
}

#[test]
fn variants_are_serialised_and_parsed_by_name() {
    for &colour in Colour::VARIANTS {
        let text = serde_json::to_string(&colour).unwrap();
        assert_eq!(text, format!("\"{colour}\""));
        assert_eq!(serde_json::from_str::<Colour>(&text).unwrap(), colour);
    }
    assert_eq!(Colour::from_name("AZURE"), Ok(Colour::Blue));
    assert!(serde_json::from_str::<Colour>("\"green\"").is_err());
    assert_eq!(Colour::Blue.summary(), "Cold colour, with an alias");
}
