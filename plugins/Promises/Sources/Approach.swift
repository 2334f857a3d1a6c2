internal import PluginKit

/// How somebody comes nearer to the place.
struct Approach: Hashable, Sendable {
    /// Metres that are left.
    let remainingMetres: Double
    /// How much of the way is done, from 0 to 1.
    let progress: Double

    /// The way from where somebody departed to the place, being at a point now. Without a
    /// departure the way begins where they are.
    init(from start: Point?, at point: Point, to place: Point) {
        remainingMetres = point.distanceMetres(to: place)
        let wholeMetres = start?.distanceMetres(to: place) ?? remainingMetres
        progress =
            wholeMetres == 0 ? 1 : min(max((wholeMetres - remainingMetres) / wholeMetres, 0), 1)
    }

    /// Whether it is near enough to have arrived.
    var hasArrived: Bool { remainingMetres < PromiseLimits.arrivalMetres }

    /// The distance as people read it.
    var text: String? { DistanceText.text(metres: remainingMetres) }
}
