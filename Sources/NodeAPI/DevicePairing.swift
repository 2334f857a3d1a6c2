public import Contract

/// The progress of adding a device: on the device that shows a code, or on the new device.
public struct DevicePairing: Codable, Hashable, Sendable {
    /// A stage of adding a device.
    public enum Stage: String, OpenChoice {
        /// No code was shown here since the start, and this device does not join.
        case none
        /// A code is shown here, and no device has proven that it knows it.
        case open
        /// A device has proven that it knows the code; it is not added yet.
        case proven
        /// The device is added, and receives what is here.
        case added
        /// The code is not valid any more, and no device was added by it.
        case ended
        /// This device looks for the device that shows the code.
        case searching
        /// The device that shows the code is found, and proved that it knows it.
        case found
        /// This device belongs to the person, and receives what is theirs.
        case receiving
        /// Everything of the person's that the other device had has arrived here, with the photos
        /// and other files of their own records. Those of mates load when they are looked at.
        case complete
        /// A stage that a newer node added.
        case unknown
    }

    /// The reason that a code ended without a new device.
    public enum End: String, OpenChoice {
        /// Its five minutes are over.
        case expired
        /// It was ended on the device that showed it.
        case cancelled
        /// A device tried to join without knowing it.
        case wrongProofs
        /// The person's list of devices is full.
        case noRoom
        /// A reason that a newer node added.
        case unknown
    }

    /// A name that is shown.
    public typealias ShownName = ShownText<80>
    /// The text of a QR code.
    public typealias Invitation = ShownText<512>
    /// A word of a code.
    public typealias CodeWord = ShownText<5>

    /// The stage.
    public var stage: Stage
    /// The stage as a sentence that says what to do.
    public var detail: ShownSentence
    /// The six words of the code while it is shown.
    public var words: [CodeWord]
    /// The reason that the code ended, in the stage `ended`.
    public var endedBy: End?
    /// The words, this device's address and its key in one line, for a QR code.
    public var invitation: Invitation?
    /// The time at which the code ends.
    public var endsMs: Timestamp?
    /// The six digits that both devices show.
    public var checkCode: CheckCode?
    /// The other device.
    public var device: Key?
    /// The name of the new device.
    public var name: ShownName?
    /// The changes that have arrived at the new device, and all that the two devices have.
    public var received: Count?
    /// All changes that the two devices have, as far as they have told each other.
    public var total: Count?
    /// The photos and other files of this person's own records that are on this new device. They
    /// are counted when all changes are here.
    public var filesReceived: Count?
    /// All these files, without those that the other device turned out not to have.
    public var filesTotal: Count?

    /// The words with hyphens between them, as they are typed on a command line.
    public var code: String { words.map(\.string).joined(separator: "-") }

    /// Creates the value.
    public init(
        stage: Stage, detail: Sentence, words: [String] = [], endedBy: End? = nil,
        invitation: String? = nil, endsMs: Timestamp? = nil, checkCode: String? = nil,
        device: Key? = nil, name: String? = nil, received: Int? = nil, total: Int? = nil,
        filesReceived: Int? = nil, filesTotal: Int? = nil
    ) {
        self.stage = stage
        self.detail = ShownSentence(detail)
        self.words = words.map(CodeWord.init(clipping:))
        self.endedBy = endedBy
        self.invitation = invitation.map(Invitation.init(clipping:))
        self.endsMs = endsMs
        self.checkCode = checkCode.map { CheckCode(digits: $0) }
        self.device = device
        self.name = name.map(ShownName.init(clipping:))
        self.received = received.map { Count(clamping: $0) }
        self.total = total.map { Count(clamping: $0) }
        self.filesReceived = filesReceived.map { Count(clamping: $0) }
        self.filesTotal = filesTotal.map { Count(clamping: $0) }
    }
}

/// The commands that add a device.
///
/// ```swift
/// let code = try await node.call(PairingCommands.add).code
/// let isAdded = try await node.call(PairingCommands.show).stage == .added
/// ```
public enum PairingCommands {
    /// Shows a new code, in place of one that is shown.
    public static let add = Command<NoParameters, DevicePairing>(
        .action, "device", "add",
        help: "Shows a code for five minutes, by which another device becomes yours.",
        topics: [
            .example(
                .start, command: "waggle device add",
                effect: "shows a code, to use Waggle on another device too")
        ])
    /// Shows how far the adding of a device is.
    public static let show = Command<NoParameters, DevicePairing>(
        .query, "device", "pairing", help: "Shows how far the adding of a device is.",
        follows: [StatusEvents.changed.declaration],
        topics: [
            .example(
                .start, command: "waggle device pairing --follow",
                effect: "shows what this new device has received, and how much there is")
        ])
    /// Ends the code that is shown.
    public static let cancel = Command<NoParameters, Done>(
        .action, "device", "cancel", help: "Ends the code that is shown.")
    /// Makes this device one of the person who shows a code, in place of a person who was just
    /// begun. The command line has `waggle init --join` instead.
    public static let join = Command<DeviceJoining, Done>(
        .action, "device", "join",
        help: "Makes this device one of the person who shows a code, in place of an identity "
            + "without mates.")
}

/// The request of `device join`.
public struct DeviceJoining: CommandRequest {
    /// The six words, or the text of the QR code.
    public var code: Text<1, 512>
    /// The address of the device that shows the code; nil to look for it nearby.
    public var address: NetworkAddress?

    /// Creates the value.
    public init(code: Text<1, 512>, address: NetworkAddress? = nil) {
        self.code = code
        self.address = address
    }

    /// The help of each property.
    public static let help = [
        "code": "The six words, or the text of the QR code.",
        "address": "The other device's host:port; by default it is looked for nearby.",
    ]
}
