import Contract
import FeaturesAPI
import Location

extension NearbyList {
    /// Whether there are no people nearby.
    var isEmpty: Bool { count == 0 }

    private var count: Int { people.count + announced.count + unnamedCount.value }

    /// The number of people in one line.
    var summary: String {
        switch count {
        case 0: "Nobody is nearby"
        case 1: "1 person nearby"
        case let count: "\(count) people nearby"
        }
    }

    /// The number of people who show no name and are not linked; nil if there are none.
    var unnamedTitle: String? {
        let count = unnamedCount.value
        guard count > 0 else { return nil }
        let more = people.isEmpty && announced.isEmpty ? "" : " more"
        return count == 1 ? "1\(more) person" : "\(count)\(more) people"
    }
}

extension NearbyList.Person {
    /// The name with that of the dog, as far as each is known.
    /// - Parameter isOnlyUnnamed: whether no other person is without a name; two of them are told
    ///   apart by their keys.
    func title(isOnlyUnnamed: Bool = true) -> String {
        let names = [name?.string ?? (mate ? suffix.string : nil), dogName?.string]
            .compactMap { $0 }
        guard names.isEmpty else { return names.joined(separator: " · ") }
        return isOnlyUnnamed ? "Someone nearby" : "Someone nearby (\(suffix))"
    }

    /// Whether nothing is known by which to call them.
    var isUnnamed: Bool { name == nil && dogName == nil && !mate }

    /// The distance, the direction and how long they have been here, as far as each is known.
    /// - Parameter known: the distance and direction by the location that they share.
    func detail(way known: String?, now: Timestamp) -> String {
        let distance = distanceMetres.flatMap { DistanceText.text(metres: $0.value) }
        let direction = bearingDegrees.flatMap { CompassPoint(degrees: $0.value) }.map(\.name)
        let way = [distance, distance == nil ? nil : direction].compactMap { $0 }
        let stay = now - sinceMs
        return [
            isUnnamed ? "Name hidden" : nil, way.isEmpty ? known : way.joined(separator: " "),
            stay < .seconds(60) ? "here just now" : "here for \(AgeText.span(stay))",
            dropOpen ? "waiting for a drop" : nil,
        ].compactMap { $0 }.joined(separator: " · ")
    }
}

/// One of the eight main directions.
enum CompassPoint: Int, CaseIterable {
    case north, northEast, east, southEast, south, southWest, west, northWest

    /// The direction nearest to an angle.
    /// - Parameter degrees: from north, clockwise; nil results if it is not finite.
    init?(degrees: Double) {
        guard degrees.isFinite else { return nil }
        let turn = degrees.truncatingRemainder(dividingBy: 360)
        let step = ((turn < 0 ? turn + 360 : turn) / 45).rounded()
        self.init(rawValue: Int(step) % Self.allCases.count)
    }

    /// The direction in words.
    var name: String {
        switch self {
        case .north: "north"
        case .northEast: "north-east"
        case .east: "east"
        case .southEast: "south-east"
        case .south: "south"
        case .southWest: "south-west"
        case .west: "west"
        case .northWest: "north-west"
        }
    }
}

extension Visibility {
    /// Whether strangers nearby see my names now.
    var isForEveryone: Bool { level == .everyone }
}
