internal import Records

/// The rule by which batches of open spaces expire.
enum Expiry {
    /// Whether a batch has expired: its stamp is more than ``Limits/openStampAgeMax`` old.
    static func isExpired(_ stamp: Stamp, wallTime: Timestamp) -> Bool {
        stamp.time + Limits.openStampAgeMax < wallTime
    }

    /// Returns the first time at which a batch has expired.
    static func time(of stamp: Stamp) -> Timestamp {
        stamp.time + Limits.openStampAgeMax + .milliseconds(1)
    }

    /// Returns the last stamp that has expired at a time; nil if none has.
    static func lastExpired(wallTime: Timestamp) -> Stamp? {
        let before = wallTime - Limits.openStampAgeMax
        guard before > .min else { return nil }
        return Stamp(
            rawValue: Stamp(before - .milliseconds(1)).rawValue | UInt64(UInt16.max))
    }
}
