//! The engine's clock, as it stands in the `Date` header of its answers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use aws_sdk_s3::config::ConfigBag;
use aws_sdk_s3::config::Intercept;
use aws_sdk_s3::config::interceptors::BeforeDeserializationInterceptorContextRef;
use aws_sdk_s3::error::BoxError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;

/// Notes the date of the answers that it sees.
#[derive(Debug, Clone, Default)]
pub(super) struct DateReader(Arc<Mutex<Option<SystemTime>>>);

impl DateReader {
    /// The last date seen; `None` where no answer had one.
    pub(super) fn seen(&self) -> Option<SystemTime> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Intercept for DateReader {
    fn name(&self) -> &'static str {
        "DateReader"
    }

    fn read_before_deserialization(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let date = context.response().headers().get("date");
        let time = date.and_then(|text| DateTime::from_str(text, Format::HttpDate).ok());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = time.and_then(|time| SystemTime::try_from(time).ok());
        Ok(())
    }
}
