internal import PluginKit

/// The way of a walk as a mate sees it.
enum SharedWay {
    /// Returns the points that are shown. Unless the whole way is shown, every point near the start
    /// or the end is left out, also where the way comes by again: they show where a person lives.
    static func points(of track: [TrackPoint], isWhole: Bool) -> [TrackPoint] {
        guard let start = track.first?.point, let end = track.last?.point, !isWhole else {
            return track
        }
        var shown: [TrackPoint] = []
        var isGap = true
        for point in track {
            let place = point.point
            guard place.distanceMetres(to: start) > WalkLimits.hiddenMetres,
                place.distanceMetres(to: end) > WalkLimits.hiddenMetres
            else {
                isGap = true
                continue
            }
            shown.append(isGap ? point.startingSegment : point)
            isGap = false
        }
        return shown
    }

    /// Returns the encoded way, simplified until it fits into a record, and its number of points.
    static func encoded(_ points: [TrackPoint]) -> (bytes: [UInt8], pointsCount: Int) {
        let simplifier = TrackSimplifier(
            TrackSimplifier(points).points(withinMetres: WalkLimits.wayToleranceMetres))
        var countMax = WalkLimits.wayPointsCountMax
        while true {
            let kept = simplifier.points(countMax: countMax)
            let bytes = EncodedTrack.bytes(of: kept)
            // No way of 100 points is too long: a point takes at most 18 bytes.
            if bytes.count <= WalkLimits.wayBytesMax || countMax <= 100 {
                return (bytes, kept.count)
            }
            countMax /= 2
        }
    }
}

extension TrackPoint {
    /// The same point at the beginning of a segment.
    fileprivate var startingSegment: TrackPoint {
        TrackPoint(point, at: at, startsSegment: true)
    }
}
