//! Following the literals of a text to what they lead to.

use super::{Pass, Scope};
use crate::assign::{Assignments, Passed};
use crate::error::Error;
use crate::hit::Hit;
use crate::literals::{Found, Lead, Literals, Seen, Wanted};
use crate::repeats::Repeats;
use crate::rules::{self, Take};
use crate::{command, pem, url};

/// How far a rule looks on after a match that looked like no token.
const UNLIKELY: usize = 24;

impl Pass<'_> {
    /// Follows each literal of the rules. Returns the assigned values that were let pass.
    pub(super) fn literals(
        &mut self,
        text: &[u8],
        seen: &Seen,
        scope: Scope,
        hits: &mut Vec<Hit>,
    ) -> Result<Vec<Passed>, Error> {
        let literals = Literals::get();
        let rules = rules::all();
        beside(text, seen, hits)?;
        if seen.found.is_empty() {
            return Ok(Vec::new());
        }
        let mut assignments = Assignments::default();
        let mut looked = 0;
        let mut commands = vec![0; command::count()];
        let mut web_key = 0;
        let mut armour = 0;
        let mut claimed = vec![0; rules.len()];
        let mut repeats = Repeats::default();
        for place in &seen.found {
            let start = place.start();
            let Some((leads, len)) = literals.leads(*place) else { continue };
            if let Some(passed) = repeats.again(text, *place) {
                assignments.passed.extend(passed);
                continue;
            }
            let (found, passed) = (hits.len(), assignments.passed.len());
            // Whether all leads were followed, and nothing before the place had a part in it.
            let mut free = true;
            for lead in leads {
                match lead {
                    Lead::Key if scope.keys => free &= assignments.key(text, start..start + len, hits),
                    Lead::Key | Lead::Marker | Lead::Data => {}
                    Lead::Putty => {
                        free = false;
                        pem::putty(text, start, hits);
                    }
                    Lead::WebKey => {
                        free = false;
                        if start >= web_key {
                            web_key = pem::web_key(text, start, hits);
                        }
                    }
                    Lead::Armour => {
                        free = false;
                        armour = pem::armour(text, armour, start, hits);
                    }
                    Lead::Url if start >= looked => looked = url::userinfo(text, start, hits),
                    Lead::Url => free = false,
                    Lead::Command(index) => {
                        free = false;
                        if scope.keys && start >= commands[*index] {
                            commands[*index] = command::judge(text, start, *index, hits)?;
                        }
                    }
                    Lead::Rule(index) => {
                        let compiled = &rules[*index];
                        // A rule does not look again into what it took.
                        if start < claimed[*index] {
                            free = false;
                            continue;
                        }
                        let taken = compiled.take(text, start);
                        let taken = taken.map_err(|_| Error::Rule { rule: compiled.rule.id.to_owned() })?;
                        match taken {
                            Take::Taken(range) => {
                                claimed[*index] = range.end;
                                hits.push(Hit::new(range, compiled.rule.kind, compiled.rule.id));
                            }
                            // The same again a few bytes on is no likelier; this keeps repetitions cheap.
                            Take::Unlikely(len) => claimed[*index] = start + UNLIKELY.max(len / 4),
                            Take::Nothing => {}
                        }
                    }
                }
            }
            let passed = assignments.passed.get(passed..).unwrap_or_default();
            if free && hits.len() == found && passed.len() <= 1 {
                repeats.nothing(*place, passed.first().cloned());
            }
        }
        Ok(assignments.passed)
    }
}

/// Judges the runs behind words like `key`: some are told by the name of their provider.
fn beside(text: &[u8], seen: &Seen, hits: &mut Vec<Hit>) -> Result<(), Error> {
    let mut keys = seen.places(Wanted::Key).peekable();
    let mut key = None;
    let mut repeats = Repeats::default();
    for start in seen.survey.starts().iter().map(|start| *start as usize) {
        while let Some(place) = keys.next_if(|place| *place < start) {
            key = Some(place);
        }
        let keyed = key.is_some_and(|key| start - key <= rules::WINDOW);
        if keyed && repeats.again(text, Found::other(start)).is_some() {
            continue;
        }
        let taken = rules::beside(text, start, keyed).map_err(|rule| Error::Rule { rule: rule.id.to_owned() })?;
        match taken {
            Some((range, rule)) => hits.push(Hit::new(range, rule.kind, rule.id)),
            None if keyed => repeats.nothing(Found::other(start), None),
            None => {}
        }
    }
    Ok(())
}
