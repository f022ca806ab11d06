use super::*;
use crate::assemble::context;

fn to_wire(value: &Value) -> prost_types::Value {
    let kind = match value {
        Value::Null => Kind::NullValue(0),
        Value::Bool(flag) => Kind::BoolValue(*flag),
        Value::Number(number) => Kind::NumberValue(number.as_f64().unwrap()),
        Value::String(text) => Kind::StringValue(text.clone()),
        Value::Array(items) => Kind::ListValue(prost_types::ListValue { values: items.iter().map(to_wire).collect() }),
        Value::Object(members) => Kind::StructValue(to_struct(members)),
    };
    prost_types::Value { kind: Some(kind) }
}

fn to_struct(members: &Map<String, Value>) -> prost_types::Struct {
    let fields = members.iter().map(|(name, value)| (name.clone(), to_wire(value)));
    prost_types::Struct { fields: fields.collect() }
}

/// The schema as it is kept, and whether the same is left in the request.
fn kept(schema: &Value) -> Value {
    let mut reader = Reader::new(context::redactor().unwrap());
    let schema = to_struct(schema.as_object().unwrap());
    let mut wire = [v1::Tool { name: "tool".to_owned(), schema: Some(schema), ..v1::Tool::default() }];
    let mut blobs = Vec::new();
    tools(&mut reader, &mut wire, &mut blobs);
    assert!(reader.violations.is_empty() && reader.findings.is_empty(), "{:?}", reader.findings);
    let blob: Value = serde_json::from_slice(&blobs[0].bytes).unwrap();
    assert_eq!(to_struct(blob["schema"].as_object().unwrap()), wire[0].schema.clone().unwrap());
    blob["schema"].clone()
}

const GONE: &str = "[REDACTED:secret]";

#[test]
fn what_a_secret_may_be_is_secret() {
    let secret = "correct-horse-9";
    for word in ["default", "const", "example"] {
        let schema = |value: &str| json!({"properties": {"password": {"type": "string", word: value}}});
        assert_eq!(kept(&schema(secret)), schema(GONE));
    }
    for word in ["enum", "examples"] {
        let schema = |value: &str| json!({"properties": {"password": {"type": "string", word: [value, "changeme"]}}});
        assert_eq!(kept(&schema(secret)), schema(GONE));
    }
    // However the property comes by it.
    for schema in [
        |value: &str| json!({"properties": {"password": {"anyOf": [{"const": value}, {"type": "null"}]}}}),
        |value: &str| json!({"properties": {"api_keys": {"type": "array", "items": {"default": value}}}}),
        |value: &str| json!({"function": {"parameters": {"properties": {"db_password": {"default": value}}}}}),
        |value: &str| json!({"properties": {"login": {"properties": {"password": {"oneOf": [{"enum": [value]}]}}}}}),
    ] {
        assert_eq!(kept(&schema(secret)), schema(GONE));
    }
}

#[test]
fn what_only_tells_of_a_secret_stays() {
    for schema in [
        json!({"properties": {"password": {"type": "string", "format": "password", "description": "The user's own",
            "default": "<your-password>", "examples": ["changeme", "${DB_PASSWORD}", "", "********"]}}}),
        json!({"properties": {"token": {"enum": ["access", "refresh", "none"], "default": "refresh"}}}),
        json!({"properties": {"region": {"default": "eu-central-1", "enum": ["eu-central-1", "eu-north-1"]}}}),
        json!({"default": "correct-horse-9", "enum": ["correct-horse-9"]}),
        json!({"properties": {"default": {"type": "string", "const": "correct-horse-9"}}}),
        json!({"properties": {"secret": {"type": "object", "properties": {"name": {"default": "prod-db"}}}}}),
    ] {
        assert_eq!(kept(&schema), schema);
    }
}
