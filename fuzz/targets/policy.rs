//! Any policy: it is refused or it works, and it is never slow to say which.
#![no_main]

use dossier_redact::{Policy, Redactor};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(policy) = Policy::parse(text) else { return };
    let Ok(redactor) = Redactor::builder().policy(policy).build() else { return };
    let _ = redactor.redact("password = 'Zx81-q-made-up!' and ticket-1234 in some/path.txt\n");
});
