//! The vectors that are lists: escaping and canonical JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dossier_bundle::canonical;
use dossier_bundle::escape::{self, Place};
use serde::Serialize;
use serde_json::Value;

use crate::pretty;

/// The files, relative to the folder of the vectors.
pub(crate) fn files() -> BTreeMap<PathBuf, Vec<u8>> {
    let escapes: Vec<Escape> = TEXTS.iter().map(|text| Escape::of(text)).collect();
    let forms: Vec<Form> = JSON.iter().map(|(why, input)| Form::of(why, input)).collect();
    BTreeMap::from([
        // Git must not touch a line's end in them.
        (PathBuf::from(".gitattributes"), b"* -text\n".to_vec()),
        (PathBuf::from("escape.json"), pretty(&escapes)),
        (PathBuf::from("canonical.json"), pretty(&forms)),
    ])
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Escape {
    text: &'static str,
    as_text: String,
    as_attribute: String,
}

impl Escape {
    fn of(text: &'static str) -> Self {
        let as_place = |place| {
            let mut out = String::new();
            escape::push(&mut out, text, place);
            out
        };
        Self { text, as_text: as_place(Place::Text), as_attribute: as_place(Place::Attribute) }
    }
}

const TEXTS: &[&str] = &[
    "",
    "plain text, \u{e4}\u{f6}\u{fc}, \u{65e5}\u{672c}, \u{1f600}",
    "&<>\"'",
    "&amp; is escaped again: &lt;",
    "]]></source><source kind=\"x\">",
    "tab\tline\nreturn\rboth\r\n",
    "\0\u{1}\u{7}\u{8}\u{b}\u{c}\u{1f}\u{7f}",
    "\u{80}\u{85}\u{9b}\u{a0}\u{2028}\u{2029}\u{feff}\u{202e}",
    "\u{fffd}\u{fffe}\u{ffff}\u{1fffe}\u{10ffff}",
    "\u{efff}\u{f000}\u{ff21}",
    "\u{1b}[1;31merror\u{1b}[0m: it \u{1b}[Kfailed",
    "\u{1b}[38:5:196mcolon\u{1b}[?25l\u{1b}[ q\u{1b}[!p\u{1b}[<u",
    "\u{1b}]0;title\u{7}bell \u{1b}]8;;https://example.com\u{1b}\\link\u{1b}]8;;\u{1b}\\ st",
    "\u{1b}Pq#0;2\u{1b}\\dcs \u{1b}Xsos\u{7} \u{1b}^pm\u{1b}\\ \u{1b}_apc\u{1b}\\",
    "\u{1b}(B\u{1b})0\u{1b}#8\u{1b}%G\u{1b} Fnf",
    "\u{1b}7\u{1b}8\u{1b}=\u{1b}>\u{1b}c\u{1b}M\u{1b}~two bytes",
    "&\u{1b}[0mlt; <\u{1b}[0m/source>",
    "\u{1b}",
    "\u{1b}\u{1b}[0m",
    "\u{1b}[",
    "\u{1b}[31",
    "\u{1b}[31\u{e9}",
    "\u{1b}[REDACTED:secret] \u{1b}[31[REDACTED:secret] \u{1b}([REDACTED:secret] \u{1b}[31m[REDACTED:secret]",
    "\u{1b}]0;[REDACTED:secret]\u{7} \u{1b}[[REDACTED:secret]",
    "\u{1b}[31\u{1b}[0m",
    "\u{1b}[1 2m",
    "\u{1b}]never\nended\u{7}",
    "\u{1b}]cut \u{1b}[0m\u{7}",
    "\u{1b}]cut \u{1b}",
    "\u{1b}(",
    "\u{1b}(\n",
    "\u{1b}\u{7f}\u{1b}\u{e9}\u{1b}\t",
    "\u{1b}]\u{e9}<&\u{7}after",
];

#[derive(Serialize)]
struct Form {
    why: &'static str,
    input: &'static str,
    canonical: Option<String>,
}

impl Form {
    fn of(why: &'static str, input: &'static str) -> Self {
        let value: Value = serde_json::from_str(input).unwrap();
        let canonical = canonical::to_vec(&value).ok().map(|bytes| String::from_utf8(bytes).unwrap());
        Self { why, input, canonical }
    }
}

const NUMBERS: &str = "RFC 8785, appendix B";

const JSON: &[(&str, &str)] = &[
    (
        "RFC 8785, section 3.2.2",
        "{\n  \"numbers\": [333333333.33333329, 1E30, 4.50,\n              2e-3, 0.000000000000000000000000001],\n  \
         \"string\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\",\n  \"literals\": [null, true, false]\n}",
    ),
    (
        "RFC 8785, section 3.2.3",
        "{\n  \"\\u20ac\": \"Euro Sign\",\n  \"\\r\": \"Carriage Return\",\n  \"\\ufb33\": \"Hebrew Letter Dalet With Dagesh\",\n  \
         \"1\": \"One\",\n  \"\\ud83d\\ude00\": \"Emoji: Grinning Face\",\n  \"\\u0080\": \"Control\",\n  \
         \"\\u00f6\": \"Latin Small Letter O With Diaeresis\"\n}",
    ),
    (NUMBERS, "-0.0"),
    (NUMBERS, "5e-324"),
    (NUMBERS, "-5e-324"),
    (NUMBERS, "1.7976931348623157e308"),
    (NUMBERS, "-1.7976931348623157e308"),
    (NUMBERS, "9007199254740992.0"),
    (NUMBERS, "-9007199254740992.0"),
    (NUMBERS, "2.9514790517935283e20"),
    (NUMBERS, "9.999999999999997e22"),
    (NUMBERS, "1e23"),
    (NUMBERS, "1.0000000000000001e23"),
    (NUMBERS, "9.999999999999997e20"),
    (NUMBERS, "9.999999999999999e20"),
    (NUMBERS, "1e21"),
    (NUMBERS, "9.999999999999997e-7"),
    (NUMBERS, "0.000001"),
    (NUMBERS, "333333333.3333332"),
    (NUMBERS, "333333333.33333325"),
    (NUMBERS, "333333333.3333333"),
    (NUMBERS, "333333333.3333334"),
    (NUMBERS, "333333333.33333343"),
    (NUMBERS, "-0.0000033333333333333333"),
    (NUMBERS, "1424953923781206.2"),
    ("an empty object and list stand as they are", "{ \"b\": [ ], \"a\": { } }"),
    ("a writer refuses an integer that would be rounded", "9007199254740993"),
    ("the same below zero", "[-9007199254740993]"),
];

#[test]
fn the_standards_results() {
    // RFC 8785, appendix B, as printed there, for the numbers that are most often written in another way.
    for (input, canonical) in [
        ("-0.0", "0"),
        ("2.9514790517935283e20", "295147905179352830000"),
        ("9.999999999999999e20", "999999999999999900000"),
        ("1e21", "1e+21"),
        ("9.999999999999997e-7", "9.999999999999997e-7"),
        ("0.000001", "0.000001"),
        ("-0.0000033333333333333333", "-0.0000033333333333333333"),
        ("1424953923781206.2", "1424953923781206.2"),
    ] {
        assert_eq!(Form::of("", input).canonical.as_deref(), Some(canonical));
    }
}
