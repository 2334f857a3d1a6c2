/// A recorded track: fixes in the order of their times.
public struct GPXTrack: Hashable, Sendable {
    /// The length of the longest accepted file, in bytes.
    public static let bytesMax = 16 * 1024 * 1024
    /// The largest number of points of a track.
    public static let pointsMax = 500_000

    /// The fixes. Each has a time, and the times do not decrease.
    public let fixes: [Fix]

    /// Creates a track from recorded fixes. Fixes without a time are omitted; the others are sorted
    /// by time.
    /// - Throws: ``GPXFault/noTimes`` if no fix has a time.
    public init(_ fixes: [Fix]) throws(GPXFault) {
        let timed = fixes.filter { $0.at != nil }
        guard !timed.isEmpty else { throw .noTimes }
        self.fixes = timed.sorted { ($0.at ?? .min) < ($1.at ?? .min) }
    }

    /// Reads a GPX 1.0 or 1.1 file: its track points, or its way points if it has no track points.
    /// - Throws: ``GPXFault``.
    public init(gpx bytes: [UInt8]) throws(GPXFault) {
        try self.init(try GPXTrack.content(gpx: bytes).segments.flatMap { $0 })
    }

    /// Returns the name and the parts of the tracks of a GPX file.
    /// - Throws: ``GPXFault``.
    public static func content(gpx bytes: [UInt8]) throws(GPXFault) -> GPXContent {
        guard bytes.count <= GPXTrack.bytesMax else {
            throw .tooLong(limit: GPXTrack.bytesMax)
        }
        return try GPXReader.content(of: bytes)
    }

    /// Returns the same track with its first fix at another time.
    public func starting(at start: Timestamp) -> GPXTrack {
        guard let first = fixes.first?.at else { return self }
        return GPXTrack(moving: fixes, by: start - first)
    }

    private init(moving fixes: [Fix], by span: Duration) {
        self.fixes = fixes.map { fix in
            Fix(
                point: fix.point, accuracyMetres: fix.accuracyMetres,
                at: fix.at.map { $0 + span })
        }
    }
}
