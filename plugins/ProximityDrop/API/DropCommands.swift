public import Contract

/// The commands of the proximity drop.
public enum DropCommands {
    /// Shows the fields that a drop would send.
    public static let preview = Command<NoParameters, DropPreview>(
        .query, "drop", "preview", help: "Shows exactly what a drop would send.")
    /// Begins a drop, or chooses among several candidates.
    public static let start = Command<StartDrop, DropStatus>(
        .action, "drop", "start",
        help: "Starts a drop with a person nearby, or with the only one who starts one too.",
        topics: [
            .example(
                .start, command: "waggle drop start",
                effect: "exchanges cards with someone who starts a drop too")
        ])
    /// Shows the state of the drop.
    public static let show = Command<NoParameters, DropStatus>(
        .query, "drop", "show", help: "Shows the state of the drop.")
    /// Answers the thumbnails of a drop, for a program that shows them.
    public static let photo = Command<NoParameters, DropPhotos>(
        .query, "drop", "photo",
        help: "Answers the small photos of a drop, each as a JPEG in hexadecimal digits.")
    /// Accepts the other's card or invitation.
    public static let accept = Command<NoParameters, DropStatus>(
        .action, "drop", "accept",
        help: "Accepts the other person's card, or an invitation to a drop.")
    /// Declines the other's card or invitation.
    public static let decline = Command<NoParameters, DropStatus>(
        .action, "drop", "decline", help: "Declines the other person's card or invitation.")
    /// Ends the drop.
    public static let cancel = Command<NoParameters, DropStatus>(
        .action, "drop", "cancel", help: "Ends the drop.")
}

/// The events of the proximity drop.
public enum DropEvents {
    /// The drop changed.
    public static let changed = Event<DropChange>("drop", help: "The state of the drop changed.")
}

/// The body of ``DropEvents/changed``.
public struct DropChange: EventBody {
    /// The drop; nil before both sides have pressed.
    public var id: RecordKey?
    /// The phase that it is in now; nil if it may be in any.
    public var phase: DropPhase?

    /// Creates the value.
    public init(id: RecordKey? = nil, phase: DropPhase? = nil) {
        self.id = id
        self.phase = phase
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        switch phase {
        case .finding: "A drop has begun to look for the other person."
        case .exchanging: "The two devices of a drop have found each other."
        case .deciding: "A drop waits for your answer: 'waggle drop show'."
        case .waiting: "You accepted a drop; the other person's answer is not here yet."
        case .mates: "A drop is done: you are mates."
        case .declined: "A drop was declined."
        case .failed: "A drop failed."
        case .cancelled: "A drop was cancelled."
        case .idle, nil: nil
        }
    }
}

/// The answer of `drop preview`.
public struct DropPreview: Codable, Hashable, Sendable {
    /// The fields of the profile that a shared card carries.
    public var fields: ShownProfile
    /// The fields that are kept private.
    public var keptPrivate: [OptionalField]
    /// Whether the thumbnail of the photo is sent too. The whole photo follows only once the two
    /// are mates.
    public var photo: Bool

    /// Creates the value.
    public init(fields: ProfileFields, keptPrivate: [OptionalField], photo: Bool = false) {
        self.fields = ShownProfile(fields)
        self.keptPrivate = keptPrivate
        self.photo = photo
    }
}

/// The answer of `drop photo`: thumbnails, of which none is stored.
public struct DropPhotos: Codable, Hashable, Sendable {
    /// The one that a drop of mine would send; absent if I show no photo.
    public var mine: ThumbnailDigits?
    /// The one that the other side of the drop sent; absent if none has arrived.
    public var theirs: ThumbnailDigits?

    /// Creates the value.
    public init(mine: ThumbnailDigits? = nil, theirs: ThumbnailDigits? = nil) {
        self.mine = mine
        self.theirs = theirs
    }
}

/// The request of `drop start`.
public struct StartDrop: CommandRequest {
    /// The person nearby, by name or by the digits of the device's key or tag; if absent, the only
    /// other device whose drop is open.
    public var to: NameOrKey?
    /// Whether my card is sent; it is unless this is false.
    public var share: Bool?
    /// Whether the other person is the one whose device is held to this one; no unless this is
    /// true.
    public var ranged: Bool?

    /// Creates the value.
    public init(to: NameOrKey? = nil, share: Bool? = nil, ranged: Bool? = nil) {
        self.to = to
        self.share = share
        self.ranged = ranged
    }

    /// The help of each property.
    public static let help = [
        "to": "The person's name, or at least six digits of the device's key or tag.",
        "share": "Whether to send your card, or only to receive one.",
        "ranged": "Whether to find the other device by its distance, about 12 cm.",
    ]
    /// The properties read by position.
    public static let positional = ["to"]
}
