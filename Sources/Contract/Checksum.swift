/// A number that tells texts apart and is the same in every run and on every device: FNV-1a with 64
/// bits. It is not a cryptographic hash: anyone can make two texts with the same checksum.
///
/// ```swift
/// let name = String(Checksum.of(path), radix: 16)  // such as "af63dc4c8601ec8c"
/// ```
public enum Checksum {
    /// Returns the checksum of a text's UTF-8.
    public static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
