public import PluginKit

/// The reason why a drop failed.
public enum DropFailure: Error, Hashable, Sendable {
    /// No device was found within 30 s.
    case notFound
    /// No device was held to this one within 30 s.
    case notTogether
    /// The chosen person's device could not be linked within 30 s; the trouble is that of the last
    /// attempt.
    case notReached(ConnectionTrouble?)
    /// The chosen person's device is announced no longer.
    case left
    /// The chosen person turned out to be a mate.
    case alreadyMates
    /// The chosen person's device did not answer within 30 s.
    case unanswered
    /// The other person did not say within 5 s that the two have met.
    case apart
    /// The cards were not exchanged within 30 s.
    case tooSlow
    /// No message arrived for 15 s.
    case lost
    /// The nonce does not match its commitment: a man in the middle is possible.
    case commitmentMismatch
    /// The other side sent bytes that are not a message or not a card.
    case malformed
    /// The other's side failed.
    case otherFailed
    /// My edge could not be stored.
    case notStored(Sentence)

    /// A sentence for a person.
    public var sentence: Sentence {
        switch self {
        case .notFound:
            "Nobody was found in 30 seconds. Press Drop on both sides, or choose the person."
        case .notTogether:
            "No device came close enough within 30 seconds. Try again, or choose the person."
        case .notReached(let trouble?): "\(trouble.cause) \(trouble.fix)"
        case .notReached(nil):
            "Their device could not be reached in 30 seconds. Try again, closer together."
        case .left: "They are no longer nearby. Try again when they are back."
        case .alreadyMates: "You are mates already."
        case .unanswered: "They did not answer within 30 seconds. Ask them to press Drop too."
        case .apart: "The other person did not tap within 5 seconds. Tap again, both at once."
        case .tooSlow: "The profiles were not exchanged in 30 seconds. Try again, closer together."
        case .lost: "The other person no longer answers. Try again when they are back."
        case .commitmentMismatch:
            "The other person's proof does not match their first message. Someone may be in "
                + "between."
        case .malformed: "The other person sent an invalid profile. They may need an update."
        case .otherFailed: "It failed on the other side. Try again."
        case .notStored(let why): "It could not be stored here: \(why)"
        }
    }
}
