/// A recorded track: fixes in the order of their times.
public struct GPXTrack: Hashable, Sendable {
    /// The longest file that is read, in bytes.
    public static let bytesMax = 16 * 1024 * 1024
    /// The most points of one track.
    public static let pointsMax = 500_000

    /// The fixes; each has a time, and no time is before the one of the fix before.
    public let fixes: [Fix]

    /// Takes fixes as they were recorded. Those without a time are left out; the others are put in
    /// the order of their times.
    /// - Throws: ``GPXFault/noTimes`` where none is left.
    public init(_ fixes: [Fix]) throws(GPXFault) {
        let timed = fixes.filter { $0.atMs != nil }
        guard !timed.isEmpty else { throw .noTimes }
        self.fixes = timed.sorted { ($0.atMs ?? 0) < ($1.atMs ?? 0) }
    }

    /// Reads the track points, and where there are none the way points, of a GPX 1.0 or 1.1 file.
    /// - Throws: ``GPXFault``.
    public init(gpx bytes: [UInt8]) throws(GPXFault) {
        guard bytes.count <= GPXTrack.bytesMax else {
            throw .tooLong(bytes: bytes.count, limit: GPXTrack.bytesMax)
        }
        try self.init(try GPXReader.points(of: bytes))
    }

    /// The same track with its first fix at another time.
    /// - Parameter startMs: milliseconds since 1970.
    public func starting(at startMs: Int64) -> GPXTrack {
        guard let first = fixes.first?.atMs else { return self }
        return GPXTrack(moving: fixes, by: startMs &- first)
    }

    private init(moving fixes: [Fix], by milliseconds: Int64) {
        self.fixes = fixes.map { fix in
            Fix(
                point: fix.point, accuracyMetres: fix.accuracyMetres,
                atMs: fix.atMs.map { $0 &+ milliseconds })
        }
    }
}
