import Contract
import MatchingAPI
import PanelKit

/// The people who look, on the map.
enum MatchingLayer {
    /// The id of the circle in which people are listed.
    static let circleID = "matching"
    private static let prefix = "matching-"

    /// Returns the layer: the people of the list who look and whose location is known, and the
    /// circle of 700 m around the user.
    /// - Parameter people: the entries of the list, which are drawn in its order.
    static func make(
        _ people: [MatchingPerson], entries: [PersonEntry], around centre: Coordinate?
    ) -> MapLayer {
        let byPerson = Dictionary(
            people.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        let markers = entries.compactMap { entry in
            byPerson[entry.person].flatMap { marker(of: $0, entry) }
        }
        let circles = centre.map {
            MapCircle(
                id: circleID, centre: $0, radiusMetres: MatchingCommands.distanceMetresMax)
        }
        return MapLayer(markers: markers, circles: circles.map { [$0] } ?? [])
    }

    /// Returns the person whose marker has an id.
    static func person(of id: String) -> Key? {
        id.hasPrefix(prefix) ? try? Key(String(id.dropFirst(prefix.count))) : nil
    }

    /// Returns the id of a person's marker: not their key, because the marker of a mate at the
    /// location that they share is more exact.
    static func markerID(of person: Key) -> String { prefix + person.string }

    private static func marker(of person: MatchingPerson, _ entry: PersonEntry) -> MapMarker? {
        guard person.state != .gone, let location = person.location else { return nil }
        return MapMarker(
            id: markerID(of: person.person), symbol: .person,
            coordinate: Coordinate(location.latitude, location.longitude), title: entry.name,
            detail: entry.wishes, name: entry.initials,
            offer: person.mate ? .person(person.person) : nil)
    }
}
