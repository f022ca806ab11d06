//! A caller.

use dossier_bundle::names::{OrgName, RunName, RunPath, TaskName};
use tonic::Request;

use super::role::Role;
use super::secret::TokenId;
use crate::serve::note_org;
use crate::status::ApiError;

/// A caller, as its credential says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// The name under which it is logged and stamped.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The orgs it may act in. An admin's is empty and means all.
    pub orgs: Vec<OrgName>,
    /// An agent's run.
    pub run: Option<RunName>,
    /// An agent's task.
    pub task: Option<TaskName>,
    /// The credential.
    pub token: TokenId,
}

impl Principal {
    /// The caller of a request that has passed the authenticator.
    ///
    /// # Errors
    /// [`ApiError::Internal`] where the request has not passed it: then the server is put together wrongly.
    pub fn of<T>(request: &Request<T>) -> Result<&Self, ApiError> {
        request.extensions().get().ok_or_else(|| ApiError::internal("a request came around the authenticator"))
    }

    /// Whether it acts as `role`: an admin acts as any.
    #[must_use]
    pub fn has_role(&self, role: Role) -> bool {
        self.role == Role::Admin || self.role == role
    }

    /// Whether the org is one of its own.
    #[must_use]
    pub fn is_in(&self, org: &OrgName) -> bool {
        self.role == Role::Admin || self.orgs.contains(org)
    }

    /// Lets it into an org. Of another org it learns nothing, not even that it is there.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] where the org is not its own.
    pub fn enter_org(&self, org: &OrgName) -> Result<(), ApiError> {
        note_org(org);
        if self.is_in(org) { Ok(()) } else { Err(ApiError::not_found("org", "")) }
    }

    /// Lets it see what belongs to an org as a whole, such as the list of all bundles: no agent may.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] where the org is not its own, or it is an agent: its lists name its run or task.
    pub fn enter_whole_org(&self, org: &OrgName) -> Result<(), ApiError> {
        self.enter_org(org)?;
        if self.role == Role::Agent { Err(ApiError::not_found("org", "")) } else { Ok(()) }
    }

    /// Lets it into a run. An agent enters its own only.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] where the org or the run is not its own.
    pub fn enter_run(&self, run: &RunPath) -> Result<(), ApiError> {
        note_org(&run.org);
        let own = self.role != Role::Agent || self.run.as_ref() == Some(&run.run);
        if own && self.is_in(&run.org) { Ok(()) } else { Err(ApiError::not_found("run", "")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn principal(role: Role, orgs: &[&str], run: Option<&str>) -> Principal {
        Principal {
            name: "p".to_owned(),
            role,
            orgs: orgs.iter().map(|org| org.parse().unwrap()).collect(),
            run: run.map(|run| run.parse().unwrap()),
            task: None,
            token: "00".repeat(16).parse().unwrap(),
        }
    }

    #[test]
    fn orgs_are_walls() {
        let (a, b): (OrgName, OrgName) = ("a".parse().unwrap(), "b".parse().unwrap());
        let controller = principal(Role::Controller, &["a"], None);
        assert_eq!(controller.enter_org(&a), Ok(()));
        assert_eq!(controller.enter_org(&b), Err(ApiError::not_found("org", "")));
        assert_eq!(principal(Role::Admin, &[], None).enter_org(&b), Ok(()));
        assert!(principal(Role::Auditor, &[], None).enter_org(&a).is_err());
    }

    #[test]
    fn an_agent_enters_its_own_run_only() {
        let agent = principal(Role::Agent, &["a"], Some("r1"));
        let run = |name: &str| name.parse::<RunPath>().unwrap();
        assert_eq!(agent.enter_run(&run("orgs/a/runs/r1")), Ok(()));
        for foreign in ["orgs/a/runs/r2", "orgs/b/runs/r1"] {
            assert_eq!(agent.enter_run(&run(foreign)), Err(ApiError::not_found("run", "")));
        }
        assert!(agent.enter_whole_org(&"a".parse().unwrap()).is_err());
        assert!(principal(Role::Agent, &["a"], None).enter_run(&run("orgs/a/runs/r1")).is_err());
        assert!(principal(Role::Controller, &["a"], None).enter_run(&run("orgs/a/runs/r9")).is_ok());
    }
}
