//! The seven layers and the three messages.

/// What an agent adapter sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Message {
    /// The system message: layer 1.
    System,
    /// The developer message: layers 2 to 4.
    Developer,
    /// The task message: layer 7, then layers 5 and 6.
    Task,
}

impl Message {
    /// All messages, in the order they are sent.
    pub const ALL: [Self; 3] = [Self::System, Self::Developer, Self::Task];

    /// The name in a manifest.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::Task => "task",
        }
    }

    /// The layers of the message, in the order they stand in it: long context first, instructions last.
    #[must_use]
    pub const fn layers(self) -> &'static [Layer] {
        match self {
            Self::System => &[Layer::System],
            Self::Developer => &[Layer::Developer, Layer::Skills, Layer::Labels],
            Self::Task => &[Layer::Sources, Layer::Trigger, Layer::User],
        }
    }
}

/// A prompt layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Layer 1.
    System,
    /// Layer 2; ends with the evidence rules.
    Developer,
    /// Layer 3.
    Skills,
    /// Layer 4.
    Labels,
    /// Layer 5; begins with the assignment's heading.
    Trigger,
    /// Layer 6; ends with the standing line.
    User,
    /// Layer 7: fenced, escaped, untrusted text.
    Sources,
}

impl Layer {
    /// All layers, in the order of their numbers and of the manifest.
    pub const ALL: [Self; 7] =
        [Self::System, Self::Developer, Self::Skills, Self::Labels, Self::Trigger, Self::User, Self::Sources];

    /// The name in a manifest.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::Skills => "skills",
            Self::Labels => "labels",
            Self::Trigger => "trigger",
            Self::User => "user",
            Self::Sources => "sources",
        }
    }

    /// The message that the layer stands in.
    #[must_use]
    pub const fn message(self) -> Message {
        match self {
            Self::System => Message::System,
            Self::Developer | Self::Skills | Self::Labels => Message::Developer,
            Self::Trigger | Self::User | Self::Sources => Message::Task,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_layer_stands_in_one_message_once() {
        let mut seen: Vec<Layer> = Message::ALL.iter().flat_map(|message| message.layers()).copied().collect();
        assert!(Message::ALL.iter().all(|message| message.layers().iter().all(|layer| layer.message() == *message)));
        seen.sort();
        assert_eq!(seen, Layer::ALL);
    }
}
