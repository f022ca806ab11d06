//! Where nonces come from.

/// A source of names that nobody else will ever give. Injected, so that a test can know them.
pub trait Nonces: Send + Sync + 'static {
    /// A fresh nonce: 1 to 64 bytes of `[a-z0-9-]`, unique over all processes and all time.
    fn nonce(&self) -> String;
}

/// Nonces from the operating system: 128 random bits as 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomNonces;

impl Nonces for RandomNonces {
    #[expect(clippy::expect_used, reason = "without the system's randomness no record can be told from another's")]
    fn nonce(&self) -> String {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the operating system gives randomness");
        hex::encode(bytes)
    }
}
