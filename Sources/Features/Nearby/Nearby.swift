internal import FeaturesAPI
internal import PluginKit

/// People nearby, and the visibility of my names.
actor Nearby: Feature {
    private let context: PluginContext
    /// Rings when visibility ends earlier.
    private let alarm: Alarm
    /// The time, on the uptime clock, until which everyone sees my names; nil while only mates see
    /// them.
    private var visibleUntil: Duration? { didSet { alarm.ring() } }

    /// The duration of "visible to everyone".
    static let everyoneDuration = Duration.seconds(600)

    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, events: [NearbyEvents.changed.declaration],
        announces: AnnouncedName.allCases.map(\.field),
        services: [.nearby, .visibility, .mates, .ranging])

    /// Creates the feature.
    init(context: PluginContext, alarm: Alarm) {
        self.context = context
        self.alarm = alarm
    }

    func tick() async throws {
        if let end = visibleUntil, context.clock.uptime >= end { try await hideFromEveryone() }
    }

    func untilDue() -> Duration? { visibleUntil.map { $0 - context.clock.uptime } }

    /// Announces my names again while everyone sees them.
    func myCardChanged() async throws {
        if visibleUntil != nil { try await announceNames() }
    }

    /// Tells followers to query the people nearby again.
    func nearbyChanged() async throws {
        await context.publish(NearbyEvents.changed, NearbyChange(part: .people))
    }

    /// Tells followers to query the people nearby again, because names may be hidden now.
    func mutedWordsChanged() async throws { try await nearbyChanged() }

    /// Answers `nearby list`: one entry for each device that can be distinguished.
    func list() async throws -> NearbyList {
        var list = try await people()
        guard list.people.isEmpty, list.announced.isEmpty, list.unnamedCount.value == 0 else {
            return list
        }
        list.emptyReason = try await context.nearby.reasonNobodyIsSeen().map {
            NearbyList.EmptyReason(cause: $0.cause, fix: $0.fix, command: $0.command)
        }
        return list
    }

    /// Returns the people whose devices are linked, as far as they are known.
    func persons() async throws -> Set<PersonID> {
        Set(try await people().people.compactMap(\.person).map { PersonID($0) })
    }

    /// Returns the people nearby, without the reason if there are none.
    private func people() async throws -> NearbyList {
        let names = try await context.core.names()
        let mates = try await context.replica.people(in: SharedViews.mates)
        let blocked = try await context.blockedPeople()
        let measured = try await measuredWays()
        let muted = try await context.replica.mutedWords()
        var people: [NearbyList.Person] = []
        var (announced, unnamed): ([NearbyList.Announced], Int) = ([], 0)
        // Anybody may announce a tag that another device announces; the first one counts.
        var tags: Set<AnnouncedTag> = []
        for someone in try await context.nearby.people() {
            if let person = someone.person, blocked.contains(person) { continue }
            guard let device = someone.device else {
                if let entry = Self.announced(
                    someone, names: names, mates: mates, muted: muted)
                {
                    if tags.insert(entry.tag).inserted { announced.append(entry) }
                } else {
                    unnamed += 1
                }
                continue
            }
            people.append(
                Self.entry(
                    someone, device, names: names, mates: mates, muted: muted,
                    measured: measured[device]))
        }
        return NearbyList(people: people, announced: announced, unnamedCount: unnamed)
    }

    /// Returns the measured way to each device.
    private func measuredWays() async throws -> [DeviceID: MeasuredWay] {
        let now = context.clock.uptime
        return try await context.ranging.measurements().mapValues {
            MeasuredWay($0, name: nil, now: now)
        }
    }

    /// Returns the names of the people in the list, by the digits of their device or tag.
    func names() async throws -> [String: String] {
        let list = try await people()
        return Dictionary(
            list.people.compactMap { person in
                person.name.map { (person.device.string, $0.string) }
            } + list.announced.map { ($0.tag.string, $0.name.string) }
        ) { first, _ in first }
    }

    /// Returns the entry of a person whose device is not linked; nil without a name.
    private static func announced(
        _ someone: NearbyPerson, names: [PersonID: String], mates: Set<PersonID>,
        muted: MutedWords
    ) -> NearbyList.Announced? {
        let known = someone.person.flatMap { names[$0] }
        guard let tag = someone.tag,
            let name = known ?? AnnouncedName.nickname.text(in: someone.announced, muted)
        else { return nil }
        return NearbyList.Announced(
            tag: tag, name: name,
            dogName: AnnouncedName.dogName.text(in: someone.announced, muted),
            mate: someone.person.map(mates.contains) ?? false, isOpenToMeet: someone.isOpenToMeet,
            sinceMs: someone.since, trouble: someone.trouble)
    }

    private static func entry(
        _ someone: NearbyPerson, _ device: DeviceID, names: [PersonID: String],
        mates: Set<PersonID>, muted: MutedWords, measured: MeasuredWay?
    ) -> NearbyList.Person {
        let known = someone.person.flatMap { names[$0] }
        let announced = AnnouncedName.nickname.text(in: someone.announced, muted)
        return NearbyList.Person(
            device: Key(device), person: someone.person.map { Key($0) },
            suffix: someone.person.map { KeySuffix($0) } ?? KeySuffix(device),
            name: known ?? announced,
            dogName: AnnouncedName.dogName.text(in: someone.announced, muted),
            mate: someone.person.map(mates.contains) ?? false,
            isOpenToMeet: someone.isOpenToMeet,
            distanceMetres: someone.distanceMetres, bearingDegrees: someone.bearingDegrees,
            measured: measured, sinceMs: someone.since, trouble: someone.trouble)
    }

    /// Answers `visibility show`.
    func visibility() -> Visibility {
        guard let visibleUntil, visibleUntil > context.clock.uptime else {
            return Visibility(level: .mates)
        }
        let left = visibleUntil - context.clock.uptime
        return Visibility(level: .everyone, secondsLeft: left.secondsRoundedUp)
    }

    /// Performs `visibility everyone`; repeating it restarts the ten minutes.
    func showToEveryone() async throws -> Visibility {
        guard try await context.core.myCard().nickname != nil else {
            throw CommandFault.refused(
                "There is no name to show yet: give yourself a nickname with 'me edit'.")
        }
        visibleUntil = context.clock.uptime + Self.everyoneDuration
        try await announceNames()
        try await context.nearby.setVisible(true)
        await context.publish(NearbyEvents.changed, NearbyChange(part: .visibility))
        return visibility()
    }

    /// Performs `visibility mates`.
    func showToMates() async throws -> Visibility {
        try await hideFromEveryone()
        return visibility()
    }

    /// Ends visibility to everyone.
    private func hideFromEveryone() async throws {
        visibleUntil = nil
        try await context.nearby.setVisible(false)
        await context.publish(NearbyEvents.changed, NearbyChange(part: .visibility))
    }

    /// Announces the names of my card, which does not contain a dog's name that is kept private.
    private func announceNames() async throws {
        let card = try await context.core.myCard()
        for name in AnnouncedName.allCases {
            try await context.nearby.announce(name.key, name.text(in: card).flatMap(name.bytes))
        }
    }
}
