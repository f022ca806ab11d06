//! `TokenService`.

use chrono::{DateTime, Utc};
use dossier_proto::v1::token_service_server::TokenService;
use dossier_proto::v1::{
    CreateTokenRequest, CreateTokenResponse, ListTokensRequest, ListTokensResponse, RevokeTokenRequest,
    RevokeTokenResponse, Token,
};
use prost_types::Timestamp;
use tonic::{Request, Response, Status};

use super::page::page;
use crate::app::App;
use crate::identity::{NewToken, Principal, Role, TokenRecord};
use crate::status::ApiError;

/// The service.
pub(super) struct Service {
    app: App,
}

impl Service {
    pub(super) fn new(app: App) -> Self {
        Self { app }
    }
}

#[tonic::async_trait]
impl TokenService for Service {
    async fn create_token(
        &self,
        request: Request<CreateTokenRequest>,
    ) -> Result<Response<CreateTokenResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let asked = request.into_inner();
        let ttl = asked.ttl.map(|ttl| ttl.seconds.saturating_add(i64::from(ttl.nanos > 0)));
        let token =
            NewToken::parse(&asked.principal, Role::from_wire(asked.role), &asked.orgs, &asked.run, &asked.task, ttl)?;
        may_give(&caller, &token)?;
        let (record, secret) = self.app.tokens.create(token, &caller.name).await?;
        tracing::info!(
            token = %record.id(),
            principal = record.principal,
            role = record.role.name(),
            creator = caller.name,
            "made a token"
        );
        Ok(Response::new(CreateTokenResponse { token: Some(to_wire(&record)), secret: secret.expose().to_owned() }))
    }

    async fn list_tokens(&self, request: Request<ListTokensRequest>) -> Result<Response<ListTokensResponse>, Status> {
        let asked = request.into_inner();
        let (limit, after) = page(asked.page_size, &asked.page_token)?;
        let page = self.app.tokens.list(after.as_ref(), limit).await?;
        Ok(Response::new(ListTokensResponse {
            tokens: page.tokens.iter().map(to_wire).collect(),
            next_page_token: page.next.map(|next| next.as_str().to_owned()).unwrap_or_default(),
        }))
    }

    async fn revoke_token(
        &self,
        request: Request<RevokeTokenRequest>,
    ) -> Result<Response<RevokeTokenResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let name = request.into_inner().name;
        let id = name.strip_prefix("tokens/").and_then(|id| id.parse().ok());
        let id =
            id.ok_or_else(|| ApiError::invalid("name", "must match tokens/{id}, the id of 32 hexadecimal digits"))?;
        let record = self.app.tokens.revoke(&id, |record| may_revoke(&caller, record)).await?;
        tracing::info!(token = %id, principal = record.principal, by = caller.name, "revoked a token");
        Ok(Response::new(RevokeTokenResponse { token: Some(to_wire(&record)) }))
    }
}

/// An admin gives anything; a controller gives agents of its own orgs theirs, under names below its own.
fn may_give(caller: &Principal, token: &NewToken) -> Result<(), ApiError> {
    if caller.role == Role::Admin {
        return Ok(());
    }
    if token.role() != Role::Agent {
        return Err(ApiError::PermissionDenied("a controller makes agent tokens only"));
    }
    if !token.orgs().iter().all(|org| caller.is_in(org)) {
        return Err(ApiError::PermissionDenied("a controller makes tokens for its own orgs only"));
    }
    let below = token.principal().strip_prefix(caller.name.as_str()).and_then(|rest| rest.strip_prefix('.'));
    if below.is_some_and(|rest| !rest.is_empty()) {
        Ok(())
    } else {
        Err(ApiError::PermissionDenied("a controller's agents have its own name, a dot, and a name of theirs"))
    }
}

fn may_revoke(caller: &Principal, record: &TokenRecord) -> bool {
    let own = record.orgs.iter().all(|org| org.parse().is_ok_and(|org| caller.is_in(&org)));
    caller.role == Role::Admin || (record.role == Role::Agent && record.creator == caller.name && own)
}

fn to_wire(record: &TokenRecord) -> Token {
    Token {
        name: record.id().resource(),
        principal: record.principal.clone(),
        role: record.role.to_wire().into(),
        orgs: record.orgs.clone(),
        run: record.run.clone().unwrap_or_default(),
        task: record.task.clone().unwrap_or_default(),
        create_time: Some(timestamp(record.create_time)),
        expire_time: record.expire_time.map(timestamp),
        creator: record.creator.clone(),
        revoke_time: record.revoke_time.map(timestamp),
    }
}

fn timestamp(time: DateTime<Utc>) -> Timestamp {
    Timestamp { seconds: time.timestamp(), nanos: i32::try_from(time.timestamp_subsec_nanos()).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(role: Role, org: &str) -> Principal {
        Principal {
            name: "ci".to_owned(),
            role,
            orgs: vec![org.parse().unwrap()],
            run: None,
            task: None,
            token: "00".repeat(16).parse().unwrap(),
        }
    }

    fn agent(org: &str, name: &str) -> NewToken {
        NewToken::parse(name, Some(Role::Agent), &[org.to_owned()], "r", "", None).unwrap()
    }

    #[test]
    fn a_controller_gives_agents_of_its_orgs_theirs() {
        let controller = caller(Role::Controller, "a");
        assert_eq!(may_give(&controller, &agent("a", "ci.agent")), Ok(()));
        assert!(may_give(&controller, &agent("b", "ci.agent")).is_err());
        let auditor = NewToken::parse("ci.x", Some(Role::Auditor), &["a".to_owned()], "", "", None).unwrap();
        assert!(may_give(&controller, &auditor).is_err());
        assert_eq!(may_give(&caller(Role::Admin, "z"), &auditor), Ok(()));
    }

    #[test]
    fn nobody_but_an_admin_gives_anothers_name() {
        for name in ["agent", "local-admin", "ci", "ci.", "ci-2", "ci-2.agent", "cii.agent", "x.ci.agent"] {
            assert!(may_give(&caller(Role::Controller, "a"), &agent("a", name)).is_err(), "{name}");
            assert_eq!(may_give(&caller(Role::Admin, "z"), &agent("a", name)), Ok(()));
        }
        for name in ["ci.agent", "ci.a.b", "ci..", "ci.run-1_pod.2"] {
            assert_eq!(may_give(&caller(Role::Controller, "a"), &agent("a", name)), Ok(()), "{name}");
        }
    }
}
