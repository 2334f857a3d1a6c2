internal import PluginKit

/// The progress of a person towards the location of a promise.
struct Approach: Hashable, Sendable {
    /// The remaining distance in metres.
    let remainingMetres: Double
    /// The part of the way that is done, from 0 to 1.
    let progress: Double

    /// The way from a departure to the location of a promise, for a person at a point now. Without
    /// a departure the way begins at that point.
    init(from start: Point?, at point: Point, to destination: Point) {
        remainingMetres = point.distanceMetres(to: destination)
        let wholeMetres = start?.distanceMetres(to: destination) ?? remainingMetres
        progress =
            wholeMetres == 0 ? 1 : min(max((wholeMetres - remainingMetres) / wholeMetres, 0), 1)
    }

    /// Whether the point is near enough to count as arrived.
    var hasArrived: Bool { remainingMetres < PromiseLimits.arrivalMetres }

    /// The remaining distance for a reader.
    var text: String? { DistanceText.text(metres: remainingMetres) }
}
