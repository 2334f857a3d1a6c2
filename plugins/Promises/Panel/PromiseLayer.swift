import Contract
import PanelKit
import PromisesAPI

/// The open promise on the map.
enum PromiseLayer {
    /// A participant nearer than this to the location has arrived, in metres.
    static let arrivalMetres = 30.0

    /// The location of a promise and the participants on the way there with the way that is left,
    /// without a marker for this user, whom the map shows anyway.
    /// - Parameter passed: the time since the node reported the locations.
    static func make(
        for promise: PromiseSummary, people: [PromisePerson], passed: Duration
    ) -> MapLayer {
        var layer = MapLayer(
            markers: people.filter { !$0.me }.compactMap { marker(of: $0, passed: passed) })
        layer.markers.insert(flag(of: promise), at: 0)
        layer.circles = [
            MapCircle(
                id: promise.id.string, centre: Coordinate(promise.latitude, promise.longitude),
                radiusMetres: arrivalMetres)
        ]
        layer.ways = people.compactMap { way(of: $0, to: promise, passed: passed) }
        return layer
    }

    /// Returns the location of a promise as a flag.
    static func flag(of promise: PromiseSummary) -> MapMarker {
        let goal = Coordinate(promise.latitude, promise.longitude)
        return MapMarker(
            id: promise.id.string, symbol: .flag, coordinate: goal, title: promise.title.string,
            detail: promise.locationName?.string ?? "",
            offer: .location(goal, name: promise.locationName?.string))
    }

    /// Returns the way that is left for a person; nil if they have arrived, or if their location is
    /// not known or too old.
    private static func way(
        of person: PromisePerson, to promise: PromiseSummary, passed: Duration
    ) -> MapWay? {
        guard person.arrivedMs == nil, let location = person.location,
            .seconds(location.ageSeconds.value) + passed <= MapMarker.freshMax
        else { return nil }
        return MapWay(
            from: Coordinate(location.latitude, location.longitude),
            to: Coordinate(promise.latitude, promise.longitude))
    }

    private static func marker(of person: PromisePerson, passed: Duration) -> MapMarker? {
        guard let location = person.location else { return nil }
        let coordinate = Coordinate(location.latitude, location.longitude)
        let age = .seconds(location.ageSeconds.value) + passed
        return MapMarker(
            id: person.person.string, symbol: .person, coordinate: coordinate,
            title: PromiseText.name(person.name, of: person.person),
            detail: PromiseText.line(of: person, age: age),
            isStale: age > MapMarker.freshMax, offer: .person(person.person))
    }
}
