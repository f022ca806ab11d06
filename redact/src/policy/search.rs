//! Stages 6 and 7 over a window of text: what the policy and the user claim, and what the policy lets through.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::Policy;
use super::allow::{Allowed, Finding};
use super::lines::{self, Found};
use super::pattern::{Broken, Part, Pattern};
use super::place::Place;
use super::rule::{Required, Rule, entropy};
use super::triggers::{Places, Plan, Triggers};
use crate::error::Error;
use crate::hit::{Hit, Until};
use crate::kind::Kind;

/// How far from a match its keyword, or what its rule requires, may stand, in bytes.
const NEAR: usize = 2 * 1024;
/// How far before a place the text must be seen to judge what is found there: a keyword of what a rule requires that is itself
/// required by the rule in question.
pub(crate) const REACH: usize = 4 * NEAR;
/// How often what follows a pattern's word may not fit before the pattern is tried all the same.
const MISFITS: usize = 16;
/// How often a pattern is tried on a whole window before its lines are taken one by one.
const PROBES: usize = 16;

struct Shared {
    policy: Option<Policy>,
    user: Vec<Pattern>,
    triggers: OnceLock<Triggers>,
}

/// The patterns of policy and user, for texts of one place. Cloning is cheap.
#[derive(Clone)]
pub(crate) struct Patterns {
    shared: Arc<Shared>,
    /// `None` where the place could not be judged, which fails all texts there.
    place: Option<Arc<Place>>,
}

impl Patterns {
    pub(crate) fn new(policy: Option<Policy>, user: Vec<Pattern>) -> Patterns {
        let place = Some(Arc::new(Place::nowhere(policy.as_ref())));
        Patterns { shared: Arc::new(Shared { policy, user, triggers: OnceLock::new() }), place }
    }

    /// The same for texts that stand at `path`.
    pub(crate) fn at(&self, path: &str) -> Patterns {
        let Some(policy) = &self.shared.policy else { return self.clone() };
        Patterns { shared: Arc::clone(&self.shared), place: Place::at(policy, path).ok().map(Arc::new) }
    }

    fn place(&self) -> Result<&Place, Broken> {
        self.place.as_deref().ok_or(Broken)
    }

    fn rules(&self) -> &[Rule] {
        self.shared.policy.as_ref().map_or(&[], |policy| policy.rules())
    }

    /// Adds what they claim of `text`, and what allowances let through of it.
    pub(crate) fn find(&self, text: &[u8], hits: &mut Vec<Hit>, allowed: &mut Vec<Allowed>) -> Result<(), Error> {
        if self.rules().is_empty() && self.shared.user.is_empty() {
            return Ok(());
        }
        self.stages(text, hits, allowed).map_err(failed)
    }

    /// Takes out what the policy disables or lets through of the built-in rules. Denied values and user patterns stay.
    pub(crate) fn permit(&self, text: &[u8], hits: &mut Vec<Hit>, allowed: &mut Vec<Allowed>) -> Result<(), Error> {
        let Some(policy) = self.shared.policy.as_ref().filter(|policy| policy.permits()) else { return Ok(()) };
        let mut kept = Vec::with_capacity(hits.len());
        for hit in hits.drain(..) {
            let allowance = match hit.kind {
                // The policy's own rules have been judged with their matches.
                Kind::DeniedSecret | Kind::UserPattern | Kind::PolicyPattern => None,
                _ => self.allowance_of(policy, text, &hit).map_err(failed)?,
            };
            match allowance {
                Some(allowance) => allowed.push(Allowed { at: hit.range.start, allowance, rule: hit.rule }),
                None => kept.push(hit),
            }
        }
        *hits = kept;
        Ok(())
    }

    /// Adds all of `text`, where a rule of the policy is for files of this path.
    pub(crate) fn whole(&self, text: &[u8], hits: &mut Vec<Hit>, allowed: &mut Vec<Allowed>) -> Result<(), Error> {
        let place = self.place().map_err(failed)?;
        for (index, allowance) in &place.whole {
            let Some(rule) = self.rules().get(*index) else { continue };
            let id = Cow::Owned(rule.id.clone());
            match allowance.and_then(|index| Some(&self.shared.policy.as_ref()?.allows()[index])) {
                Some(allow) => allowed.push(Allowed { at: 0, allowance: Arc::clone(&allow.name), rule: id }),
                None => {
                    let open = Some(Until::End);
                    hits.push(Hit { range: 0..text.len(), kind: Kind::PolicyPattern, rule: id, open });
                }
            }
        }
        Ok(())
    }

