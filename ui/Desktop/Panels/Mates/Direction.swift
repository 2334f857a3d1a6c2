import Foundation
import Location
import PanelKit

extension Coordinate {
    /// Returns the direction of another location as the nearest of the eight main directions; nil
    /// if they are the same.
    func direction(to other: Coordinate) -> CompassPoint? {
        let turn = (other.longitude - longitude + 540).truncatingRemainder(dividingBy: 360) - 180
        let (start, end) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let across = sin(turn * .pi / 180) * cos(end)
        let up = cos(start) * sin(end) - sin(start) * cos(end) * cos(turn * .pi / 180)
        guard across != 0 || up != 0 else { return nil }
        return CompassPoint(degrees: atan2(across, up) * 180 / .pi)
    }
}

extension People {
    /// Returns the distance and the direction of a location in words, such as "499 m north-east";
    /// nil if either location is not known.
    func way(to other: Coordinate?) -> String? {
        guard let other, let mine = myLocation,
            let distance = DistanceText.text(metres: mine.distanceMetres(to: other))
        else { return nil }
        return [distance, mine.direction(to: other)?.name].compactMap { $0 }.joined(separator: " ")
    }
}
