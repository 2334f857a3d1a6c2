/// Measured distances and directions of linked devices, for a plugin that declares
/// ``Manifest/Service/ranging``.
///
/// The provider measures only while a plugin asks. Ask again before the time is over, and read the
/// measurements in ``Plugin/ranged(_:)`` or at any time:
///
/// ```swift
/// try await context.ranging.measure(for: .seconds(3))
/// let near = try await context.ranging.measurements().values.filter {
///     ($0.distanceMetres ?? .infinity) < 1
/// }
/// ```
public protocol RangingAccess: Sendable {
    /// Asks for measurements during this time, at most ``RangingLimits/askedMax``, in place of an
    /// earlier question of this plugin; zero takes the question back.
    /// - Throws: ``CommandFault/refused(_:)`` without ``Manifest/Service/ranging``.
    func measure(for duration: Duration) async throws
    /// Returns the newest measurement of each linked device that is not older than
    /// ``RangingLimits/ageMax``.
    /// - Throws: ``CommandFault/refused(_:)`` without ``Manifest/Service/ranging``.
    func measurements() async throws -> [DeviceID: RangeMeasurement]
    /// Returns the provider and its state.
    /// - Throws: ``CommandFault/refused(_:)`` without ``Manifest/Service/ranging``.
    func provider() async throws -> RangingProvider
    /// Uses another provider from now on; the measurements of the previous one are forgotten.
    /// - Throws: ``CommandFault`` if a file is no recording, or if this device has no provider of
    ///   its own; ``CommandFault/refused(_:)`` without ``Manifest/Service/location``.
    func choose(_ choice: RangingChoice) async throws
}

/// The provider of measurements.
public enum RangingChoice: Hashable, Sendable {
    /// None.
    case off
    /// The radio of this device, if it has one.
    case device
    /// Measurements that were recorded, in a file of JSON lines at this absolute path.
    case recorded(path: String)
    /// Measurements between the hosts of a test, whose positions are in a file of JSON lines at
    /// this absolute path.
    case simulated(path: String)
}

/// The provider of measurements and its state.
public struct RangingProvider: Hashable, Sendable {
    /// The provider.
    public var choice: RangingChoice
    /// The state of the provider.
    public var state: State
    /// The number of its reports that were no measurements, since it was chosen.
    public var refusedCount: Int
    /// The reason why the last of them was none.
    public var lastRefusal: RangeFault?

    /// The state of a provider.
    public enum State: Hashable, Sendable {
        /// There is none.
        case off
        /// The provider is idle: no plugin or page asks for measurements.
        case resting
        /// It measures.
        case measuring
        /// It has ended, and measures again once it is asked anew.
        case ended
        /// It cannot go on for this reason.
        case failed(Sentence)
    }

    /// Creates the state of a provider that has reported nothing.
    public init(
        choice: RangingChoice, state: State, refusedCount: Int = 0, lastRefusal: RangeFault? = nil
    ) {
        self.choice = choice
        self.state = state
        self.refusedCount = refusedCount
        self.lastRefusal = lastRefusal
    }

    /// No provider.
    public static let none = RangingProvider(choice: .off, state: .off)

    /// Whether distances can be measured here.
    public var isAvailable: Bool {
        switch state {
        case .off, .failed: false
        case .resting, .measuring, .ended: true
        }
    }
}
