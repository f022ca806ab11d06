//! Renders a draft into the three messages, and says which bytes of them came from where.
//!
//! Layers tile their message and fragments tile their layer, without gaps. Where two fragments meet in one message, the
//! blank line between them belongs to the first. Layers 1 to 6 stand verbatim; in layer 7 every text and attribute is
//! escaped. One function renders both what is sent and the *reading* that is searched for secrets: the same fragments in the
//! same order, with untrusted text as a reader sees it.

use std::ops::Range;

use crate::builtin;
use crate::draft::{Attachment, Draft, Omission, Source, Text};
use crate::escape::{self, Place};
use crate::layer::{Layer, Message};

/// How untrusted text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As it is sent: escaped.
    Sent,
    /// As a reader sees it: terminal sequences dropped, controls visible, nothing escaped.
    Reading,
}

impl Mode {
    fn text(self) -> Place {
        if self == Self::Sent { Place::Text } else { Place::Reading }
    }

    fn attribute(self) -> Place {
        if self == Self::Sent { Place::Attribute } else { Place::Reading }
    }
}

/// What a fragment is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A text of [`builtin`].
    Builtin,
    /// Layer 1's prompt.
    System,
    /// Layer 2's prompt.
    Developer,
    /// The skill of this index.
    Skill(usize),
    /// Layer 5's rendered template.
    Trigger,
    /// Layer 6's prompt.
    User,
    /// The source of this index.
    Source(usize),
    /// The list of evidence.
    Evidence,
    /// The notice of what was left out.
    Omissions,
}

impl Part {
    /// The fragment's kind in a manifest.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::System | Self::Developer | Self::User => "prompt",
            Self::Skill(_) => "skill",
            Self::Trigger => "template",
            Self::Source(_) => "source",
            Self::Evidence => "evidence",
            Self::Omissions => "omissions",
        }
    }
}

/// A text of the draft that stands somewhere in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The text of a part.
    Text(Part),
    /// An attribute of a source.
    Attribute(usize, Attribute),
    /// The title of an attachment.
    Title(usize),
    /// The source URL of an attachment.
    Url(usize),
}

/// An attribute that holds text of the draft's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    /// `name`.
    Name,
    /// `uri`.
    Uri,
    /// `ref`.
    Ref,
    /// `path`.
    Path,
}

/// Where a text of the draft stands in its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The bytes of the message.
    pub range: Range<usize>,
    /// The text.
    pub owner: Owner,
}

/// A rendered fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// Its layer.
    pub layer: Layer,
    /// Its name, unique in its layer.
    pub name: String,
    /// What it is made of.
    pub part: Part,
    /// Its bytes in the message.
    pub range: Range<usize>,
}

/// A rendered message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMessage {
    /// Which one.
    pub message: Message,
    /// The text.
    pub text: String,
    /// The fragments, which tile it.
    pub fragments: Vec<Fragment>,
    /// Where texts of the draft stand in it.
    pub pieces: Vec<Piece>,
}

impl RenderedMessage {
    /// The bytes of a layer of this message. An empty layer stands, with no bytes, where it would begin.
    #[must_use]
    pub fn layer(&self, layer: Layer) -> Range<usize> {
        let mut of = self.fragments.iter().filter(|fragment| fragment.layer == layer);
        if let Some(first) = of.next() {
            return first.range.start..of.next_back().unwrap_or(first).range.end;
        }
        let order = self.message.layers();
        let place = |wanted: Layer| order.iter().position(|layer| *layer == wanted);
        let before = self.fragments.iter().rev().find(|fragment| place(fragment.layer) < place(layer));
        let at = before.map_or(0, |fragment| fragment.range.end);
        at..at
    }
}

/// Renders the three messages, in the order of [`Message::ALL`].
#[must_use]
pub fn render<T: Text>(draft: &Draft<T>, mode: Mode) -> [RenderedMessage; 3] {
    Message::ALL.map(|message| {
        let mut writer = Writer::new(message, mode);
        for layer in message.layers() {
            writer.layer(draft, *layer);
        }
        writer.finish()
    })
}

/// The bytes that a source takes in the task message beside its text: its tags and the blank line behind it.
#[must_use]
pub fn source_frame_len<T: Text>(source: &Source<T>) -> usize {
    let mut writer = Writer::new(Message::Task, Mode::Sent);
    writer.source(0, source, false);
    writer.text.len() + 2
}

/// The notice of what was left out has at most this many lines of entries.
pub const NOTICE_LINES: usize = 50;
/// And each line has at most this many bytes.
pub const NOTICE_LINE_BYTES: usize = 200;

