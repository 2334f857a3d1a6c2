public import Contract
public import FeaturesAPI

/// The user and the user's mates, as the node last reported them. The window keeps them up to date.
@MainActor
public final class People {
    /// The user; nil before the node has answered.
    public package(set) var me: MyProfile?
    /// The mates, and those whose answer to a drop is still missing.
    public package(set) var mates: [MateList.Mate] = [] {
        didSet {
            guard mates != oldValue else { return }
            names = Self.names(of: mates)
            photoTimes = Dictionary(
                mates.compactMap { mate in mate.photoMs.map { (mate.person, $0) } },
                uniquingKeysWith: max)
            confirmed = Set(mates.filter { $0.state == .mate }.map(\.person))
        }
    }
    /// The user's own location; nil before the node has answered.
    public package(set) var location: MyLocation?
    /// The name of each mate, by person: the user's own nickname for them, else theirs. Two mates
    /// with one name also show the end of their keys.
    public private(set) var names: [Key: String] = [:]
    /// The times at which mates chose their photos.
    private var photoTimes: [Key: Timestamp] = [:]
    /// The mates without those whose answer to a drop is still missing.
    private var confirmed: Set<Key> = []

    /// Creates an empty list.
    public init() {}

    /// The user's own location on the map; nil if none is known.
    public var myLocation: Coordinate? { location?.coordinate }

    /// Whether there is a mate whom the user can ask for something.
    public var hasMates: Bool { !confirmed.isEmpty }

    /// Returns whether a person is a mate, whom the user can ask for something.
    public func isMate(_ person: Key) -> Bool { confirmed.contains(person) }

    /// Returns the time at which the user or a mate chose their photo; nil if they have none.
    public func photoTime(of person: Key) -> Timestamp? {
        person == me?.person ? me?.photoMs : photoTimes[person]
    }

    /// Returns the name of a person: of a mate as in ``names``, else words for one without a name.
    public func name(of person: Key) -> String {
        names[person] ?? localized("Someone without a name")
    }

    /// The measured ways to people, by person, and the node's time at which they arrived.
    public package(set) var measured: (ways: [Key: MeasuredWay], at: Timestamp) = ([:], .min)

    /// Returns the measured way to a person in words; nil if it is not measured now.
    public func measuredWay(to person: Key, now: Timestamp) -> String? {
        guard now - measured.at <= RangingCommands.measuringDuration else { return nil }
        return measured.ways[person]?.text
    }

    /// Returns the distance from the user, in metres; nil if either location is not known.
    public func distance(to other: Coordinate?) -> Double? {
        guard let other, let mine = myLocation else { return nil }
        return mine.distanceMetres(to: other)
    }

    private static func names(of mates: [MateList.Mate]) -> [Key: String] {
        let uses = Dictionary(grouping: mates, by: \.displayName).mapValues(\.count)
        return Dictionary(
            mates.map { mate in
                let name = mate.displayName
                return (mate.person, uses[name] == 1 ? name : "\(name) · \(mate.suffix)")
            }, uniquingKeysWith: { first, _ in first })
    }
}
