/// The reason why a device nearby cannot be reached or why its links keep ending, and what a person
/// can do about it.
public struct ConnectionTrouble: Codable, Hashable, Sendable {
    /// The kind of trouble, for programs.
    public enum Kind: String, OpenChoice {
        /// Nothing answers at the address.
        case unreachable
        /// The device stops answering.
        case silent
        /// The connection breaks.
        case unstable
        /// Waggle stops on the other device.
        case stopping
        /// The two versions of Waggle do not understand each other.
        case incompatible
        /// Another device answers at the address.
        case wrongDevice
        /// The device has this device's own key.
        case ownCopy
        /// The other device has no room for a further link.
        case busy
        case unknown
    }

    /// The kind of trouble.
    public var kind: Kind
    /// The cause as a sentence.
    public var cause: ShownSentence
    /// The fix as a sentence.
    public var fix: ShownSentence

    /// Creates the value.
    public init(_ kind: Kind, cause: Sentence, fix: Sentence) {
        self.kind = kind
        self.cause = ShownSentence(cause)
        self.fix = ShownSentence(fix)
    }
}

extension ConnectionTrouble: DetailMembers {
    /// All but the cause.
    public static let detailMembers = ["kind", "fix"]
}
