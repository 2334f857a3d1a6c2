/// The number of times in a row that a device did not send content in time.
///
/// ```swift
/// silence.record(now: now)  // after the third time:
/// silence.isMuted(now: now)  // true, for ten minutes
/// ```
public struct SilenceCount: Hashable, Sendable {
    /// The number of times since content last arrived whole, or since the device was last muted.
    public private(set) var count = 0
    private var mutedUntil: Duration?

    /// Creates a count of a device that was never silent.
    public init() {}

    /// Whether the device was silent too often: ``SeekingLimits/silencesMax`` times in a row within
    /// ``SeekingLimits/mutedTime``.
    public func isMuted(now: Duration) -> Bool { mutedUntil.map { now < $0 } ?? false }

    /// Records that the device did not send content in time.
    public mutating func record(now: Duration) {
        count += 1
        guard count >= SeekingLimits.silencesMax else { return }
        count = 0
        mutedUntil = now + SeekingLimits.mutedTime
    }

    /// Records that content arrived whole from the device.
    public mutating func recordContent() { count = 0 }
}
