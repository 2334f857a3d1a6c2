internal import PluginKit

/// Leaves out the points of a track that a picture does not need.
///
/// A point is left out if the track without it is nowhere further from it than a number of metres
/// (Ramer, Douglas and Peucker). The first and the last point of each segment always stay.
struct TrackSimplifier {
    /// The track, on a plane in metres around its first point.
    private let places: [(x: Double, y: Double)]
    private let points: [TrackPoint]

    /// Prepares a track.
    init(_ points: [TrackPoint]) {
        self.points = points
        let plane = points.first.map { LocalPlane(around: $0.point) }
        places = points.map { point in
            let (east, north) = plane?.metres(of: point.point) ?? (0, 0)
            return (x: east, y: north)
        }
    }

    /// Returns the points of a track that is nowhere further from the whole one than this.
    func points(withinMetres tolerance: Double) -> [TrackPoint] {
        var isKept = [Bool](repeating: false, count: points.count)
        for segment in segments {
            isKept[segment.lowerBound] = true
            isKept[segment.upperBound] = true
            // A list of what is left to do instead of recursion: a track can be 21 600 points deep.
            var waiting = [segment]
            while let part = waiting.popLast() {
                guard let far = farthest(in: part), far.metres > tolerance else { continue }
                var ends = [part.lowerBound, far.index, part.upperBound]
                if let middle = middle(of: part, dividedAt: far.index) {
                    ends.insert(middle, at: middle < far.index ? 1 : 2)
                }
                for (start, end) in zip(ends, ends.dropFirst()) {
                    isKept[end] = true
                    waiting.append(start...end)
                }
            }
        }
        return zip(points, isKept).filter(\.1).map(\.0)
    }

    /// Returns the middle of a long part whose farthest point is so near to an end that it hardly
    /// divides the part; nil for any other. Without this, each point of a zigzag would be compared
    /// with all others.
    private func middle(of part: ClosedRange<Int>, dividedAt index: Int) -> Int? {
        let shorter = min(index - part.lowerBound, part.upperBound - index)
        guard part.count > Self.longPartCount, shorter < part.count / Self.shortestShare else {
            return nil
        }
        return (part.lowerBound + part.upperBound) / 2
    }

    /// A part of more points is divided into halves if nothing else divides it.
    private static let longPartCount = 64
    /// The least share of a part that divides it: a thirty-second.
    private static let shortestShare = 32

    /// Returns at most this many points: those of the smallest tolerance, out of 1 m, 2 m, 4 m and
    /// so on, with so few. A track of more segments keeps the first points only.
    func points(countMax: Int) -> [TrackPoint] {
        guard points.count > countMax else { return points }
        var tolerance = 1.0
        while tolerance < Self.toleranceMax {
            let kept = self.points(withinMetres: tolerance)
            if kept.count <= countMax { return kept }
            tolerance *= 2
        }
        return Array(self.points(withinMetres: tolerance).prefix(countMax))
    }

    /// More metres than any track is wide.
    private static let toleranceMax = 1e8

    private var segments: [ClosedRange<Int>] {
        var segments: [ClosedRange<Int>] = []
        var start = 0
        for index in points.indices.dropFirst() where points[index].startsSegment {
            segments.append(start...index - 1)
            start = index
        }
        if !points.isEmpty { segments.append(start...points.count - 1) }
        return segments
    }

    /// Returns the point that is farthest from the line between the ends of a part.
    private func farthest(in part: ClosedRange<Int>) -> (index: Int, metres: Double)? {
        guard part.count > 2 else { return nil }
        let (start, end) = (places[part.lowerBound], places[part.upperBound])
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        var far = (index: part.lowerBound, square: 0.0)
        for index in part.lowerBound + 1..<part.upperBound {
            let (x, y) = (places[index].x - start.x, places[index].y - start.y)
            // The nearest place between the two ends, as a share of the way.
            let share = square > 0 ? min(max((x * dx + y * dy) / square, 0), 1) : 0
            let (offX, offY) = (x - share * dx, y - share * dy)
            let distance = offX * offX + offY * offY
            if distance > far.square { far = (index, distance) }
        }
        return (far.index, far.square.squareRoot())
    }
}
