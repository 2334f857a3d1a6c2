/// A hybrid logical time: 48 bits of milliseconds since 1970 and a 16-bit counter.
///
/// A stamp stays below 2⁶³, so it fits a signed column and its order is the order of the integers.
public struct Stamp: Hashable, Comparable, Sendable, Codable {
    /// `milliseconds << 16 | counter`.
    public let rawValue: UInt64

    /// The highest stamp there is.
    public static let max = Stamp(unchecked: UInt64(Int64.max))

    /// Wraps a raw value, or nil at 2⁶³ and above.
    public init?(rawValue: UInt64) {
        guard rawValue <= UInt64(Int64.max) else { return nil }
        self.rawValue = rawValue
    }

    /// The first stamp of a millisecond; times before 1970 and past the range are clamped.
    public init(milliseconds: Int64) {
        let clamped = UInt64(Swift.max(0, Swift.min(milliseconds, Int64.max >> 16)))
        self.init(unchecked: clamped << 16)
    }

    private init(unchecked rawValue: UInt64) { self.rawValue = rawValue }

    /// Milliseconds since 1970.
    public var milliseconds: UInt64 { rawValue >> 16 }

    /// The counter within the millisecond. When it overflows it borrows the next millisecond.
    public var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// The next stamp, or nil at the end of time.
    public var next: Stamp? { Stamp(rawValue: rawValue &+ 1) }

    public static func < (left: Stamp, right: Stamp) -> Bool { left.rawValue < right.rawValue }
}

/// The hybrid clock of one space. Advance it only inside the transaction that commits.
///
/// An edit made knowing of another is stamped after it whatever the wall clocks say, because the
/// clock follows every stamp it has seen, unless that lies more than 24 h ahead.
public struct HybridClock: Hashable, Sendable {
    /// The highest stamp issued or followed.
    public private(set) var latest: Stamp

    /// A clock that has seen nothing after `latest`.
    public init(latest: Stamp = Stamp(milliseconds: 0)) { self.latest = latest }

    /// Issues the next stamp at a wall time in milliseconds since 1970.
    /// - Throws: ``RecordFault/clockExhausted`` at the end of time (year 6429).
    public mutating func tick(wallMilliseconds: Int64) throws(RecordFault) -> Stamp {
        guard let successor = latest.next else { throw .clockExhausted }
        latest = Swift.max(successor, Stamp(milliseconds: wallMilliseconds))
        return latest
    }

    /// Follows a stamp that was seen; one too far ahead of the wall time drags nothing.
    public mutating func follow(_ stamp: Stamp, wallMilliseconds: Int64) {
        guard !HybridClock.isHeld(stamp, wallMilliseconds: wallMilliseconds) else { return }
        latest = Swift.max(latest, stamp)
    }

    /// Whether a batch of this stamp is inert until due: dated over 24 h ahead of the wall time.
    public static func isHeld(_ stamp: Stamp, wallMilliseconds: Int64) -> Bool {
        let wall = UInt64(Swift.max(0, wallMilliseconds))
        let (limit, overflow) = wall.addingReportingOverflow(Limits.stampAheadMillisecondsMax)
        return !overflow && stamp.milliseconds > limit
    }

    /// The first wall time, in milliseconds since 1970, at which a batch of this stamp counts.
    public static func dueMilliseconds(_ stamp: Stamp) -> UInt64 {
        stamp.milliseconds - min(stamp.milliseconds, Limits.stampAheadMillisecondsMax)
    }
}
