public import Contract

/// The commands of measured distances and directions.
///
/// ```swift
/// let status = try await node.call(RangingCommands.measure)  // again within two seconds
/// for way in status.measurements { print(way.device, way.distanceMetres ?? "unknown") }
/// ```
public enum RangingCommands {
    /// Shows the provider and its newest measurements.
    public static let show = Command<NoParameters, RangingStatus>(
        .query, "ranging", "show",
        help: "Shows what measures distances to devices nearby, and the newest measurements.")
    /// Chooses the provider.
    public static let source = Command<ChooseRangingSource, RangingStatus>(
        .action, "ranging", "source",
        help: "Chooses what measures distances: this device's radio, a recording, simulated "
            + "positions, or nothing.")
    /// Measures for ``measuringDuration``.
    public static let measure = Command<NoParameters, RangingStatus>(
        .action, "ranging", "measure",
        help: "Measures distances for two seconds; repeat it to continue.")

    /// The time for which one `ranging measure` keeps the provider measuring.
    public static let measuringDuration = Duration.seconds(2)
}

/// The event of the provider of measurements.
public enum RangingEvents {
    /// Another provider was chosen.
    public static let changed = Event<RangingSourceChange>(
        "ranging", help: "The source of measured distances changed.")
}

/// The body of ``RangingEvents/changed``.
public struct RangingSourceChange: EventBody {
    /// Creates the value.
    public init() {}
}

/// The provider of measurements.
public enum RangingSourceName: String, OpenChoice {
    /// None.
    case off
    /// The radio of this device.
    case device
    /// A recording that is played.
    case recorded
    /// The positions of the hosts of a test.
    case simulated
    /// A provider that a newer node added.
    case unknown
}

/// The request of `ranging source`.
public struct ChooseRangingSource: CommandRequest {
    /// The provider.
    public var source: Source
    /// The absolute path of the recording, or of the positions.
    public var file: FilePath?

    /// A provider that can be chosen.
    public enum Source: String, Choice { case off, device, recorded, simulated }

    /// Creates the value.
    public init(source: Source, file: FilePath? = nil) {
        self.source = source
        self.file = file
    }

    /// The help of each property.
    public static let help = [
        "source": "Nothing, this device's radio, a recording, or positions for a test.",
        "file": "The recording or the positions, one JSON object on each line.",
    ]
    /// The properties read by position.
    public static let positional = ["source", "file"]
}

/// The answer of the ranging commands.
public struct RangingStatus: Codable, Hashable, Sendable {
    /// The state of a provider.
    public enum State: String, OpenChoice {
        /// There is none.
        case off
        /// The provider is idle: no plugin or page asks for measurements.
        case resting
        /// It measures.
        case measuring
        /// It has ended, and begins again when it is asked anew.
        case ended
        /// It cannot go on.
        case failed
        /// A state that a newer node added.
        case unknown
    }

    /// The provider.
    public var source: RangingSourceName
    /// The state of the provider.
    public var state: State
    /// A sentence that says why the provider failed.
    public var reason: ShownSentence?
    /// The file that is played.
    public var file: ShownPath?
    /// The number of reports that were no measurements.
    public var refusedCount: Count
    /// A sentence that says why the last of them was none.
    public var refusal: ShownSentence?
    /// The newest measurement of each device, the nearest first.
    public var measurements: [MeasuredWay]

    /// Creates the value.
    public init(
        source: RangingSourceName, state: State, reason: Sentence? = nil, file: String? = nil,
        refusedCount: Int = 0, refusal: Sentence? = nil, measurements: [MeasuredWay] = []
    ) {
        self.source = source
        self.state = state
        self.reason = reason.map(ShownSentence.init(_:))
        self.file = file.map(ShownPath.init(clipping:))
        self.refusedCount = Count(clamping: refusedCount)
        self.refusal = refusal.map(ShownSentence.init(_:))
        self.measurements = measurements
    }

    /// Whether distances can be measured here, now or when something asks for them.
    public var isAvailable: Bool { state != .off && state != .failed && state != .unknown }
}

/// The measured way to a device. A property that was not measured is absent.
public struct MeasuredWay: Codable, Hashable, Sendable {
    /// The device.
    public var device: Key
    /// The first digits of the key, which tell devices apart.
    public var suffix: KeySuffix
    /// The name of the person, if they are known or show it.
    public var name: PersonName?
    /// The distance in metres.
    public var distanceMetres: DistanceMetres?
    /// The distance by which it may be wrong, in metres.
    public var uncertaintyMetres: DistanceMetres?
    /// The turn to the right that makes this device point at the other, in degrees; negative to
    /// the left.
    public var turnDegrees: TurnDegrees?
    /// The age of the measurement in seconds.
    public var ageSeconds: Count

    /// Creates the value.
    public init(
        device: Key, name: String? = nil, distanceMetres: Double? = nil,
        uncertaintyMetres: Double? = nil, turnDegrees: Double? = nil, ageSeconds: Int
    ) {
        self.device = device
        suffix = KeySuffix(device)
        self.name = name.map(PersonName.init(clipping:))
        self.distanceMetres = distanceMetres.map { DistanceMetres(clamping: $0) }
        self.uncertaintyMetres = uncertaintyMetres.map { DistanceMetres(clamping: $0) }
        self.turnDegrees = turnDegrees.map { TurnDegrees(clamping: $0) }
        self.ageSeconds = Count(clamping: ageSeconds)
    }
}

extension MeasuredWay: DetailMembers {
    /// The key, of which the suffix is enough.
    public static let detailMembers = ["device"]
}