    /// The allowance that lets a hit of a built-in rule through.
    fn allowance_of(&self, policy: &Policy, text: &[u8], hit: &Hit) -> Result<Option<Arc<str>>, Broken> {
        if policy.is_disabled(&hit.rule) {
            return Ok(Some("extend.disabledRules".into()));
        }
        let secret = &text[hit.range.clone()];
        let line = lines::short_line(text, hit.range.start).map(|line| &text[line]);
        self.first_allowance(policy.allows_for(&hit.rule), Finding { secret, whole: secret, line })
    }

    fn first_allowance<'a>(
        &self,
        allows: impl Iterator<Item = &'a usize>,
        finding: Finding<'_>,
    ) -> Result<Option<Arc<str>>, Broken> {
        let (Some(policy), place) = (&self.shared.policy, self.place()?) else { return Ok(None) };
        for index in allows {
            let allow = &policy.allows()[*index];
            if allow.lets(finding, place.allows[*index])? {
                return Ok(Some(Arc::clone(&allow.name)));
            }
        }
        Ok(None)
    }

    fn stages(&self, text: &[u8], hits: &mut Vec<Hit>, allowed: &mut Vec<Allowed>) -> Result<(), Broken> {
        let rules = self.rules();
        let search = Search::run(self, text)?;
        // By rule, what counts: required rules are asked for it.
        let mut counting: BTreeMap<usize, Vec<Found>> = BTreeMap::new();
        for (index, found) in &search.found {
            let Some(rule) = rules.get(*index) else {
                hits.extend(found.iter().map(|found| Hit::new(found.secret.clone(), Kind::UserPattern, "user-regex")));
                continue;
            };
            let mut kept = Vec::new();
            for found in found {
                let secret = &text[found.secret.clone()];
                if !search.has_keyword(*index, found) || (rule.entropy != 0.0 && entropy(secret) <= rule.entropy) {
                    continue;
                }
                let global = self.shared.policy.iter().flat_map(|policy| policy.global());
                let line = lines::short_line(text, found.whole.start).map(|line| &text[line]);
                let finding = Finding { secret, whole: &text[found.whole.clone()], line };
                match self.first_allowance(global.chain(&rule.allow), finding)? {
                    None => kept.push(found.clone()),
                    Some(_) if rule.silent => {}
                    Some(allowance) => {
                        allowed.push(Allowed { at: found.secret.start, allowance, rule: Cow::Owned(rule.id.clone()) });
                    }
                }
            }
            kept.sort_by_key(|found| found.whole.start);
            counting.insert(*index, kept);
        }
        let claim = |rule: &Rule, range: &Range<usize>| Hit {
            range: range.clone(),
            kind: Kind::PolicyPattern,
            rule: Cow::Owned(rule.id.clone()),
            open: None,
        };
        for (index, found) in &counting {
            let rule = &rules[*index];
            for found in found.iter().filter(|_| !rule.silent) {
                // What belongs to a secret of several parts goes with it.
                if let Some(parts) = together(text, found, &rule.required, &counting) {
                    hits.push(claim(rule, &found.secret));
                    hits.extend(parts.into_iter().map(|(part, range)| claim(&rules[part], &range)));
                }
            }
        }
        Ok(())
    }
}

fn failed(_: Broken) -> Error {
    Error::Rule { rule: "policy".to_owned() }
}

/// What a find's required rules have near it; `None` if one of them has nothing.
fn together(
    text: &[u8],
    found: &Found,
    required: &[Required],
    counting: &BTreeMap<usize, Vec<Found>>,
) -> Option<Vec<(usize, Range<usize>)>> {
    let mut parts = Vec::new();
    for required in required {
        let others = counting.get(&required.rule)?;
        let first = others.partition_point(|other| other.whole.start + NEAR < found.whole.start);
        let near = others[first..].iter().take_while(|other| other.whole.start <= found.whole.start + NEAR);
        let before = parts.len();
        parts.extend(
            near.filter(|other| is_near(text, found, other, required)).map(|o| (required.rule, o.secret.clone())),
        );
        if parts.len() == before {
            return None;
        }
    }
    Some(parts)
}

/// Whether two finds are as close together as is required, measured from their starts.
fn is_near(text: &[u8], one: &Found, other: &Found, required: &Required) -> bool {
    let (low, high) = (one.whole.start.min(other.whole.start), one.whole.start.max(other.whole.start));
    let lines = || memchr::memchr_iter(b'\n', &text[low..high]).count();
    let column = |at: usize| at - lines::line(text, at).start;
    required.lines.is_none_or(|most| lines() <= most)
        && required.columns.is_none_or(|most| column(low).abs_diff(column(high)) <= most)
}

/// One search of a text for all patterns.
struct Search<'p> {
    triggers: &'p Triggers,
    /// By pattern.
    found: BTreeMap<usize, Vec<Found>>,
    /// By word, where it stands if it is a keyword.
    places: Places,
}

