public import Localization

/// A source of this device's location, such as a receiver or a recorded track.
///
/// ```swift
/// struct Bench: LocationSource {
///     let point: Point
///     func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
///         await report(.fix(Fix(point: point)))
///     }
/// }
/// ```
public protocol LocationSource: Sendable {
    /// Reports locations until the source ends or the task is cancelled.
    /// - Throws: ``LocationFault`` if the source cannot continue; see ``LocationFault/canRecover``.
    func run(_ report: @Sendable (LocationReport) async -> Void) async throws
}

/// A report of a source.
public enum LocationReport: Hashable, Sendable {
    /// The source is available and knows no location yet, or not any more.
    case searching
    /// The device's location.
    case fix(Fix)
}

/// The reason a source stopped reporting.
public enum LocationFault: Error, Hashable, Sendable {
    /// Nothing answers at this address.
    case unreachable(address: String, reason: String)
    /// The answering service is not the expected one, or its messages are malformed.
    case notUnderstood(reason: String)
    /// The connection to the source was lost.
    case lost

    /// Whether the same source may work again later.
    public var canRecover: Bool {
        switch self {
        case .unreachable, .lost: true
        case .notUnderstood: false
        }
    }
}

extension LocationFault: SentenceError {
    /// A sentence that tells people what to do.
    public var sentence: Sentence {
        switch self {
        case .unreachable(let address, let reason):
            "Nothing answers at \(address) (\(reason)): start the service, or give its address."
        case .notUnderstood(let reason):
            "The answering service is not gpsd (\(reason)): check the address."
        case .lost: "The connection to the receiver's service was lost; it will be tried again."
        }
    }
}
