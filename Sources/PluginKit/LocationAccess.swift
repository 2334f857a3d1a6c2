/// The location of this device and its source, for a plugin that declares
/// ``Manifest/Service/location``. Any other plugin neither sets locations nor receives them.
public protocol LocationAccess: Sendable {
    /// Returns the latest report of the current source.
    func whereabouts() async -> Whereabouts
    /// Uses another source from now on; the previous source's reports are forgotten.
    /// - Throws: ``CommandFault`` if a file is not a track that can be played.
    func choose(_ source: LocationChoice) async throws
    /// Sets this device's location by hand; nil means that it is unknown. Has an effect only while
    /// the source is ``LocationChoice/hand``.
    func setByHand(_ fix: Fix?) async
}

/// The source of this device's location.
public enum LocationChoice: Hashable, Sendable {
    /// The person sets it.
    case hand
    /// A receiver that a gpsd serves.
    case gpsd(host: String, port: Int)
    /// A recorded track that is played back.
    /// - Parameters:
    ///   - path: the absolute path of a GPX file.
    ///   - speed: the factor by which it is played faster than it was recorded.
    ///   - start: the time of its first fix; nil keeps the recorded times.
    case track(path: String, speed: Double, start: Timestamp?)
}

/// The location of this device, as its source last reported it. Unknown values are absent.
public struct Whereabouts: Hashable, Sendable {
    /// The source of the report.
    public let source: LocationChoice
    /// The state of the source.
    public let state: State
    /// The last fix of this source, however old.
    public let fix: Fix?
    /// The node's uptime when the fix was current; nil without a fix.
    public let fixUptime: Duration?

    /// The state of a source.
    public enum State: Hashable, Sendable {
        /// The source reported a location.
        case known
        /// The source is available, and has reported nothing yet or knows no location.
        case searching
        /// The source is unavailable for this reason, and is tried again automatically.
        case away(Sentence)
        /// The source has ended and reports nothing more.
        case ended
        /// The source cannot be used, for this reason.
        case failed(Sentence)
    }

    /// Creates a report from its parts.
    public init(source: LocationChoice, state: State, fix: Fix?, fixUptime: Duration?) {
        self.source = source
        self.state = state
        self.fix = fix
        self.fixUptime = fixUptime
    }

    /// The state before any source has reported.
    public static let unknown = Whereabouts(
        source: .hand, state: .searching, fix: nil, fixUptime: nil)

    /// Returns the age of the fix; nil without one.
    public func age(uptime: Duration) -> Duration? {
        fixUptime.map { max(.zero, uptime - $0) }
    }
}