impl<'p> Search<'p> {
    fn run(patterns: &'p Patterns, text: &[u8]) -> Result<Search<'p>, Broken> {
        let (rules, user, place) = (patterns.rules(), &patterns.shared.user, patterns.place()?);
        let triggers = patterns.shared.triggers.get_or_init(|| Triggers::new(rules, user));
        let mut found: BTreeMap<usize, Vec<Found>> = BTreeMap::new();
        let pattern = |source: usize| match rules.get(source) {
            Some(rule) if !place.rules[source] => None.zip(Some(rule.part)),
            Some(rule) => rule.pattern.as_ref().zip(Some(rule.part)),
            None => user.get(source - rules.len()).zip(Some(Part::All)),
        };
        // By pattern, up to where it was tried, and how often what follows a word did not fit since.
        let mut searched: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        let mut current = 0..0;
        let places = triggers.walk(text, |source, at, end| {
            let (done, misfits) = searched.get(&source).copied().unwrap_or_default();
            if at < done {
                return Ok(());
            }
            let Some((pattern, goes)) = pattern(source) else { return Ok(()) };
            if !current.contains(&at) {
                current = lines::line(text, at);
            }
            // Where words stand close together, the pattern is tried at once: each look behind one may go far.
            let behind = end.filter(|_| misfits < MISFITS).map(|end| {
                let limit = text.len().min(current.end + 1).min(end + lines::LONGEST);
                text.get(end..limit).unwrap_or_default()
            });
            if behind.is_some_and(|behind| !pattern.may_follow(behind)) {
                searched.insert(source, (done, misfits + 1));
                return Ok(());
            }
            if let Some((part, next)) = lines::part(&current, at, done) {
                searched.insert(source, (next, 0));
                lines::search(text, &part, pattern, goes, |hit| found.entry(source).or_default().push(hit))?;
            }
            Ok(())
        })?;
        for (source, plan) in &triggers.others {
            let Some((pattern, goes)) = pattern(*source) else { continue };
            let claim = |hit| found.entry(*source).or_default().push(hit);
            match plan {
                Plan::Near => near(text, triggers, &places, *source, pattern, goes, claim)?,
                _ => everywhere(text, pattern, goes, claim)?,
            }
        }
        Ok(Search { triggers, found, places })
    }

    /// Whether a keyword of the rule stands near, if it needs one.
    fn has_keyword(&self, rule: usize, found: &Found) -> bool {
        let words = &self.triggers.keywords[rule];
        words.is_empty()
            || words.iter().any(|word| {
                let Some(places) = self.places.get(word) else { return false };
                let first = places.partition_point(|place| place + NEAR < found.whole.start);
                places.get(first).is_some_and(|place| *place <= found.whole.end + NEAR)
            })
    }
}

/// Tries a pattern on the lines near its keywords.
fn near(
    text: &[u8],
    triggers: &Triggers,
    places: &Places,
    source: usize,
    pattern: &Pattern,
    goes: Part,
    mut claim: impl FnMut(Found),
) -> Result<(), Broken> {
    let mut all: Vec<usize> =
        triggers.keywords[source].iter().filter_map(|word| places.get(word)).flatten().copied().collect();
    all.sort_unstable();
    let mut done = 0;
    for place in all {
        let to = text.len().min(place + NEAR + 1);
        let mut at = place.saturating_sub(NEAR).max(done);
        while at < to {
            let line = lines::line(text, at);
            while let Some((part, next)) = lines::part(&line, at, done).filter(|_| at <= line.end.min(to)) {
                lines::search(text, &part, pattern, goes, &mut claim)?;
                (done, at) = (next, next);
            }
            at = at.max(done);
        }
    }
    Ok(())
}

/// Tries a pattern on all lines. A look at the whole text says first whether there is anything to find.
fn everywhere(text: &[u8], pattern: &Pattern, goes: Part, mut claim: impl FnMut(Found)) -> Result<(), Broken> {
    let regex = pattern.regex()?;
    let (mut at, mut probes) = (0, 0);
    while at < text.len() {
        if probes < PROBES {
            probes += 1;
            // The break before the line may belong to a match.
            let Some(found) = regex.find_at(text, at.saturating_sub(1)) else { break };
            at = at.max(found.start());
        }
        let line = lines::line(text, at);
        let mut from = line.start;
        let mut done = 0;
        while let Some((part, next)) = lines::part(&line, from, done).filter(|_| from <= line.end) {
            lines::search(text, &part, pattern, goes, &mut claim)?;
            (done, from) = (next, next);
        }
        at = line.end + 1;
    }
    Ok(())
}
