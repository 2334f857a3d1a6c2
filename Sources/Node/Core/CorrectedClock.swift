internal import PluginKit
internal import Synchronization

/// A node's clocks: the system's, with the wall clock corrected by the clocks of linked mates.
final class CorrectedClock: NodeClock {
    private let system: any NodeClock
    private let corrected = Mutex<Duration>(.zero)

    /// Creates an uncorrected clock.
    init(_ system: any NodeClock) { self.system = system }

    /// The system's own time, which HELLO contains.
    var systemTime: Timestamp { system.wallTime }

    var wallTime: Timestamp { systemTime + correction }

    /// The time that is added to the system's.
    var correction: Duration { corrected.withLock { $0 } }

    var uptime: Duration { system.uptime }

    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }

    /// Corrects the wall clock by the mates' offsets; see ``ClockOffset/correction(by:)``.
    /// - Returns: whether that changed the clock.
    func correct(byOffsets offsets: [Duration]) -> Bool {
        let total = ClockOffset.correction(by: offsets)
        return corrected.withLock { correction in
            defer { correction = total }
            return correction != total
        }
    }
}

/// The offset of mates' clocks from this one.
public enum ClockOffset {
    /// The limit for one offset (10 min). Honest clocks differ by seconds to minutes; a clock that
    /// lies or is set to another day must not move others far.
    public static let countedMax = Duration.seconds(10 * 60)

    /// Returns the correction for the given offsets, one for each person: the median of the
    /// offsets, each limited to ``countedMax``. So one person moves a clock by at most five
    /// minutes, and all people together by at most ten.
    public static func correction(by offsets: [Duration]) -> Duration {
        median(offsets.map { min(max($0, .zero - countedMax), countedMax) })
    }

    /// Returns the one offset that counts for a person with several devices: the smallest.
    static func vote(of offsets: [Duration]) -> Duration? {
        offsets.min { abs($0) < abs($1) }
    }

    private static func abs(_ offset: Duration) -> Duration {
        max(offset, .zero - offset)
    }

    /// Returns the median of offsets, including this device's own zero. If their number is even, it
    /// is the mean of the middle two, so that two nodes meet half-way.
    public static func median(_ offsets: [Duration]) -> Duration {
        median(ofOthers: offsets + [.zero]) ?? .zero
    }

    /// Returns the median of offsets without this device's own, which is the measured difference;
    /// nil if there are none. With a single mate who is a minute ahead it is a minute, while
    /// ``median(_:)`` is half a minute.
    static func median(ofOthers offsets: [Duration]) -> Duration? {
        let sorted = offsets.sorted()
        let middle = sorted.count / 2
        guard let upper = sorted.dropFirst(middle).first else { return nil }
        if !sorted.count.isMultiple(of: 2) { return upper }
        return sorted[middle - 1] / 2 + upper / 2
    }
}
