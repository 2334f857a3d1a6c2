internal import InterestsAPI
public import PluginKit

/// Shared interests: while a person looks, their interests are announced, and the person nearby who
/// shares most of them is found from the announcements of others.
///
/// The chosen interests are a record of this person's own space. That they look is only in memory:
/// after a restart nobody looks.
public actor Interests: Plugin {
    /// The declarations of the plugin, which are also its permissions.
    public static let manifest = Manifest(
        id: "interests", version: 1, collections: [choice],
        events: [InterestsEvents.changed.declaration],
        announces: [
            .init(announcedKey, bytesMax: InterestSet.bytesCount, shown: .whileSwitchedOn)
        ],
        services: [.nearby, .ranging])

    /// The chosen interests: their words, one record for each person.
    static let choice = RecordCollection(
        "interests.choice/1", table: "interests_choice", spaces: [.own], isOnePerPerson: true,
        fields: [
            .init(
                1, "words",
                .texts(countMax: ChosenInterests.count.upperBound, bytesMax: wordBytesMax),
                writer: .owner)
        ])

    /// The key of the announced field.
    static let announcedKey = "in"
    /// The limit of the word of an interest, in bytes.
    static let wordBytesMax = 24

    let context: PluginContext

    /// My interests; empty before I have chosen.
    private(set) var mine: [Interest] = []
    /// The time, on the uptime clock, until which I look; nil while I do not.
    private var lookingUntil: Duration?
    /// The match, found while I look.
    private(set) var finder = MatchFinder()
    private var detector = BumpDetector()
    /// Whether this plugin asks for measurements.
    var isMeasuring = false
    /// The measured distance to the match that was published last, in metres.
    var shownMetres: Double?
    /// Rings if looking begins, or ends sooner.
    private let alarm = Alarm()

    /// Creates the plugin with the services it may use.
    public init(context: PluginContext) { self.context = context }

    /// Whether a device announces interests that a person can have chosen.
    public static func isSwitchedOn(_ bytes: [UInt8], for key: String) -> Bool {
        InterestSet(announced: bytes) != nil
    }

    /// Ends looking when its time is over.
    public func run() async throws {
        try await context.replica.open(.own(context.me))
        try await readChoice()
        while true {
            try await alarm.wait(for: rest, on: context.clock)
            if let lookingUntil, context.clock.uptime >= lookingUntil { try await stopLooking() }
            try await measureMatch()
        }
    }

    private var rest: Duration {
        guard let lookingUntil else { return Self.restMax }
        let left = max(.zero, lookingUntil - context.clock.uptime)
        return finder.match == nil ? left : min(left, Self.measuringInterval)
    }

    private static let restMax = Duration.seconds(3600)

    /// Reads my interests again, which another of my devices may have changed.
    public func applied(_ changes: [RecordChange]) async throws {
        try await readChoice()
        await publish(.choice)
    }

    /// Looks for the match again.
    public func nearbyChanged() async throws { try await lookAround() }

    /// Meets the match if its device begins to touch this one.
    public func ranged(_ measurements: [RangeMeasurement]) async throws {
        for measurement in measurements { await receive(measurement) }
    }

    /// Whether I look now.
    var isLooking: Bool { timeLeft != nil }

    /// The time until looking ends; nil while I do not look.
    var timeLeft: Duration? {
        lookingUntil.map { $0 - context.clock.uptime }.flatMap { $0 > .zero ? $0 : nil }
    }

    /// Begins to look, or begins the ten minutes again.
    /// - Throws: ``CommandFault/refused(_:)`` before I have chosen interests.
    func startLooking() async throws {
        guard let set = InterestSet(mine) else {
            throw CommandFault.refused(
                "Choose 5 to 10 interests first: 'waggle interests list' shows all.")
        }
        try await context.nearby.announce(Self.announcedKey, set.bytes)
        try await context.nearby.setSwitch(Self.announcedKey, isOn: true)
        lookingUntil = context.clock.uptime + InterestsCommands.lookingDuration
        alarm.ring()
        try await lookAround()
        await publish(.looking)
    }

    /// Stops looking; my interests are announced no longer, and the match ends.
    func stopLooking() async throws {
        guard lookingUntil != nil else { return }
        lookingUntil = nil
        finder.clear()
        alarm.ring()
        try await context.nearby.setSwitch(Self.announcedKey, isOn: false)
        try await context.nearby.announce(Self.announcedKey, nil)
        await publish(.looking)
    }

    /// Returns whether the match's device begins to touch this one.
    func receiveMatchDistance(
        _ device: DeviceID, _ metres: Double, _ uncertaintyMetres: Double
    ) -> Bool {
        detector.receive(device, metres: metres, uncertaintyMetres: uncertaintyMetres)
    }

    func readChoice() async throws {
        let rows = try await context.replica.rows(
            "SELECT * FROM interests_choice WHERE creator = ?", [.bytes(context.me.bytes)])
        let words = rows.first?.texts("words") ?? []
        let interests = words.compactMap(Interest.init(rawValue:))
        // A changed program may have written another number of them.
        mine = (try? ChosenInterests(interests))?.interests ?? []
        guard isLooking else { return }
        guard let set = InterestSet(mine) else { return try await stopLooking() }
        try await context.nearby.announce(Self.announcedKey, set.bytes)
        try await lookAround()
    }

    /// Finds the match among the people nearby, and publishes it if it changed.
    private func lookAround() async throws {
        guard isLooking, InterestSet(mine) != nil else { return }
        let blocked = try await context.replica.people(in: SharedViews.blocked)
        let people = try await context.nearby.people()
        // Looking may have ended, or other interests may have been chosen, in the meantime.
        guard isLooking, let set = InterestSet(mine) else { return }
        let before = finder
        finder.update(
            people.lazy.compactMap { [me = context.me] in
                MatchFinder.Someone($0, me: me, blocked: blocked)
            }, mine: set, now: context.clock.wallTime)
        if finder.isShownOtherwise(than: before) { await publish(.people) }
        if (before.match == nil) != (finder.match == nil) { alarm.ring() }
    }

    func publish(_ part: InterestsChange.Part) async {
        await context.events.publish(InterestsEvents.changed, InterestsChange(part: part))
    }
}

extension MatchFinder.Someone {
    /// Reads what a person nearby announces; nil for this person, for a blocked one, and for
    /// anything else than 5 to 10 interests.
    init?(_ person: NearbyPerson, me: PersonID, blocked: Set<PersonID>) {
        guard let bytes = person.announced[Interests.announcedKey],
            let interests = InterestSet(announced: bytes), person.person != me,
            person.person.map({ !blocked.contains($0) }) ?? true
        else { return nil }
        self.init(
            device: person.device, person: person.person, tag: person.tag, interests: interests,
            distanceMetres: person.distanceMetres)
    }
}
