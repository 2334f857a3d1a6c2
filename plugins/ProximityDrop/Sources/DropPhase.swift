/// How far a drop is, as people see it.
public enum DropPhase: String, Hashable, Sendable {
    case idle, finding, exchanging, deciding
    /// My edge stands; whether the other's does shows at the next contact.
    case waiting
    case mates, declined, failed, cancelled

    /// Whether something goes on that can be cancelled, so that no other drop may begin.
    public var isActive: Bool { self == .finding || self == .exchanging || self == .deciding }
}

/// Why a drop ended without a mate.
public enum DropFailure: Error, Hashable, Sendable {
    /// Nobody answered within 30 s.
    case notFound
    /// The cards were not exchanged within 30 s.
    case tooSlow
    /// Nothing was heard for 15 s.
    case lost
    /// The nonce is not the one that was promised: somebody may stand between the two.
    case commitmentMismatch
    /// The other sent what is no message or no card.
    case malformed
    /// The other's side failed.
    case otherFailed
    /// My edge could not be stored.
    case notStored(String)

    /// A sentence for a person.
    public var sentence: String {
        switch self {
        case .notFound:
            "Nobody was found in 30 seconds. Press Drop on both sides, or choose the person."
        case .tooSlow: "The profiles did not get across in 30 seconds. Try again, closer together."
        case .lost: "The other has gone silent. Try again when they are back."
        case .commitmentMismatch:
            "The other's proof does not match what was promised first. Somebody may be in between."
        case .malformed: "The other sent something that is no profile. They may need an update."
        case .otherFailed: "It failed on the other side. Try again."
        case .notStored(let why): "It could not be stored here: \(why)"
        }
    }
}
