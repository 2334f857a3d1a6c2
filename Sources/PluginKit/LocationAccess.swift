/// Where this device is, and which source says so. For who declares
/// ``Manifest/Service/location``; from others nothing is heard and nothing is told to them.
public protocol LocationAccess: Sendable {
    /// What is known now.
    func whereabouts() async -> Whereabouts
    /// Asks another source from now on; what the one before said is forgotten.
    /// - Throws: ``CommandFault`` where a file is no track that can be played.
    func choose(_ source: LocationChoice) async throws
    /// Says where this device is, by hand; nil says that nobody knows. Heard while the source is
    /// ``LocationChoice/hand``.
    func place(_ fix: Fix?) async
}

/// Which source says where this device is.
public enum LocationChoice: Hashable, Sendable {
    /// Its person does.
    case hand
    /// A receiver does, by a gpsd.
    case gpsd(host: String, port: Int)
    /// A recorded track is played.
    /// - Parameters:
    ///   - path: a GPX file, by its whole path.
    ///   - speed: how many times faster than it was recorded.
    ///   - startMs: the time its first fix is to have, in milliseconds since 1970; nil keeps the
    ///     recorded times.
    case track(path: String, speed: Double, startMs: Int64?)
}

/// Where this device is, as its source said last. What is not known is absent.
public struct Whereabouts: Hashable, Sendable {
    /// Who says it.
    public let source: LocationChoice
    /// How the source is doing.
    public let state: State
    /// The last fix of this source, however old.
    public let fix: Fix?
    /// When the fix was of now, on the node's uptime clock; nil without one.
    public let fixUptime: Duration?

    /// How a source is doing.
    public enum State: Hashable, Sendable {
        /// It said where the device is.
        case known
        /// It is there, and has said nothing yet or knows no position.
        case searching
        /// It is away, for this reason, and is asked again by itself.
        case away(String)
        /// It has said all it will.
        case ended
        /// It cannot be used, for this reason.
        case failed(String)
    }

    /// Names what is known.
    public init(source: LocationChoice, state: State, fix: Fix?, fixUptime: Duration?) {
        self.source = source
        self.state = state
        self.fix = fix
        self.fixUptime = fixUptime
    }

    /// Nobody has said anything yet.
    public static let unknown = Whereabouts(
        source: .hand, state: .searching, fix: nil, fixUptime: nil)

    /// How old the fix is; nil without one.
    public func age(uptime: Duration) -> Duration? {
        fixUptime.map { max(.zero, uptime - $0) }
    }
}
