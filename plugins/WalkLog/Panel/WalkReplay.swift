import Contract
import PanelKit
import WalkLogAPI

/// The way of a walk by its times, without its pauses: where the walker was after so many seconds.
///
/// For example, a way from 14:00 to 14:10 with a pause from 14:02 to 14:07 takes 300 seconds, and
/// after 120 of them the walker is where the second part begins.
struct WalkReplay: Equatable, Sendable {
    /// A position on the way.
    struct Position: Equatable, Sendable {
        /// The location.
        var coordinate: Coordinate
        /// The time at which the walker was there.
        var time: Timestamp
        /// The length of the way up to there, without pauses, in metres.
        var metres: Double
    }

    private let places: [WalkTrack.Place]
    /// The seconds from the beginning to each place; they do not decrease.
    private let seconds: [Double]
    /// The metres from the beginning to each place.
    private let metres: [Double]

    /// The longest walk, in seconds; a way whose times say more has none that can be used.
    private static let secondsMax = 6.0 * 60 * 60
    /// The speed by which a way without usable times is replayed, in metres per second.
    private static let metresPerSecond = 1.4

    /// Creates the replay of a way; nil if it goes nowhere.
    init?(_ places: [WalkTrack.Place]) {
        guard places.count > 1 else { return nil }
        self.places = places
        metres = Self.sums(of: places) { $0.coordinate.distanceMetres(to: $1.coordinate) }
        let byTime = Self.sums(of: places) { Self.seconds(from: $0, to: $1) }
        let isUsable = byTime.last.map { $0 > 0 && $0 <= Self.secondsMax } ?? false
        seconds = isUsable ? byTime : metres.map { $0 / Self.metresPerSecond }
        guard durationSeconds > 0 else { return nil }
    }

    /// The time of the way without pauses, in seconds; more than 0.
    var durationSeconds: Double { seconds.last ?? 0 }

    /// Returns the position after so many seconds: the start before 0, the end after the last.
    func position(atSeconds wanted: Double) -> Position {
        let after = firstIndex(after: wanted)
        guard after > 0 else { return position(at: 0) }
        guard after < places.count else { return position(at: places.count - 1) }
        let length = seconds[after] - seconds[after - 1]
        let share = min(max((wanted - seconds[after - 1]) / length, 0), 1)
        return position(share, of: after)
    }

    /// Returns the index of the first place that is reached after so many seconds.
    private func firstIndex(after wanted: Double) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if seconds[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns sums of the steps of a way. The step over a pause is 0.
    private static func sums(
        of places: [WalkTrack.Place], _ step: (WalkTrack.Place, WalkTrack.Place) -> Double
    ) -> [Double] {
        var sums = [0.0]
        for (from, to) in zip(places, places.dropFirst()) {
            sums.append(sums[sums.count - 1] + (to.begins ? 0 : max(0, step(from, to))))
        }
        return sums
    }

    private static func seconds(from: WalkTrack.Place, to: WalkTrack.Place) -> Double {
        (to.atMs - from.atMs) / .seconds(1)
    }

    private func position(at index: Int) -> Position {
        Position(
            coordinate: places[index].coordinate, time: places[index].atMs, metres: metres[index])
    }

    /// Returns the position on the step to a place. A step over 180° east goes the short way.
    private func position(_ share: Double, of index: Int) -> Position {
        let (from, to) = (places[index - 1], places[index])
        let (start, end) = (from.coordinate, to.coordinate)
        var east = end.longitude - start.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        var longitude = start.longitude + share * east
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        let latitude = start.latitude + share * (end.latitude - start.latitude)
        let passed = Self.seconds(from: from, to: to) * share
        return Position(
            coordinate: Coordinate(latitude: latitude, longitude: longitude) ?? end,
            time: from.atMs + .milliseconds(Int64(passed * 1000)),
            metres: metres[index - 1] + share * (metres[index] - metres[index - 1]))
    }
}

extension WalkTrack.Place {
    /// The location on the map.
    var coordinate: Coordinate { Coordinate(latitude, longitude) }
}
