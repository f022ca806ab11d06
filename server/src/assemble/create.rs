//! Creates a bundle: once for each request, and durable before it is acknowledged.

use bytes::Bytes;
use chrono::SubsecRound as _;
use dossier_bundle::names::{BundleId, BundlePath, RequestId, RunPath};
use dossier_bundle::{Digest, canonical};
use dossier_proto::v1;
use dossier_store::{Created, Creation, Record, Store, Updated, keys};
use futures::{StreamExt as _, TryStreamExt as _};

use super::{Assembled, Pins, Shelf};
use crate::app::App;
use crate::bundles::{self, BundleRecord};
use crate::identity::Principal;
use crate::status::ApiError;

/// How many blobs are put at the same time.
const WRITERS: usize = 8;

/// What a create answers.
pub(crate) struct Outcome {
    /// The record that stands.
    pub(crate) record: BundleRecord,
    /// The manifest's bytes, where this call made them.
    pub(crate) manifest: Option<Vec<u8>>,
    /// Whether it stood before.
    pub(crate) existed: bool,
    /// Whether it stood before and could not be compared.
    pub(crate) unchecked: bool,
}

/// How a request names its bundle.
struct Identity {
    name: BundlePath,
    request: Option<RequestId>,
    /// Whether the name is the request's own, so that a bundle may stand there already.
    repeatable: bool,
}

/// Creates the bundle of a request.
///
/// # Errors
/// Those of the road; [`ApiError::Denied`]; [`ApiError::AlreadyExists`] for another draft under the same name;
/// [`ApiError::Aborted`] where the digest is not the expected one.
pub(crate) async fn create(
    app: &App,
    caller: &Principal,
    run: &RunPath,
    request: v1::CreateBundleRequest,
) -> Result<Outcome, ApiError> {
    let identity = identify(app, run, &request)?;
    let ids = [("request_id", request.request_id.clone()), ("bundle_id", request.bundle_id.clone())];
    let read = super::read(app, run, request.draft.unwrap_or_default()).await?;
    for (field, id) in ids {
        if !read.redactor.search(&id).is_empty() {
            return Err(ApiError::invalid(field, "must not hold what redaction would take"));
        }
    }
    let fingerprint = read.sent.fingerprint;
    let expected = read.sent.expected;
    let now = Pins::now(&read.sent.draft.limits);
    if identity.repeatable
        && let Some(record) = bundles::find(&app.store, &identity.name).await?
    {
        return standing(record, fingerprint, &now);
    }

    let creation = app.store.begin_create(run.org.as_str()).await?;
    let shelf = Shelf::Create(&creation, &app.store, &run.org);
    let assembled = super::assemble(app, &shelf, read).await?;
    let denials = assembled.denials();
    if !denials.is_empty() {
        return Err(ApiError::Denied(denials));
    }
    let Assembled { findings, frozen, blobs, pins } = assembled;
    let Some(sealed) = frozen.sealed else {
        return Err(ApiError::internal("nothing denies a draft that has no bundle"));
    };
    if expected.is_some_and(|expected| expected != sealed.digest) {
        let detail = format!("the bundle would have {}; preview again", sealed.digest);
        return Err(ApiError::aborted("DIGEST_DIFFERS", "draft.expected_digest", detail));
    }

    let record = BundleRecord {
        name: identity.name.to_string(),
        uid: app.ids.hex(16)?,
        create_time: app.clock.now().trunc_subsecs(3),
        creator: caller.name.clone(),
        request_id: identity.request.as_ref().map(ToString::to_string),
        digest: sealed.digest,
        manifest_bytes: u32::try_from(sealed.bytes.len()).unwrap_or(u32::MAX),
        fingerprint,
        pins,
        findings: findings.iter().map(bundles::FoundThen::new).collect(),
    };
    let mut named: Vec<Digest> = sealed.manifest.descriptors().iter().map(|descriptor| descriptor.digest).collect();
    named.push(sealed.digest);
    let parts = sealed.blobs.into_iter().chain(blobs).map(|blob| Bytes::from(blob.bytes));
    put(&creation, parts).await?;
    put(&creation, std::iter::once(Bytes::from(sealed.bytes.clone()))).await?;
    let run_record = make_run(&app.store, &identity.name, &sealed.manifest.spec);
    futures::try_join!(bundles::write_index(&app.store, &identity.name, &record), run_record)?;
    creation.settle().await?;
    match app.store.create_record(&bundles::key(&identity.name)?, record.to_record(named)?).await? {
        Created::Created(_) => {
            tracing::info!(
                action = "create_bundle",
                bundle = record.name,
                digest = %record.digest,
                creator = record.creator,
                bytes = record.manifest_bytes,
                findings = record.findings.len(),
                "made a bundle"
            );
            Ok(Outcome { record, manifest: Some(sealed.bytes), existed: false, unchecked: false })
        }
        Created::Exists(stored) => standing(BundleRecord::read(&identity.name, &stored)?, fingerprint, &now),
    }
}

