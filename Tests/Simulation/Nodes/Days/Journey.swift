internal import Foundation
internal import Records

/// A journey to a location: points with times after its start.
struct Journey: Sendable {
    struct Step: Sendable {
        let after: Duration
        let spot: Spot
    }

    let steps: [Step]

    /// Creates a straight journey that ends at a location, with some time spent there.
    /// - Parameters:
    ///   - lasts: the time until the first point at the location.
    ///   - isWhole: whether the journey reaches the location; otherwise it ends two hundred metres
    ///     before.
    init(to location: Spot, lasts: Duration, isWhole: Bool, stays: Duration, _ chance: Chance) {
        let metres = Double(chance.number(600...4000)) + Double(chance.number(0...999)) / 1000
        let degrees = Double(chance.number(0...3599)) / 10
        let count = max(2, lasts.milliseconds / Int64(chance.number(20_000...45_000)))
        var steps = (0..<count).map { number in
            let left = 1 - Double(number) / Double(count)
            let away = isWhole ? 45 + (metres - 45) * left : 200 + metres * left
            return Step(
                after: .milliseconds(lasts.milliseconds * number / count),
                spot: location.moved(metres: away, towards: degrees))
        }
        guard isWhole else {
            self.steps = steps
            return
        }
        var after = lasts
        while after <= lasts + stays {
            let away = Double(chance.number(1000...20_000)) / 1000
            steps.append(Step(after: after, spot: location.moved(metres: away, towards: degrees)))
            after += .seconds(30)
        }
        self.steps = steps
    }

    /// Creates a stroll from a location: points some seconds apart, with turns, at the speed of a
    /// person who walks or rides.
    init(strollFrom start: Spot, count: Int, _ chance: Chance) {
        var spot = start.moved(
            metres: Double(chance.number(0...300)), towards: Double(chance.number(0...359)))
        var (degrees, after) = (Double(chance.number(0...359)), Duration.zero)
        var steps: [Step] = []
        for _ in 0..<count {
            steps.append(Step(after: after, spot: spot))
            degrees += Double(chance.number(-60...60))
            let seconds = chance.number(3...8)
            after += .seconds(seconds)
            spot = spot.moved(
                metres: Double(seconds * chance.number(20...100)) / 10, towards: degrees)
        }
        self.steps = steps
    }

    private init(_ steps: [Step]) { self.steps = steps }

    /// The duration.
    var duration: Duration { steps.last?.after ?? .zero }

    /// Returns the rest of the journey after a time; it starts at once.
    func rest(after: Duration) -> Journey? {
        let left = steps.filter { $0.after >= after }
        guard let first = left.first else { return nil }
        return Journey(left.map { Step(after: $0.after - first.after, spot: $0.spot) })
    }

    /// Returns the journey as a GPX file that starts at a time.
    func gpx(start: Timestamp) -> String {
        let points = steps.map { step in
            "<trkpt lat=\"\(step.spot.latitude)\" lon=\"\(step.spot.longitude)\">"
                + "<time>\(Self.text(start + step.after))</time></trkpt>"
        }
        return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    /// Returns a time as GPX text with milliseconds.
    private static func text(_ time: Timestamp) -> String {
        let ms = time.milliseconds
        let seconds = Date(timeIntervalSince1970: Double(ms / 1000)).formatted(.iso8601)
        return "\(seconds.dropLast()).\(String(1000 + ms % 1000).dropFirst())Z"
    }
}
