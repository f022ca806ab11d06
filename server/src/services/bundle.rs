//! `BundleService`.

use std::collections::BTreeSet;
use std::pin::Pin;

use bytes::Bytes;
use dossier_bundle::names::{BundlePath, OrgParent, ParseNameError, RunPath};
use dossier_bundle::verify::{Outcome as StepOutcome, Report, Step, verify};
use dossier_bundle::{Digest, Sealed};
use dossier_proto::v1;
use dossier_proto::v1::bundle_service_server::BundleService;
use futures::{Stream, StreamExt as _, TryStreamExt as _};
use tonic::{Request, Response, Status};

use super::page::page;
use crate::app::App;
use crate::assemble::context::redactor;
use crate::assemble::{self, Shelf, create, wire};
use crate::bundles::{self, Listing};
use crate::identity::Principal;
use crate::status::ApiError;

/// How many blobs are read ahead of what is sent.
const READERS: usize = 4;
/// The largest chunk.
const CHUNK: usize = 1 << 20;
/// The longest text of a fragment in a preview.
const SHOWN: usize = 16 << 10;
/// All such texts together: a preview stays within a message.
const ALL_SHOWN: usize = 2 << 20;
/// The most digests that a fetch may have already.
const MAX_HAVE: usize = 1_024;

/// The service.
pub(super) struct Service {
    app: App,
}

impl Service {
    pub(super) fn new(app: App) -> Self {
        Self { app }
    }
}

/// Parses a name of a request. One that redaction would touch is refused: nothing has such a name, and it would be logged and
/// answered.
pub(super) fn parse<N: std::str::FromStr<Err = ParseNameError>>(field: &str, text: &str) -> Result<N, ApiError> {
    if !redactor()?.search(text).is_empty() {
        return Err(ApiError::invalid(field, "must not hold what redaction would take"));
    }
    text.parse().map_err(|error: ParseNameError| ApiError::invalid(field, format!("must match {}", error.form)))
}

/// Parses the name of a bundle and lets the caller in.
pub(super) fn enter(caller: &Principal, field: &str, text: &str) -> Result<BundlePath, ApiError> {
    let name: BundlePath = parse(field, text)?;
    caller.enter_run(&RunPath { org: name.org.clone(), run: name.run.clone() })?;
    Ok(name)
}

