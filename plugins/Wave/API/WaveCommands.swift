public import Contract

/// The words of a wave.
public typealias Greeting = Text<1, 50>

/// The commands of waving.
public enum WaveCommands {
    /// Waves at a mate.
    public static let send = Command<SendWave, SentWave>(
        .action, "wave", "send", help: "Waves at a mate.")
    /// Lists waves.
    public static let list = Command<NoParameters, WaveList>(
        .query, "wave", "list", help: "Lists waves, newest first.")
}

/// The events of waving.
public enum WaveEvents {
    /// A wave was sent or has arrived.
    public static let changed = Event<WaveChange>("wave", help: "A wave was sent or has arrived.")
}

/// The body of ``WaveEvents/changed``.
public struct WaveChange: EventBody {
    /// The wave's id; nil if any may have changed.
    public var id: RecordKey?

    /// Names a wave.
    public init(id: RecordKey? = nil) { self.id = id }
}

/// The request of `wave send`.
public struct SendWave: CommandRequest {
    /// The mate.
    public var to: NameOrKey
    /// A few words; "Hello!" without them.
    public var greeting: Greeting?

    /// Waves at a mate.
    public init(to: NameOrKey, greeting: Greeting? = nil) {
        self.to = to
        self.greeting = greeting
    }

    /// The help of each property.
    public static let help = [
        "to": "The mate's name or key; six digits of a key are enough.",
        "greeting": "A few words, 1 to 50 characters.",
    ]
    /// The properties that are given by position.
    public static let positional = ["to"]
}

/// The answer of `wave send`.
public struct SentWave: Codable, Hashable, Sendable {
    /// The wave's id.
    public var id: RecordKey

    /// Names a wave.
    public init(id: RecordKey) { self.id = id }
}

/// The answer of `wave list`.
public struct WaveList: Codable, Hashable, Sendable {
    /// The newest first.
    public var waves: [Wave]

    /// Lists waves.
    public init(waves: [Wave]) { self.waves = waves }

    /// One wave.
    public struct Wave: Codable, Hashable, Sendable {
        /// Its id.
        public var id: RecordKey
        /// The person who waved.
        public var from: Key
        /// Their words.
        public var greeting: Greeting.Shown
        /// The time of the wave.
        public var atMs: Timestamp

        /// Names a wave's parts.
        public init(id: RecordKey, from: Key, greeting: String, atMs: Timestamp) {
            self.id = id
            self.from = from
            self.greeting = Greeting.Shown(clipping: greeting)
            self.atMs = atMs
        }
    }
}
