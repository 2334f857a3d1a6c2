import Contract
import PanelKit
import WalkLogAPI

/// The ways of walks on the map.
enum WalkLayer {
    /// The id of the way that is being recorded.
    static let recordingID = "walk-log"
    /// The id of the position of a replay.
    static let positionID = "walk-log-position"

    /// Returns the parts of a way, between its pauses.
    static func parts(of places: [WalkTrack.Place]) -> [[Coordinate]] {
        var parts: [[Coordinate]] = []
        for place in places {
            if place.begins || parts.isEmpty { parts.append([]) }
            parts[parts.count - 1].append(place.coordinate)
        }
        return parts
    }

    /// Returns a track for each part of a way. One over 180° east has two, since the map ends
    /// there.
    static func tracks(of places: [WalkTrack.Place], id: String, title: String) -> [MapTrack] {
        parts(of: places).flatMap(splitAtMapEdge).map {
            MapTrack(id: id, title: title, locations: $0)
        }
    }

    /// Returns the marker of a replay's position.
    static func marker(of position: WalkReplay.Position) -> MapMarker {
        MapMarker(
            id: positionID, symbol: .position, coordinate: position.coordinate,
            title: WalkText.timeOfDay(position.time),
            detail: ShownDistance.text(metres: position.metres))
    }

    private static func splitAtMapEdge(_ part: [Coordinate]) -> [[Coordinate]] {
        var pieces: [[Coordinate]] = []
        for location in part {
            let last = pieces.last?.last
            if last.map({ abs($0.longitude - location.longitude) > 180 }) ?? true {
                pieces.append([])
            }
            pieces[pieces.count - 1].append(location)
        }
        return pieces
    }
}