#[tonic::async_trait]
impl BundleService for Service {
    async fn preview_bundle(
        &self,
        request: Request<v1::PreviewBundleRequest>,
    ) -> Result<Response<v1::PreviewBundleResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let asked = request.into_inner();
        let run: RunPath = parse("parent", &asked.parent)?;
        caller.enter_run(&run)?;
        let draft = asked.draft.ok_or_else(|| ApiError::invalid("draft", "is required"))?;
        let read = assemble::read(&self.app, &run, draft).await?;
        let expected = read.sent.expected;
        let shelf = Shelf::Preview(&self.app.store, &run.org);
        let assembled = assemble::assemble(&self.app, &shelf, read).await?;
        let denied = !assembled.denials().is_empty();
        let mut answer = v1::PreviewBundleResponse {
            findings: assembled.findings.iter().map(wire::finding).collect(),
            denied,
            pins: Some(assembled.pins.to_wire()),
            ..v1::PreviewBundleResponse::default()
        };
        if let Some(sealed) = &assembled.frozen.sealed {
            answer.digest = if denied { String::new() } else { sealed.digest.to_string() };
            answer.spec = Some(wire::spec(&sealed.bytes)?);
            answer.fragments = fragments(sealed);
            if !denied && expected.is_some_and(|expected| expected != sealed.digest) {
                let detail = format!("the bundle would have {}", sealed.digest);
                return Err(ApiError::aborted("DIGEST_DIFFERS", "draft.expected_digest", detail).into());
            }
        }
        Ok(Response::new(answer))
    }

    async fn create_bundle(
        &self,
        request: Request<v1::CreateBundleRequest>,
    ) -> Result<Response<v1::CreateBundleResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let asked = request.into_inner();
        let run: RunPath = parse("parent", &asked.parent)?;
        caller.enter_run(&run)?;
        if asked.draft.is_none() {
            return Err(ApiError::invalid("draft", "is required").into());
        }
        let outcome = Box::pin(create::create(&self.app, &caller, &run, asked)).await?;
        let manifest = match outcome.manifest {
            Some(manifest) => Bytes::from(manifest),
            None => self.app.store.get_blob(run.org.as_str(), &outcome.record.digest).await.map_err(ApiError::from)?,
        };
        Ok(Response::new(v1::CreateBundleResponse {
            bundle: Some(outcome.record.resource(&manifest)?),
            findings: outcome.record.findings(),
            existed: outcome.existed,
            unchecked: outcome.unchecked,
        }))
    }

    async fn get_bundle(
        &self,
        request: Request<v1::GetBundleRequest>,
    ) -> Result<Response<v1::GetBundleResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let name = enter(&caller, "name", &request.get_ref().name)?;
        let record = bundles::record(&self.app.store, &name).await?;
        let manifest = self.app.store.get_blob(name.org.as_str(), &record.digest).await.map_err(ApiError::from)?;
        Ok(Response::new(v1::GetBundleResponse { bundle: Some(record.resource(&manifest)?) }))
    }

    async fn list_bundles(
        &self,
        request: Request<v1::ListBundlesRequest>,
    ) -> Result<Response<v1::ListBundlesResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let asked = request.into_inner();
        let (limit, after) = page(asked.page_size, &asked.page_token)?;
        let digest =
            match asked.digest.as_str() {
                "" => None,
                text => Some(text.parse::<Digest>().map_err(|_| {
                    ApiError::invalid("digest", "must be `sha256:` and 64 lower-case hexadecimal digits")
                })?),
            };
        let listing = match parse::<RunPath>("parent", &asked.parent) {
            Ok(run) => {
                caller.enter_run(&run)?;
                Listing { org: run.org, run: Some(run.run), digest }
            }
            Err(_) => {
                let parent: OrgParent = parse("parent", &asked.parent)
                    .map_err(|_| ApiError::invalid("parent", "must match orgs/{org} or orgs/{org}/runs/{run}"))?;
                caller.enter_whole_org(&parent.org)?;
                Listing { org: parent.org, run: None, digest }
            }
        };
        let listed = listing.page(&self.app.store, after.as_ref(), limit).await?;
        Ok(Response::new(v1::ListBundlesResponse {
            bundles: listed.records.iter().map(bundles::BundleRecord::summary).collect(),
            unreadable: listed.unreadable.iter().map(ToString::to_string).collect(),
            next_page_token: listed.next.map(|next| next.as_str().to_owned()).unwrap_or_default(),
        }))
    }

    type FetchBundleStream = Pin<Box<dyn Stream<Item = Result<v1::FetchBundleResponse, Status>> + Send>>;

    async fn fetch_bundle(
        &self,
        request: Request<v1::FetchBundleRequest>,
    ) -> Result<Response<Self::FetchBundleStream>, Status> {
        let caller = Principal::of(&request)?.clone();
        let asked = request.into_inner();
        let name = enter(&caller, "name", &asked.name)?;
        if asked.have_digests.len() > MAX_HAVE {
            return Err(ApiError::invalid("have_digests", format!("must be at most {MAX_HAVE}")).into());
        }
        let mut have = BTreeSet::new();
        for (index, text) in asked.have_digests.iter().enumerate() {
            let digest = text.parse::<Digest>();
            have.insert(digest.map_err(|_| {
                ApiError::invalid(
                    format!("have_digests[{index}]"),
                    "must be `sha256:` and 64 lower-case hexadecimal digits",
                )
            })?);
        }
        let store = self.app.store.clone();
        let record = bundles::record(&store, &name).await?;
        let org = name.org.to_string();
        let manifest_bytes = store.get_blob(&org, &record.digest).await.map_err(ApiError::from)?;
        let manifest = wire::manifest(&manifest_bytes)?;
        let mut blobs = vec![wire::descriptor(
            &dossier_bundle::manifest::Descriptor {
                media_type: dossier_bundle::manifest::media::MANIFEST.to_owned(),
                digest: record.digest,
                bytes: None,
            },
            manifest_bytes.len() as u64,
        )];
        let descriptors = manifest.descriptors();
        let sized = futures::stream::iter(descriptors.clone().into_iter().map(|descriptor| {
            let (store, org) = (store.clone(), org.clone());
            async move {
                let bytes = match descriptor.bytes {
                    Some(bytes) => bytes,
                    None => store.blob_size(&org, &descriptor.digest).await.map_err(ApiError::from)?,
                };
                Ok::<_, ApiError>(wire::descriptor(&descriptor, bytes))
            }
        }));
        let sized: Vec<v1::BlobDescriptor> = sized.buffered(READERS).try_collect().await?;
        blobs.extend(sized);
        let header = v1::FetchHeader { bundle: Some(record.summary()), blobs };
        let header = v1::FetchBundleResponse { payload: Some(v1::fetch_bundle_response::Payload::Header(header)) };

        let own = (record.digest, manifest_bytes);
        let wanted = std::iter::once(record.digest).chain(descriptors.into_iter().map(|descriptor| descriptor.digest));
        let wanted: Vec<Digest> = wanted.filter(|digest| !have.contains(digest)).collect();
        let reads = futures::stream::iter(wanted).map(move |digest| {
            let (store, org) = (store.clone(), org.clone());
            let known = (digest == own.0).then(|| own.1.clone());
            async move {
                match known {
                    Some(bytes) => Ok((digest, bytes)),
                    None => {
                        let bytes = store.get_blob(&org, &digest).await.map_err(ApiError::from)?;
                        Ok::<_, ApiError>((digest, bytes))
                    }
                }
            }
        });
        let chunks = reads.buffered(READERS).map_ok(|(digest, bytes)| {
            let digest = digest.to_string();
            futures::stream::iter(chunks(bytes).map(move |(offset, data)| {
                let chunk = v1::BlobChunk { digest: digest.clone(), offset, data };
                let payload = Some(v1::fetch_bundle_response::Payload::Chunk(chunk));
                Ok::<_, Status>(v1::FetchBundleResponse { payload })
            }))
        });
        let chunks = chunks.map_err(Status::from).try_flatten();
        let answer = futures::stream::once(async move { Ok(header) }).chain(chunks);
        Ok(Response::new(Box::pin(answer)))
    }

    async fn verify_bundle(
        &self,
        request: Request<v1::VerifyBundleRequest>,
    ) -> Result<Response<v1::VerifyBundleResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let name = enter(&caller, "name", &request.get_ref().name)?;
        let store = &self.app.store;
        let record = bundles::record(store, &name).await?;
        let Some(manifest) = bundles::raw_blob(store, &name, &record.digest).await? else {
            let outcome = StepOutcome::Failed("it is missing".to_owned());
            let step = Step { number: 1, subject: "manifest digest".to_owned(), outcome };
            let report = Report { digest: record.digest, steps: vec![step] };
            return Ok(Response::new(wire::report(&report)));
        };
        // What is no manifest names no blobs; the verifier says so.
        let named = wire::manifest(&manifest).map(|manifest| manifest.descriptors()).unwrap_or_default();
        let reads = futures::stream::iter(named.into_iter().map(|descriptor| {
            let name = &name;
            async move {
                let bytes = bundles::raw_blob(store, name, &descriptor.digest).await?;
                Ok::<_, ApiError>((descriptor.digest, bytes))
            }
        }));
        let blobs: Vec<(Digest, Option<Bytes>)> = reads.buffered(READERS).try_collect().await?;
        let work = move || {
            verify(&manifest, Some(&record.digest), &mut |digest| {
                let found = blobs.iter().find(|(one, _)| one == digest);
                found.and_then(|(_, bytes)| bytes.as_deref())
            })
        };
        let report =
            tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::internal("verifying a bundle panicked"))?;
        if !report.verified() {
            tracing::warn!(bundle = %name, "a bundle does not verify");
        }
        Ok(Response::new(wire::report(&report)))
    }
}

