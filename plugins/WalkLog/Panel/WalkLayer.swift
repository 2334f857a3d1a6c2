import Contract
import PanelKit
import WalkLogAPI

/// The ways of walks on the map.
enum WalkLayer {
    /// The id of the way that is being recorded.
    static let recordingID = "walk-log"

    /// Returns a track for each part of a way, between its pauses.
    static func tracks(of places: [WalkTrack.Place], id: String, title: String) -> [MapTrack] {
        var parts: [[Coordinate]] = []
        for place in places {
            if place.begins || parts.isEmpty { parts.append([]) }
            parts[parts.count - 1].append(Coordinate(place.latitude, place.longitude))
        }
        return parts.map { MapTrack(id: id, title: title, locations: $0) }
    }
}
