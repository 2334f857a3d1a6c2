import Contract
import FeaturesAPI
import Location
import PanelKit

extension NearbyList {
    /// Whether there are no people nearby.
    var isEmpty: Bool { count == 0 }

    private var count: Int { people.count + announced.count + unnamedCount.value }

    /// Shows these measured ways in place of all earlier ones.
    mutating func show(_ ways: [MeasuredWay]) {
        for index in people.indices {
            let way = ways.first { $0.device == people[index].device }
            people[index].distanceMetres = way?.distanceMetres
            people[index].uncertaintyMetres = way?.uncertaintyMetres
            people[index].turnDegrees = way?.turnDegrees
            people[index].ageSeconds = way?.ageSeconds
        }
    }

    /// The measured ways to people who are known, by person.
    func byPerson(_ ways: [MeasuredWay]) -> [Key: MeasuredWay] {
        let owners = Dictionary(
            people.compactMap { person in person.person.map { (person.device, $0) } },
            uniquingKeysWith: { first, _ in first })
        return Dictionary(
            ways.compactMap { way in owners[way.device].map { ($0, way) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The number of people in one line.
    var summary: String {
        switch count {
        case 0: localized("Nobody is nearby")
        case let count:
            localized(
                Sentence(
                    count: count, one: "1 person nearby",
                    other: "\(NumberText.grouped(count)) people nearby"))
        }
    }

    /// The number of people who show no name and are not linked; nil if there are none.
    var unnamedTitle: String? {
        let count = unnamedCount.value
        guard count > 0 else { return nil }
        let number = NumberText.grouped(count)
        return people.isEmpty && announced.isEmpty
            ? localized(Sentence(count: count, one: "1 person", other: "\(number) people"))
            : localized(
                Sentence(count: count, one: "1 more person", other: "\(number) more people"))
    }
}

extension NearbyList.Person {
    /// The name with that of the dog, as far as each is known.
    /// - Parameter isOnlyUnnamed: whether no other mate, or no other stranger, is without a name;
    ///   two of them are told apart by their keys.
    func title(isOnlyUnnamed: Bool = true) -> String {
        let names = [name?.string, dogName?.string].compactMap { $0 }
        guard names.isEmpty else { return names.joined(separator: " · ") }
        let words = mate ? localized("A mate without a name") : localized("Someone nearby")
        return isOnlyUnnamed ? words : "\(words) (\(suffix))"
    }

    /// Whether nothing is known by which to call them.
    var isUnnamed: Bool { name == nil && dogName == nil }

    /// The distance, the direction and how long they have been here, as far as each is known. Less
    /// than a minute is said only if there is nothing else.
    /// - Parameter known: the distance and direction by the location that they share.
    func detail(way known: String?, now: Timestamp) -> String {
        let stay = now - sinceMs
        let parts = [
            isUnnamed && !mate ? localized("Name hidden") : nil,
            measuredWay ?? known,
            stay < .seconds(60) ? nil : localized("here for \(AgeText.span(stay))"),
            isOpenToMeet ? localized("waiting for a drop") : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? localized("just arrived") : parts.joined(separator: " · ")
    }

    /// The measured way with its age, or the distance and direction of another origin.
    private var measuredWay: String? {
        if let ageSeconds {
            return MeasuredWay.text(
                distanceMetres: distanceMetres?.value, turnDegrees: turnDegrees?.value,
                ageSeconds: ageSeconds.value)
        }
        guard let distance = distanceMetres.flatMap({ DistanceText.text(metres: $0.value) }) else {
            return nil
        }
        let direction = bearingDegrees.flatMap { CompassPoint(degrees: $0.value) }.map(\.name)
        return [distance, direction].compactMap { $0 }.joined(separator: " ")
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
        case .north: localized("north")
        case .northEast: localized("north-east")
        case .east: localized("east")
        case .southEast: localized("south-east")
        case .south: localized("south")
        case .southWest: localized("south-west")
        case .west: localized("west")
        case .northWest: localized("north-west")
        }
    }
}

extension Visibility {
    /// Whether strangers nearby see my names now.
    var isForEveryone: Bool { level == .everyone }
}
