internal import Foundation

/// A way to a place: points with times, counted in milliseconds from its first.
struct Journey: Sendable {
    struct Step: Sendable {
        let afterMs: Int64
        let spot: Spot
    }

    let steps: [Step]

    /// A straight way that ends at the place, and some time spent there.
    /// - Parameters:
    ///   - lasts: how long the way takes until the first point within the place, in milliseconds.
    ///   - isWhole: whether it comes to the place; else it ends two hundred metres before.
    init(to place: Spot, lasts: Int64, isWhole: Bool, stays: Int64, _ chance: Chance) {
        let metres = Double(chance.number(600...4000)) + Double(chance.number(0...999)) / 1000
        let degrees = Double(chance.number(0...3599)) / 10
        let count = max(2, lasts / Int64(chance.number(20_000...45_000)))
        var steps = (0..<count).map { number in
            let left = 1 - Double(number) / Double(count)
            let away = isWhole ? 45 + (metres - 45) * left : 200 + metres * left
            return Step(
                afterMs: lasts * number / count,
                spot: place.moved(metres: away, towards: degrees))
        }
        guard isWhole else {
            self.steps = steps
            return
        }
        for afterMs in stride(from: lasts, through: lasts + stays, by: 30_000) {
            let away = Double(chance.number(1000...20_000)) / 1000
            steps.append(Step(afterMs: afterMs, spot: place.moved(metres: away, towards: degrees)))
        }
        self.steps = steps
    }

    private init(_ steps: [Step]) { self.steps = steps }

    /// How long it takes, in milliseconds.
    var lastMs: Int64 { steps.last?.afterMs ?? 0 }

    /// What is left of it after a time, which begins at once.
    func rest(afterMs: Int64) -> Journey? {
        let left = steps.filter { $0.afterMs >= afterMs }
        guard let first = left.first else { return nil }
        return Journey(left.map { Step(afterMs: $0.afterMs - first.afterMs, spot: $0.spot) })
    }

    /// The track as a file, beginning at a time in milliseconds since 1970.
    func gpx(startMs: Int64) -> String {
        let points = steps.map { step in
            "<trkpt lat=\"\(step.spot.latitude)\" lon=\"\(step.spot.longitude)\">"
                + "<time>\(Self.text(startMs + step.afterMs))</time></trkpt>"
        }
        return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    /// A time as tracks have it, exact to the millisecond.
    private static func text(_ ms: Int64) -> String {
        let seconds = Date(timeIntervalSince1970: Double(ms / 1000)).formatted(.iso8601)
        return "\(seconds.dropLast()).\(String(1000 + ms % 1000).dropFirst())Z"
    }
}
