internal import PluginKit

/// The content that holds the points of a finished walk, and its one encoding.
///
/// A version byte (1) and the number of points as a varint are followed by the points. Each has a
/// byte that is 1 if it starts a segment, and three zigzag varints: latitude and longitude in
/// ten-millionths of a degree and the time in milliseconds since 1970, each less those of the point
/// before it; the first point less 0.
enum EncodedTrack {
    /// The media type of the content.
    static let kind = "application/vnd.waggle.track"

    private static let version: UInt8 = 1
    /// The bytes of the shortest point.
    private static let pointBytesMin = 4

    /// Returns the bytes of a track.
    static func bytes(of points: [TrackPoint]) -> [UInt8] {
        var bytes: [UInt8] = [version]
        bytes.append(varint: UInt64(points.count))
        var (latitude, longitude, at) = (Int64(0), Int64(0), Int64(0))
        for point in points {
            bytes.append(point.startsSegment ? 1 : 0)
            bytes.append(zigzag: Int64(point.latitudeE7) - latitude)
            bytes.append(zigzag: Int64(point.longitudeE7) - longitude)
            bytes.append(zigzag: point.at.milliseconds - at)
            latitude = Int64(point.latitudeE7)
            longitude = Int64(point.longitudeE7)
            at = point.at.milliseconds
        }
        return bytes
    }

    /// Reads a track.
    /// - Throws: the first ``TrackFault`` found, in the order of its cases.
    static func points(of bytes: [UInt8]) throws(TrackFault) -> [TrackPoint] {
        guard bytes.count <= WalkLimits.trackBytesMax else {
            throw .tooLong(bytes: bytes.count, limit: WalkLimits.trackBytesMax)
        }
        var reader = ByteReader(bytes)
        guard let version = try? reader.byte(), version == Self.version else {
            throw .unknownVersion
        }
        guard let count = try? reader.varint(), count <= UInt64(WalkLimits.pointsCountMax) else {
            throw .tooManyPoints(limit: WalkLimits.pointsCountMax)
        }
        var points: [TrackPoint] = []
        points.reserveCapacity(min(Int(count), reader.remaining / pointBytesMin))
        for index in 0..<Int(count) {
            guard let point = try? point(after: points.last, &reader) else {
                throw .badPoint(index: index)
            }
            points.append(point)
        }
        guard reader.isAtEnd else { throw .trailingBytes(count: reader.remaining) }
        return points
    }

    private static func point(
        after last: TrackPoint?, _ reader: inout ByteReader
    ) throws -> TrackPoint? {
        let flag = try reader.byte()
        let latitude = sum(last.map { Int64($0.latitudeE7) }, try reader.zigzag())
        let longitude = sum(last.map { Int64($0.longitudeE7) }, try reader.zigzag())
        let milliseconds = sum(last?.at.milliseconds, try reader.zigzag())
        guard flag <= 1, let latitude, let longitude,
            let at = milliseconds.flatMap({ Timestamp(exactly: $0) })
        else { return nil }
        return TrackPoint(
            latitudeE7: latitude, longitudeE7: longitude, at: at, startsSegment: flag == 1)
    }

    /// Returns a number that is encoded as the difference to an earlier one; nil if it has more
    /// than 64 bits.
    private static func sum(_ earlier: Int64?, _ difference: Int64) -> Int64? {
        let (sum, isOverflow) = (earlier ?? 0).addingReportingOverflow(difference)
        return isOverflow ? nil : sum
    }
}

/// The reason content is not a track, in the order of the checks.
enum TrackFault: SentenceError, Hashable, Sendable {
    /// The content is longer than a track can be.
    case tooLong(bytes: Int, limit: Int)
    /// The content begins with another version byte.
    case unknownVersion
    /// The content announces more points than a walk can have.
    case tooManyPoints(limit: Int)
    /// A point is cut off or out of range.
    case badPoint(index: Int)
    /// Bytes follow the last point.
    case trailingBytes(count: Int)

    /// A sentence for people about the fault.
    var sentence: Sentence {
        switch self {
        case .tooLong(let bytes, let limit):
            "The track has \(bytes) bytes; a track has at most \(limit)."
        case .unknownVersion: "The track was written by a newer version: update Waggle."
        case .tooManyPoints(let limit): "The track has more than \(limit) points."
        case .badPoint(let index): "Point \(index) of the track cannot be read."
        case .trailingBytes(let count): "The track has \(count) bytes too many."
        }
    }
}