struct Writer {
    message: Message,
    mode: Mode,
    text: String,
    fragments: Vec<Fragment>,
    pieces: Vec<Piece>,
}

impl Writer {
    fn new(message: Message, mode: Mode) -> Self {
        Self { message, mode, text: String::new(), fragments: Vec::new(), pieces: Vec::new() }
    }

    fn finish(self) -> RenderedMessage {
        let Self { message, text, fragments, pieces, .. } = self;
        RenderedMessage { message, text, fragments, pieces }
    }

    fn layer<T: Text>(&mut self, draft: &Draft<T>, layer: Layer) {
        match layer {
            Layer::System => self.verbatim(layer, "system", Part::System, draft.system.as_ref().map(|p| &p.text)),
            Layer::Developer => {
                self.verbatim(layer, "developer", Part::Developer, draft.developer.as_ref().map(|p| &p.text));
                self.builtin(layer, "evidence-rules", builtin::EVIDENCE_RULES);
            }
            Layer::Skills => {
                for (index, skill) in draft.skills.iter().enumerate() {
                    let name = format!("skills/{}", skill.name.as_str());
                    self.verbatim(layer, &name, Part::Skill(index), Some(&skill.text));
                }
            }
            // Labels have no service yet: a draft that names one is denied before it is rendered.
            Layer::Labels => {}
            Layer::Trigger => {
                self.builtin(layer, "assignment", builtin::ASSIGNMENT);
                self.verbatim(layer, "trigger", Part::Trigger, draft.trigger.as_ref().map(|p| &p.text));
            }
            Layer::User => {
                self.verbatim(layer, "user", Part::User, draft.user.as_ref().map(|p| &p.text));
                let sources = !draft.sources.is_empty();
                let line = if sources { builtin::STANDING_LINE_WITH_SOURCES } else { builtin::STANDING_LINE };
                self.builtin(layer, "standing-line", line);
            }
            Layer::Sources => self.sources(draft),
        }
    }

    fn sources<T: Text>(&mut self, draft: &Draft<T>) {
        for (index, source) in draft.sources.iter().enumerate() {
            let name = format!("sources/{}", source.name.as_str());
            self.begin(Layer::Sources, &name, Part::Source(index));
            self.source(index, source, true);
            self.end();
        }
        self.begin(Layer::Sources, "evidence", Part::Evidence);
        self.evidence(&draft.attachments);
        self.end();
        let omissions = draft.omissions();
        if !omissions.is_empty() {
            self.begin(Layer::Sources, "omissions", Part::Omissions);
            self.omissions(&omissions);
            self.end();
        }
    }

    fn verbatim<T: Text>(&mut self, layer: Layer, name: &str, part: Part, text: Option<&T>) {
        if let Some(text) = text.filter(|text| !text.as_str().is_empty()) {
            self.begin(layer, name, part);
            let start = self.text.len();
            self.text.push_str(text.as_str());
            self.pieces.push(Piece { range: start..self.text.len(), owner: Owner::Text(part) });
            self.end();
        }
    }

    fn builtin(&mut self, layer: Layer, name: &str, text: &str) {
        self.begin(layer, name, Part::Builtin);
        self.text.push_str(text);
        self.end();
    }

    fn begin(&mut self, layer: Layer, name: &str, part: Part) {
        if let Some(previous) = self.fragments.last_mut() {
            self.text.push_str("\n\n");
            previous.range.end = self.text.len();
        }
        let at = self.text.len();
        self.fragments.push(Fragment { layer, name: name.to_owned(), part, range: at..at });
    }

    fn end(&mut self) {
        if let Some(fragment) = self.fragments.last_mut() {
            fragment.range.end = self.text.len();
        }
    }

    fn source<T: Text>(&mut self, index: usize, source: &Source<T>, with_text: bool) {
        let own = |attribute| Some(Owner::Attribute(index, attribute));
        self.text.push_str("<source");
        self.attribute("kind", Some(&source.kind), None);
        self.attribute("name", Some(source.name.as_str()), own(Attribute::Name));
        self.attribute("uri", source.uri.as_ref().map(Text::as_str), own(Attribute::Uri));
        self.attribute("ref", source.reference.as_ref().map(Text::as_str), own(Attribute::Ref));
        self.attribute("commit", source.commit.as_ref().map(|commit| commit.as_str()), None);
        self.attribute("path", source.path.as_ref().map(Text::as_str), own(Attribute::Path));
        self.attribute("retrieved_at", source.retrieved_at.map(|time| time.to_string()).as_deref(), None);
        self.attribute("head_sha", source.head_sha.as_ref().map(|commit| commit.as_str()), None);
        self.attribute("truncated", source.truncated().then_some("true"), None);
        self.text.push_str(">\n");
        if with_text {
            let start = self.text.len();
            escape::push(&mut self.text, source.text.as_str(), self.mode.text());
            self.pieces.push(Piece { range: start..self.text.len(), owner: Owner::Text(Part::Source(index)) });
        }
        self.text.push_str("\n</source>");
    }