/// Chunks of at most 1 MiB with their offsets; one of none where there are no bytes.
pub(super) fn chunks(bytes: Bytes) -> impl Iterator<Item = (i64, Bytes)> {
    let count = bytes.len().div_ceil(CHUNK).max(1);
    (0..count).map(move |index| {
        let start = index * CHUNK;
        let end = (start + CHUNK).min(bytes.len());
        (i64::try_from(start).unwrap_or(i64::MAX), bytes.slice(start..end))
    })
}

/// The texts of all fragments, each shortened to what a person reads.
fn fragments(sealed: &Sealed) -> Vec<v1::FragmentPreview> {
    let mut left = ALL_SHOWN;
    let mut shown = Vec::new();
    for layer in dossier_bundle::layer::Layer::ALL {
        let message = &sealed.messages[layer.message() as usize];
        for fragment in message.fragments.iter().filter(|fragment| fragment.layer == layer) {
            let text = message.text.get(fragment.range.clone()).unwrap_or_default();
            let kept = text.floor_char_boundary(SHOWN.min(left).min(text.len()));
            left -= kept;
            shown.push(v1::FragmentPreview {
                layer: layer.name().to_owned(),
                name: fragment.name.clone(),
                text: text.get(..kept).unwrap_or_default().to_owned(),
                shortened: kept < text.len(),
            });
        }
    }
    shown
}
