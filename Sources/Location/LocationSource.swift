/// Something that knows where this device is: a receiver, a recorded track.
public protocol LocationSource: Sendable {
    /// Reports until the source ends, or until the task is cancelled.
    /// - Throws: ``LocationFault`` where it cannot go on; trying again may help where it says so.
    func run(_ report: @Sendable (LocationReport) async -> Void) async throws
}

/// What a source says.
public enum LocationReport: Hashable, Sendable {
    /// It is there, and knows no position yet or no longer.
    case searching
    /// Where the device is.
    case fix(Fix)
}

/// Why a source says nothing more.
public enum LocationFault: Error, Hashable, Sendable {
    /// Nothing answers at this address.
    case unreachable(address: String, reason: String)
    /// What answers is not the service that was meant, or speaks it wrongly.
    case notUnderstood(reason: String)
    /// It was there and went away.
    case lost

    /// Whether the same source may work a moment later.
    public var canRecover: Bool {
        switch self {
        case .unreachable, .lost: true
        case .notUnderstood: false
        }
    }
}

extension LocationFault: CustomStringConvertible {
    /// A sentence that says what to do.
    public var description: String {
        switch self {
        case .unreachable(let address, let reason):
            "Nothing answers at \(address) (\(reason)): start the service, or name its address."
        case .notUnderstood(let reason):
            "What answers does not speak as gpsd does (\(reason)): look at the address."
        case .lost: "The receiver's service went away; it is asked again by itself."
        }
    }
}