    fn evidence<T: Text>(&mut self, attachments: &[Attachment<T>]) {
        self.text.push_str("<evidence");
        self.attribute("count", Some(&attachments.len().to_string()), None);
        if attachments.is_empty() {
            self.text.push_str("/>");
            return;
        }
        self.text.push_str(">\n");
        for (index, item) in attachments.iter().enumerate() {
            self.text.push_str("  <item");
            self.attribute("id", Some(item.id.as_str()), None);
            self.attribute("kind", Some(&item.kind), None);
            self.attribute("title", Some(item.title.as_str()), Some(Owner::Title(index)));
            self.attribute("bytes", Some(&item.bytes.to_string()), None);
            match &item.source_url {
                Some(url) => self.attribute("source", Some(url.as_str()), Some(Owner::Url(index))),
                None => self.attribute("source", Some("source not given"), None),
            }
            let retrieved = item.retrieved_at.map_or("retrieval time unknown".to_owned(), |time| time.to_string());
            self.attribute("retrieved", Some(&retrieved), None);
            self.attribute("base_sha", item.base_sha.as_ref().map(|commit| commit.as_str()), None);
            self.attribute("head_sha", item.head_sha.as_ref().map(|commit| commit.as_str()), None);
            self.text.push_str("/>\n");
        }
        self.text.push_str("</evidence>");
    }

    fn omissions(&mut self, omissions: &[Omission]) {
        self.text.push_str("<omissions");
        self.attribute("count", Some(&omissions.len().to_string()), None);
        self.text.push_str(">\n");
        for omission in omissions.iter().take(NOTICE_LINES) {
            let (bytes, items) = (omission.bytes.to_string(), omission.items.to_string());
            let fixed = r#"  <omission part="" what="" reason="" bytes="" items=""/>"#.len();
            let others = omission.what.len() + omission.reason.len() + bytes.len() + items.len();
            let part = fitting(&omission.part, NOTICE_LINE_BYTES.saturating_sub(fixed + others));
            self.text.push_str("  <omission");
            self.attribute("part", Some(&part), None);
            self.attribute("what", Some(&omission.what), None);
            self.attribute("reason", Some(&omission.reason), None);
            self.attribute("bytes", Some(&bytes), None);
            self.attribute("items", Some(&items), None);
            self.text.push_str("/>\n");
        }
        if let Some(rest) = omissions.get(NOTICE_LINES..).filter(|rest| !rest.is_empty()) {
            let bytes: u64 = rest.iter().map(|omission| u64::from(omission.bytes)).sum();
            self.text.push_str("  <more");
            self.attribute("count", Some(&rest.len().to_string()), None);
            self.attribute("bytes", Some(&bytes.to_string()), None);
            self.text.push_str("/>\n");
        }
        self.text.push_str("</omissions>");
    }

    fn attribute(&mut self, name: &str, value: Option<&str>, owner: Option<Owner>) {
        let Some(value) = value else { return };
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        let start = self.text.len();
        escape::push(&mut self.text, value, self.mode.attribute());
        if let Some(owner) = owner {
            self.pieces.push(Piece { range: start..self.text.len(), owner });
        }
        self.text.push('"');
    }
}

/// The beginning of `text` that, escaped as an attribute, takes at most `room` bytes; an ellipsis says that it is cut. A
/// marker is not cut in two: it goes whole.
fn fitting(text: &str, room: usize) -> String {
    const ELLIPSIS: &str = "\u{2026}";
    if escape::len(text, Place::Attribute) <= room {
        return text.to_owned();
    }
    let (mut kept, mut used) = (0, ELLIPSIS.len());
    for (at, c) in text.char_indices() {
        used += escape::len(&text[at..at + c.len_utf8()], Place::Attribute);
        if used > room {
            break;
        }
        kept = at + c.len_utf8();
    }
    if let Some(open) = text[..kept].rfind("[REDACTED:").filter(|open| !text[*open..kept].contains(']')) {
        kept = open;
    }
    format!("{}{ELLIPSIS}", &text[..kept])
}
