internal import Foundation

/// A journey to a location: points with times, in milliseconds from its start.
struct Journey: Sendable {
    struct Step: Sendable {
        let afterMs: Int64
        let spot: Spot
    }

    let steps: [Step]

    /// Creates a straight journey that ends at a location, with some time spent there.
    /// - Parameters:
    ///   - lasts: the time until the first point at the location, in milliseconds.
    ///   - isWhole: whether the journey reaches the location; otherwise it ends two hundred metres
    ///     before.
    init(to location: Spot, lasts: Int64, isWhole: Bool, stays: Int64, _ chance: Chance) {
        let metres = Double(chance.number(600...4000)) + Double(chance.number(0...999)) / 1000
        let degrees = Double(chance.number(0...3599)) / 10
        let count = max(2, lasts / Int64(chance.number(20_000...45_000)))
        var steps = (0..<count).map { number in
            let left = 1 - Double(number) / Double(count)
            let away = isWhole ? 45 + (metres - 45) * left : 200 + metres * left
            return Step(
                afterMs: lasts * number / count,
                spot: location.moved(metres: away, towards: degrees))
        }
        guard isWhole else {
            self.steps = steps
            return
        }
        for afterMs in stride(from: lasts, through: lasts + stays, by: 30_000) {
            let away = Double(chance.number(1000...20_000)) / 1000
            steps.append(
                Step(afterMs: afterMs, spot: location.moved(metres: away, towards: degrees)))
        }
        self.steps = steps
    }

    private init(_ steps: [Step]) { self.steps = steps }

    /// The duration, in milliseconds.
    var lastMs: Int64 { steps.last?.afterMs ?? 0 }

    /// Returns the rest of the journey after a time; it starts at once.
    func rest(afterMs: Int64) -> Journey? {
        let left = steps.filter { $0.afterMs >= afterMs }
        guard let first = left.first else { return nil }
        return Journey(left.map { Step(afterMs: $0.afterMs - first.afterMs, spot: $0.spot) })
    }

    /// Returns the journey as a GPX file that starts at a time in milliseconds since 1970.
    func gpx(startMs: Int64) -> String {
        let points = steps.map { step in
            "<trkpt lat=\"\(step.spot.latitude)\" lon=\"\(step.spot.longitude)\">"
                + "<time>\(Self.text(startMs + step.afterMs))</time></trkpt>"
        }
        return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    /// Returns a time as GPX text with milliseconds.
    private static func text(_ ms: Int64) -> String {
        let seconds = Date(timeIntervalSince1970: Double(ms / 1000)).formatted(.iso8601)
        return "\(seconds.dropLast()).\(String(1000 + ms % 1000).dropFirst())Z"
    }
}
