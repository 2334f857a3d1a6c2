/// A hybrid logical time: 48 bits of milliseconds since 1970 and a 16-bit counter.
///
/// A stamp is below 2⁶³, so that it fits a signed SQL column; stamps order as their raw values.
/// ```swift
/// var clock = HybridClock(latest: stored)
/// clock.follow(batch.stamp, wallTime: now)
/// let stamp = try clock.tick(wallTime: now)  // later than batch.stamp
/// ```
public struct Stamp: Hashable, Comparable, Sendable, Codable {
    /// `milliseconds << 16 | counter`.
    public let rawValue: UInt64

    /// The highest stamp.
    public static let max = Stamp(unchecked: UInt64(Int64.max))

    /// Wraps a raw value, or returns nil at 2⁶³ and above.
    public init?(rawValue: UInt64) {
        guard rawValue <= UInt64(Int64.max) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates the first stamp of a millisecond.
    public init(_ time: Timestamp) {
        self.init(unchecked: UInt64(time.milliseconds) << 16)
    }

    private init(unchecked rawValue: UInt64) { self.rawValue = rawValue }

    /// The millisecond of the stamp. Every stamp's is within the range of a timestamp.
    public var time: Timestamp { Timestamp(milliseconds: Int64(rawValue >> 16)) }

    /// The counter within the millisecond. If it overflows, the stamp moves to the next
    /// millisecond.
    public var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// The next stamp, or nil at the end of the range.
    public var next: Stamp? { Stamp(rawValue: rawValue &+ 1) }

    /// Orders by the raw value.
    public static func < (left: Stamp, right: Stamp) -> Bool { left.rawValue < right.rawValue }
}

/// The hybrid clock of one space. Advance it only inside the transaction that commits.
///
/// The clock follows every stamp it sees, unless the stamp is more than 24 h ahead. So an edit is
/// stamped after all edits that its author had seen, whatever the wall clocks say.
public struct HybridClock: Hashable, Sendable {
    /// The highest stamp issued or followed.
    public private(set) var latest: Stamp

    /// Creates a clock that has seen no stamp after `latest`.
    public init(latest: Stamp = Stamp(.min)) { self.latest = latest }

    /// Issues the next stamp at a wall time.
    /// - Throws: ``RecordFault/clockExhausted`` at the end of the range (year 6429).
    public mutating func tick(wallTime: Timestamp) throws(RecordFault) -> Stamp {
        guard let successor = latest.next else { throw .clockExhausted }
        latest = Swift.max(successor, Stamp(wallTime))
        return latest
    }

    /// Follows a received stamp. A stamp more than 24 h ahead of the wall time has no effect.
    public mutating func follow(_ stamp: Stamp, wallTime: Timestamp) {
        guard !HybridClock.isHeld(stamp, wallTime: wallTime) else { return }
        latest = Swift.max(latest, stamp)
    }

    /// Whether a batch with this stamp is held, because it is dated more than 24 h ahead of the
    /// wall time.
    public static func isHeld(_ stamp: Stamp, wallTime: Timestamp) -> Bool {
        stamp.time > wallTime + Limits.stampAheadMax
    }

    /// Returns the last stamp that is not held at a wall time.
    public static func lastDue(wallTime: Timestamp) -> Stamp {
        let limit = wallTime + Limits.stampAheadMax
        return Stamp(rawValue: Stamp(limit).rawValue | UInt64(UInt16.max)) ?? .max
    }

    /// Returns the first wall time at which a batch with this stamp counts.
    public static func due(_ stamp: Stamp) -> Timestamp {
        stamp.time - Limits.stampAheadMax
    }
}
