//! Stage 2: each form of `corpus/forms.txt` with several names and values.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::{Case, hold};

const FORMS: &str = include_str!("../../corpus/forms.txt");

const PASSWORDS: [&str; 4] = ["password", "DB_PASSWORD", "dbPassword", "redis-pass"];
const SECRETS: [&str; 6] = ["api_key", "SECRET_KEY", "clientSecret", "auth-token", "ACCESS_TOKEN", "github_token"];

/// Values as people choose them, and as machines do.
const CHOSEN: [&str; 5] = ["hunter2made", "P4ss!w0rd", "Tr0ub4dor", "Kx9qq81zzPw", "s3cr3t-made-up"];
const MADE: [&str; 5] = [
    "q7Zx2mK9vR4tB8wN3cY6",
    "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "3f2b8a6e-1c4d-4e5f-8a9b-0c1d2e3f4a5b",
    "q7Zx2mK9vR4+B8wN/cY6hJ5pL1sD0fGkQzX7Mw==",
    "AbCdEfGhIjKlMnOpQrStUvWxYz_-QwErTyUi",
];

/// Every form with its names and values.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for form in FORMS.split("\n= ").skip(1) {
        let (head, text) = form.split_once('\n').unwrap();
        let (name, class) = head.split_once(" : ").unwrap();
        let both = ["any", "secret", "basic"].contains(&class);
        let names: Vec<&str> = match class {
            "password" | "url" => PASSWORDS.to_vec(),
            "secret" => SECRETS.to_vec(),
            _ => PASSWORDS.iter().chain(&SECRETS).copied().collect(),
        };
        for key in names {
            let password = PASSWORDS.contains(&key);
            let chosen = CHOSEN.iter().filter(|_| password);
            for value in chosen.chain(MADE.iter().filter(|_| both || password)) {
                if class == "url" && value.contains(['/', '=', '@']) {
                    continue;
                }
                let marked = text
                    .replace('‹', "<")
                    .replace('›', ">")
                    .replace("<K>", key)
                    .replace("<V>", &format!("«{value}»"))
                    .replace("<B>", &format!("«{}»", STANDARD.encode(value)))
                    .replace("<A>", &format!("«{}»", STANDARD.encode(format!("joe:{value}"))));
                cases.push(Case::new(name, &marked));
            }
        }
    }
    cases
}

#[test]
fn values_beside_names_go() {
    hold(&cases(), 15);
}
