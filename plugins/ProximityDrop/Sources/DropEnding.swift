public import PluginKit

/// The reason why a drop ended without mates, or may have.
public enum DropEnding: Hashable, Sendable {
    /// I declined the other's card.
    case iDeclined
    /// I did not answer in time.
    case iDidNotAnswer
    /// I cancelled the drop.
    case iCancelled
    /// The other side declined my card or my invitation.
    case theyDeclined
    /// The other side cancelled the drop.
    case theyCancelled
    /// I accepted, and the other's edge says that they did not.
    case theyDidNotAccept
    /// The drop failed.
    case failed(DropFailure)

    /// A sentence for a person.
    public var sentence: Sentence {
        switch self {
        case .iDeclined: "You declined."
        case .iDidNotAnswer: "Nobody answered here within 60 seconds."
        case .iCancelled: "You cancelled it."
        case .theyDeclined: "The other person declined."
        case .theyCancelled: "The other person cancelled it."
        case .theyDidNotAccept: "The other person did not accept."
        case .failed(let failure): failure.sentence
        }
    }
}
