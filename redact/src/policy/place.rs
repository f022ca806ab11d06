//! Where a text stands, and what of the policy holds there.

use super::Policy;
use super::pattern::Broken;

/// What the text's path decides, found out once.
pub(crate) struct Place {
    /// Which rules hold, in the policy's order.
    pub(crate) rules: Vec<bool>,
    /// Which allowances know the path.
    pub(crate) allows: Vec<bool>,
    /// Rules without a pattern that take all of the text, and by which allowance it stays if it does.
    pub(crate) whole: Vec<(usize, Option<usize>)>,
}

impl Place {
    /// What holds where a text has no path: rules without one, and no allowance by path.
    pub(crate) fn nowhere(policy: Option<&Policy>) -> Place {
        let (rules, allows) = policy.map_or((&[][..], 0), |policy| (policy.rules(), policy.allows().len()));
        Place {
            rules: rules.iter().map(|rule| rule.path.is_none()).collect(),
            allows: vec![false; allows],
            whole: Vec::new(),
        }
    }

    /// What holds at `path`.
    pub(crate) fn at(policy: &Policy, path: &str) -> Result<Place, Broken> {
        let path = normal(path);
        if path.is_empty() {
            return Ok(Place::nowhere(Some(policy)));
        }
        let mut place = Place { rules: Vec::new(), allows: Vec::new(), whole: Vec::new() };
        for allow in policy.allows() {
            place.allows.push(allow.knows(&path)?);
        }
        for (index, rule) in policy.rules().iter().enumerate() {
            let holds = match &rule.path {
                Some(pattern) => pattern.is_in(path.as_bytes())?,
                None => true,
            };
            place.rules.push(holds);
            if holds && rule.pattern.is_none() && !rule.silent {
                let lets = |allow: &&usize| policy.allows()[**allow].lets_path(place.allows[**allow]);
                let allowance = policy.global().iter().chain(&rule.allow).find(lets);
                place.whole.push((index, allowance.copied()));
            }
        }
        Ok(place)
    }
}

/// The path with `/` between its parts and without a leading `./`.
fn normal(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut rest = path.as_str();
    while let Some(inner) = rest.strip_prefix("./") {
        rest = inner.trim_start_matches('/');
    }
    rest.to_owned()
}
