public import Contract

/// The phase of a drop, as people see it. A phase that a newer node adds is read as ``failed``, so
/// that no client waits for it.
public enum DropPhase: String, Choice {
    case idle, finding, exchanging, deciding
    /// My edge is stored; the next contact shows whether the other's is too.
    case waiting
    case mates, declined, failed, cancelled

    /// Reads a phase.
    public init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: word) ?? .failed
    }

    /// The time after a press within which the other side must be found.
    public static let findingMax = Duration.seconds(30)
    /// The time between the taps of two people who have met, at most.
    public static let bumpMax = Duration.seconds(5)
    /// The time that the exchange of cards may take.
    public static let exchangingMax = Duration.seconds(30)
    /// The time to accept; no answer counts as a refusal.
    public static let decidingMax = Duration.seconds(60)

    /// Whether a drop is on that can be cancelled; no other can begin until it ends.
    public var isActive: Bool { self == .finding || self == .exchanging || self == .deciding }
}
