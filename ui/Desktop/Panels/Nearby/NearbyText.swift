import Contract
import FeaturesAPI
import Location

extension NearbyList {
    /// The number of people in one line.
    var summary: String {
        switch people.count + announcedNames.count + unnamedCount.value {
        case 0: "Nobody is nearby"
        case 1: "1 person nearby"
        case let count: "\(count) people nearby"
        }
    }

    /// The people who are announced and not linked yet: those who show a name by their name, and
    /// the number of the others; nil if there are none.
    var unlinkedText: String? {
        let sentences = [announcedText, unnamedText].compactMap { $0 }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// The maximum number of names in a sentence.
    private static let namesCountMax = 3

    private var announcedText: String? {
        var names = announcedNames.prefix(Self.namesCountMax).map(\.string)
        let rest = announcedNames.count - names.count
        if rest > 0 { names.append(rest == 1 ? "1 other" : "\(rest) others") }
        guard let last = names.popLast() else { return nil }
        return names.isEmpty
            ? "\(last) is here, but not connected yet."
            : "\(names.joined(separator: ", ")) and \(last) are here, but not connected yet."
    }

    private var unnamedText: String? {
        let isFirst = people.isEmpty && announcedNames.isEmpty
        return switch unnamedCount.value {
        case 0: nil
        case 1: isFirst ? "They show no name." : "1 more person shows no name."
        default: "\(unnamedCount) \(isFirst ? "" : "more ")people show no name."
        }
    }
}

extension NearbyList.Person {
    /// The name with that of the dog, as far as each is known.
    var title: String {
        let names = [name?.string ?? (mate ? suffix.string : nil), dogName?.string]
            .compactMap { $0 }
        return names.isEmpty ? "Person nearby (\(suffix))" : names.joined(separator: " · ")
    }

    /// The distance, the direction and how long they have been here, as far as each is known.
    func detail(now: Timestamp) -> String {
        let distance = distanceMetres.flatMap { DistanceText.text(metres: $0.value) }
        let direction = bearingDegrees.flatMap { CompassPoint(degrees: $0.value) }.map(\.name)
        let way = [distance, distance == nil ? nil : direction].compactMap { $0 }
        let stay = now - sinceMs
        return [
            way.isEmpty ? nil : way.joined(separator: " "),
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
