//! `dossier render`.

use std::collections::HashMap;
use std::io::Write;

use clap::ValueEnum;
use dossier_bundle::Digest;
use dossier_client::oci::Parts;
use dossier_client::{Client, Error};
use serde_json::{Value, json};

use super::failure::{Exit, Failure};
use super::global::Global;
use super::output;

/// A message of the bundle.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Message {
    System,
    Developer,
    Task,
}

/// For whom the messages are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// The text; with --message exactly its bytes
    Text,
    /// [{role: system|developer|user, content}]
    Openai,
    /// {system, messages: [{role: user, content}]}; system and developer become one
    Anthropic,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// orgs/{org}/runs/{run}/bundles/{bundle}; without orgs/{org}/, of --org
    name: String,
    /// Only this message
    #[arg(long, value_enum)]
    message: Option<Message>,
    /// For whom
    #[arg(long, value_enum, default_value = "text")]
    format: Shape,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let name = global.bundle(&args.name)?.to_string();
    let texts = messages(&global.client()?, &name).await?;
    let mut out = output::stdout();
    write(&mut out, &texts, args)?;
    out.flush()?;
    Ok(Exit::Ok)
}

/// The three messages' bytes, checked; of the bundle's other blobs as little as can be is fetched.
async fn messages(client: &Client, name: &str) -> Result<[Vec<u8>; 3], Failure> {
    let bundle = client.get(name).await?;
    let spec = bundle.spec.unwrap_or_default();
    let others = spec.attachments.iter().map(|item| &item.digest).chain(spec.tools.iter().map(|tool| &tool.digest));
    let mut have: Vec<Digest> = others.chain([&spec.draft_digest]).filter_map(|digest| digest.parse().ok()).collect();
    if let Some(prompt) = &spec.prompt {
        // An attachment may have the very bytes of a message.
        let kept = [
            &prompt.rendered_system_digest,
            &prompt.rendered_developer_digest,
            &prompt.rendered_task_digest,
            &bundle.digest,
        ];
        have.retain(|digest| kept.iter().all(|kept| **kept != digest.to_string()));
    }
    let mut fetch = client.fetch(name, &have).await?;
    let mut blobs = HashMap::new();
    while let Some(blob) = fetch.next_blob().await? {
        blobs.insert(blob.digest, blob.bytes);
    }
    let missing = |digest| Failure::Client(Error::Corrupt { digest, detail: "it was not sent" });
    let manifest = blobs.get(&fetch.digest()).ok_or_else(|| missing(fetch.digest()))?;
    let parts = Parts::of(manifest)?;
    let mut texts = [Vec::new(), Vec::new(), Vec::new()];
    for (text, digest) in texts.iter_mut().zip(parts.messages) {
        text.clone_from(blobs.get(&digest).ok_or_else(|| missing(digest))?);
    }
    Ok(texts)
}

fn write(out: &mut dyn Write, texts: &[Vec<u8>; 3], args: &Args) -> Result<(), Failure> {
    let chosen: Vec<(Message, &Vec<u8>)> = [Message::System, Message::Developer, Message::Task]
        .into_iter()
        .zip(texts)
        .filter(|(message, _)| args.message.is_none_or(|wanted| wanted == *message))
        .collect();
    if args.format == Shape::Text {
        for (message, text) in &chosen {
            if args.message.is_none() {
                writeln!(out, "===== {} ({} bytes, {}) =====", label(*message), text.len(), Digest::of(text))?;
            }
            out.write_all(text)?;
            if args.message.is_none() {
                writeln!(out)?;
            }
        }
        return Ok(());
    }
    let text = serde_json::to_string_pretty(&shaped(&chosen, args.format)?);
    writeln!(out, "{}", text.map_err(|_| Failure::other("the messages have no JSON form"))?)?;
    Ok(())
}

fn shaped(chosen: &[(Message, &Vec<u8>)], shape: Shape) -> Result<Value, Failure> {
    let mut texts = Vec::new();
    for (message, bytes) in chosen {
        let text = std::str::from_utf8(bytes).map_err(|_| Failure::other("a message is not valid UTF-8"))?;
        // An empty message is none: providers refuse empty content.
        if !text.is_empty() {
            texts.push((*message, text));
        }
    }
    let role = |message| match message {
        Message::System => "system",
        Message::Developer => "developer",
        Message::Task => "user",
    };
    if shape == Shape::Openai {
        return Ok(texts.iter().map(|(message, text)| json!({"role": role(*message), "content": text})).collect());
    }
    let instructions: Vec<&str> =
        texts.iter().filter(|(message, _)| *message != Message::Task).map(|(_, text)| *text).collect();
    let tasks = texts.iter().filter(|(message, _)| *message == Message::Task);
    let tasks: Vec<Value> = tasks.map(|(_, text)| json!({"role": "user", "content": text})).collect();
    Ok(json!({"system": instructions.join("\n\n"), "messages": tasks}))
}

fn label(message: Message) -> &'static str {
    match message {
        Message::System => "system",
        Message::Developer => "developer",
        Message::Task => "task",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(message: Option<Message>, format: Shape, texts: [&str; 3]) -> String {
        let args = Args { name: String::new(), message, format };
        let mut out = Vec::new();
        assert!(write(&mut out, &texts.map(|text| text.as_bytes().to_vec()), &args).is_ok());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn one_message_is_printed_to_the_byte() {
        assert_eq!(printed(Some(Message::Task), Shape::Text, ["s", "d", "no newline"]), "no newline");
        assert!(printed(None, Shape::Text, ["s", "d", "t"]).starts_with("===== system (1 bytes, sha256:"));
    }

    #[test]
    fn providers_get_their_shapes() {
        let openai: Value = serde_json::from_str(&printed(None, Shape::Openai, ["s", "", "t"])).unwrap();
        assert_eq!(openai, json!([{"role": "system", "content": "s"}, {"role": "user", "content": "t"}]));
        let anthropic: Value = serde_json::from_str(&printed(None, Shape::Anthropic, ["s", "d", "t"])).unwrap();
        assert_eq!(anthropic, json!({"system": "s\n\nd", "messages": [{"role": "user", "content": "t"}]}));
    }
}