/// What a request for a bundle that stands already gets.
fn standing(record: BundleRecord, fingerprint: Digest, now: &Pins) -> Result<Outcome, ApiError> {
    let same = record.fingerprint == fingerprint;
    // Redacted by other rules, or under other settings, the same draft may have another fingerprint.
    if !same && record.pins.redact_alike(now) {
        return Err(ApiError::AlreadyExists { kind: "bundle", name: record.name });
    }
    Ok(Outcome { record, manifest: None, existed: true, unchecked: !same })
}

fn identify(app: &App, run: &RunPath, request: &v1::CreateBundleRequest) -> Result<Identity, ApiError> {
    let named = |id: BundleId, request: Option<RequestId>, repeatable: bool| Identity {
        name: BundlePath { org: run.org.clone(), run: run.run.clone(), bundle: id },
        request,
        repeatable,
    };
    let invalid = |field: &str, error: dossier_bundle::names::ParseNameError| {
        ApiError::invalid(field, format!("must match {}", error.form))
    };
    let redactor = super::context::redactor()?;
    for (field, text) in [("request_id", &request.request_id), ("bundle_id", &request.bundle_id)] {
        if !redactor.search(text).is_empty() {
            return Err(ApiError::invalid(field, "must not hold what redaction would take"));
        }
    }
    match (request.request_id.as_str(), request.bundle_id.as_str()) {
        ("", "") => {
            let id = format!("b-{}", app.ids.hex(16)?);
            Ok(named(id.parse().map_err(|error| invalid("bundle_id", error))?, None, false))
        }
        ("", id) => Ok(named(id.parse().map_err(|error| invalid("bundle_id", error))?, None, true)),
        (request, "") => {
            let request: RequestId = request.parse().map_err(|error| invalid("request_id", error))?;
            let id = derived_id(run, &request)?;
            Ok(named(id, Some(request), true))
        }
        _ => Err(ApiError::invalid("bundle_id", "must be empty where request_id is set")),
    }
}

/// The id that a request id gives: `b-` and the first 32 digits of the SHA-256 over canonical JSON.
fn derived_id(run: &RunPath, request: &RequestId) -> Result<BundleId, ApiError> {
    let parts = ["CreateBundle", run.org.as_str(), run.run.as_str(), request.as_str()];
    let hex = canonical::digest(&parts).map_err(|_| ApiError::internal("names have no canonical form"))?.hex();
    let id = format!("b-{}", hex.get(..32).unwrap_or_default());
    id.parse().map_err(|_| ApiError::internal("a derived id is no id"))
}

async fn put(creation: &Creation, blobs: impl Iterator<Item = Bytes>) -> Result<(), ApiError> {
    let puts = futures::stream::iter(blobs.map(|bytes| creation.put_blob(bytes)));
    puts.buffer_unordered(WRITERS).try_for_each(|_| async { Ok(()) }).await?;
    Ok(())
}

/// Makes the run of the first bundle: without a current bundle, which is told by its attempts and bundles.
async fn make_run(store: &Store, name: &BundlePath, spec: &dossier_bundle::manifest::Spec) -> Result<(), ApiError> {
    let key = keys::run(name.org.as_str(), name.run.as_str()).map_err(|_| ApiError::internal("a run has no key"))?;
    let refs = spec.source_refs.as_ref();
    let mut body = serde_json::json!({ "project": spec.project, "route": spec.route });
    let known = [
        ("repository", refs.and_then(|refs| refs.repository.clone())),
        ("headSha", refs.and_then(|refs| refs.head_sha.clone())),
    ];
    for (member, text) in known {
        if let Some(text) = text {
            body[member] = text.into();
        }
    }
    let make = |current: Option<&dossier_store::Stored>| -> Result<Option<Record>, ApiError> {
        let record = || Record { kind: "RunRecord".to_owned(), blobs: Vec::new(), body: body.clone() };
        Ok(current.is_none().then(record))
    };
    match store.update_record(&key, make).await? {
        Updated::Written(_) | Updated::Unchanged(_) => Ok(()),
    }
}
