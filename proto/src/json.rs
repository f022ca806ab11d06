//! ProtoJSON (the JSON mapping of protobuf.dev, "ProtoJSON Format") for the messages of the API.

use std::sync::LazyLock;

use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DeserializeOptions, DynamicMessage, SerializeOptions};
use serde_json::Value;

static POOL: LazyLock<Option<DescriptorPool>> =
    LazyLock::new(|| DescriptorPool::decode(crate::FILE_DESCRIPTOR_SET).ok());

/// Whether a member that the message does not have is refused or passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It is refused: what a person wrote must be meant.
    Refuse,
    /// It is passed over: what a later version wrote must be readable.
    Ignore,
}

/// The JSON does not fit the message. The parser's own words are left out, for they quote the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

/// Reads a message from its ProtoJSON form.
///
/// # Errors
/// [`Mismatch`] where a member is unknown (and refused) or has a value of another type.
pub fn from_value<M: Message + Name + Default>(value: Value, unknown: Unknown) -> Result<M, Mismatch> {
    let pool = POOL.as_ref().ok_or(Mismatch)?;
    let descriptor = pool.get_message_by_name(&M::full_name()).ok_or(Mismatch)?;
    let options = DeserializeOptions::new().deny_unknown_fields(unknown == Unknown::Refuse);
    let message = DynamicMessage::deserialize_with_options(descriptor, value, &options).map_err(|_| Mismatch)?;
    message.transcode_to().map_err(|_| Mismatch)
}

/// Writes a message in its ProtoJSON form: lowerCamelCase names, fields with default values left out.
///
/// # Errors
/// [`Mismatch`] where a value has no JSON form, such as a timestamp past the year 9999.
pub fn to_value<M: Message + Name>(message: &M) -> Result<Value, Mismatch> {
    let pool = POOL.as_ref().ok_or(Mismatch)?;
    let descriptor = pool.get_message_by_name(&M::full_name()).ok_or(Mismatch)?;
    let mut dynamic = DynamicMessage::new(descriptor);
    dynamic.transcode_from(message).map_err(|_| Mismatch)?;
    dynamic.serialize_with_options(serde_json::value::Serializer, &SerializeOptions::new()).map_err(|_| Mismatch)
}

/// Names the members that a message has, in their JSON form, so that an error can say what is allowed where.
#[must_use]
pub fn members<M: Name>() -> Vec<String> {
    POOL.as_ref()
        .and_then(|pool| pool.get_message_by_name(&M::full_name()))
        .map(|descriptor| descriptor.fields().map(|field| field.json_name().to_owned()).collect())
        .unwrap_or_default()
}
