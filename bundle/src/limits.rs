//! Limits: how much of everything a bundle may hold.

use serde::{Deserialize, Serialize};

macro_rules! limits {
    ($($(#[$doc:meta])* $field:ident, $name:literal, $default:expr;)*) => {
        /// The limits in force. All but `max_attachments` are bytes of UTF-8.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct Limits {
            /// The class that they come from.
            pub class: String,
            $($(#[$doc])* pub $field: u32,)*
        }

        impl Limits {
            /// The class `standard`.
            #[must_use]
            pub fn standard() -> Self {
                Self { class: "standard".to_owned(), $($field: $default,)* }
            }

            /// The names and values, in the order of the table.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u32)> {
                [$(($name, self.$field)),*].into_iter()
            }

            /// These limits, lowered to those of `wanted` that are not 0. The class stays.
            ///
            /// # Errors
            /// The names of the limits that `wanted` would raise.
            pub fn lowered(&self, wanted: &Self) -> Result<Self, Vec<&'static str>> {
                let mut limits = self.clone();
                let mut raised = Vec::new();
                $(
                    if wanted.$field > self.$field {
                        raised.push($name);
                    } else if wanted.$field > 0 {
                        limits.$field = wanted.$field;
                    }
                )*
                if raised.is_empty() { Ok(limits) } else { Err(raised) }
            }
        }
    };
}

limits! {
    /// Layers 1 to 6, rendered. Instructions are never cut: over it the bundle is denied.
    max_prompt_bytes, "maxPromptBytes", 65_536;
    /// Each log source, rendered. Over it the log is cut.
    max_log_bytes, "maxLogBytes", 262_144;
    /// All diffs together, rendered. Over it they are cut.
    max_diff_bytes, "maxDiffBytes", 262_144;
    /// The elements of a task's context.
    max_task_bytes, "maxTaskBytes", 400_000;
    /// Selected memory records and excerpts.
    max_memory_bytes, "maxMemoryBytes", 128_000;
    /// Each other source, rendered. Over it the source is cut.
    max_source_bytes, "maxSourceBytes", 65_536;
    /// Each attachment. Over it the bundle is denied.
    max_attachment_bytes, "maxAttachmentBytes", 262_144;
    /// The number of attachments. Over it the bundle is denied.
    max_attachments, "maxAttachments", 32;
    /// The three messages and all attachments. Over it layer 7 is cut by worth.
    max_bytes, "maxBytes", 768_000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_lowers_and_never_raises() {
        let standard = Limits::standard();
        let mut wanted = Limits { class: String::new(), max_log_bytes: 1_000, ..standard.clone() };
        assert_eq!(standard.lowered(&wanted).map(|limits| limits.max_log_bytes), Ok(1_000));
        wanted.max_bytes = 768_001;
        assert_eq!(standard.lowered(&wanted), Err(vec!["maxBytes"]));
    }
}
