//! The table of recognizers, a file for each family of tools.
//!
//! Weights: 90 and over for a message with its place in the code, or what a failed test says of itself; 80 for a message that
//! names what is wrong; 70 for one that a tool prints of itself; 50 and less for words that may stand for much else; 20 and less
//! for sums ("2 tests failed") that only say that something failed.

mod generic;
mod go;
mod jvm;
mod native;
mod others;
mod php;
mod python;
mod ruby;
mod rust;
mod script;
mod services;
mod system;
mod wrapper;

use super::recognizer::{Class, Recognizer, Role};

/// All rows, in one order.
pub(super) fn all() -> impl Iterator<Item = &'static Recognizer> {
    let tables: [&[Recognizer]; 13] = [
        wrapper::ALL,
        rust::ALL,
        native::ALL,
        python::ALL,
        script::ALL,
        jvm::ALL,
        go::ALL,
        ruby::ALL,
        php::ALL,
        others::ALL,
        system::ALL,
        services::ALL,
        generic::ALL,
    ];
    tables.into_iter().flatten()
}

/// Words of the table: one of the literals stands in each line that the pattern matches.
type Words = &'static [&'static str];

const fn row(
    id: &'static str,
    (role, class, weight): (Role, Class, u8),
    literals: Words,
    pattern: &'static str,
    examples: Words,
    others: Words,
) -> Recognizer {
    Recognizer { id, role, class, weight, literals, pattern, examples, others }
}

const fn cause(class: Class, weight: u8) -> (Role, Class, u8) {
    (Role::Cause, class, weight)
}

const fn stop(class: Class, weight: u8) -> (Role, Class, u8) {
    (Role::Stop, class, weight)
}

const EXIT: (Role, Class, u8) = (Role::Exit, Class::Unknown, 1);
/// The machine says that an error before it is none.
const RETRACT: (Role, Class, u8) = (Role::Retract, Class::Unknown, 0);
const START: (Role, Class, u8) = (Role::Start, Class::Unknown, 0);

const fn noise(weight: u8) -> (Role, Class, u8) {
    (Role::Noise, Class::Unknown, weight)
}
