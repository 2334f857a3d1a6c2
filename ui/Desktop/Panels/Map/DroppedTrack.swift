import Contract
import Location
import OpenFormats
import PanelKit

/// A recorded track that was dropped on the window, as the map shows it.
struct DroppedTrack: Equatable, Sendable {
    /// The ending of files in GPX, which can be played.
    static let gpxEnding = "gpx"
    /// The ending of files in GeoJSON.
    static let geoJSONEnding = "geojson"

    /// The largest number of locations that the map draws; a longer track has every nth one.
    static let locationsMax = 2000

    /// The path of the file.
    let path: String
    /// The locations that are drawn, in order.
    let locations: [Coordinate]
    /// The length of the whole track in metres, without the gaps between its parts.
    let lengthMetres: Double
    /// The time from the first to the last location; nil if the track has no times.
    let time: Duration?

    /// Creates a track from that of a file.
    init(path: String, track: Track) {
        self.path = path
        let fixes = track.fixes
        let step = max((fixes.count + Self.locationsMax - 2) / (Self.locationsMax - 1), 1)
        let drawn = stride(from: 0, to: fixes.count, by: step).map { fixes[$0] }
        let last = (fixes.count - 1).isMultiple(of: step) ? [] : fixes.suffix(1)
        locations = (drawn + last).compactMap {
            Coordinate(latitude: $0.point.latitude, longitude: $0.point.longitude)
        }
        lengthMetres = track.lengthMetres
        let times = fixes.compactMap(\.at)
        time = times.min().flatMap { first in times.max().map { $0 - first } }
    }

    /// Reads a file away from the main loop.
    /// - Throws: ``CommandFault`` if it cannot be read, is no regular file or has no points, or
    ///   ``GPXFault`` or ``FormatFault``.
    @concurrent static func read(_ path: String) async throws -> DroppedTrack {
        let bytes = try DroppedFile.bytes(of: path, bytesMax: GPXTrack.bytesMax)
        let track = isGPX(path) ? try Track(gpx: bytes) : try Track(geoJSON: bytes)
        guard !track.segments.isEmpty else {
            throw CommandFault.failed("The track has no points." as Sentence)
        }
        return DroppedTrack(path: path, track: track)
    }

    private static func isGPX(_ path: String) -> Bool {
        path.lowercased().hasSuffix(".\(gpxEnding)")
    }

    /// Whether the node can play it as this device's location.
    var isPlayable: Bool { time != nil && Self.isGPX(path) }

    /// The name of the file.
    var name: String { DroppedFile.name(of: path) }

    /// The length, and the time if it is known, such as "3.20 km in 1 h 5 min".
    var text: String {
        let length = DistanceText.text(metres: lengthMetres) ?? ""
        return time.map { length + localized(" in \(AgeText.spanInTwoUnits($0))") } ?? length
    }
}
