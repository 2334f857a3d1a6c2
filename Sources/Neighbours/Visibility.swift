internal import PluginKit

/// Who is near, and who sees my names.
extension Neighbours {
    /// How long "visible to everyone" lasts.
    static let everyoneDuration = Duration.seconds(600)

    /// Answers `nearby list`: one entry per device that can be told apart.
    func listNearby() async throws -> JSONValue {
        let names = try await names()
        let mates = Set(try await mates().filter(\.isMate).map(\.person))
        var people: [JSONValue] = []
        var unnamed = 0
        for someone in await context.nearby.people() {
            if let person = someone.person, try await isBlocked(person) { continue }
            guard let device = someone.device else {
                unnamed += 1
                continue
            }
            people.append(nearbyJSON(someone, device, names: names, mates: mates))
        }
        let reason = people.isEmpty && unnamed == 0 ? await context.nearby.emptyReason() : nil
        return .record([
            "people": .array(people),
            "emptyReason": reason.map { ["cause": .string($0.cause), "fix": .string($0.fix)] },
        ])
    }

    private func nearbyJSON(
        _ someone: NearbyPerson, _ device: DeviceID, names: [PersonID: String],
        mates: Set<PersonID>
    ) -> JSONValue {
        let known = someone.person.flatMap { names[$0] }
        let announced = someone.nickname.flatMap(TextRule.nickname.clip)
        return .record([
            "device": .string(device.description),
            "person": someone.person.map { .string($0.description) },
            "suffix": .string(someone.person?.suffix ?? device.suffix),
            "name": (known ?? announced).map { .string($0) },
            "dogName": someone.dogName.flatMap(TextRule.dogName.clip).map { .string($0) },
            "mate": .boolean(someone.person.map(mates.contains) ?? false),
            "dropOpen": .boolean(someone.dropOpen),
            "distanceMetres": someone.distanceMetres.map { .number($0) },
            "bearingDegrees": someone.bearingDegrees.map { .number($0) },
            "sinceMs": .integer(someone.sinceMilliseconds),
        ])
    }

    /// Answers `visibility show`.
    func showVisibility() -> JSONValue {
        guard let visibleUntil, visibleUntil > context.clock.uptime else {
            return ["level": "mates"]
        }
        let left = visibleUntil - context.clock.uptime
        let seconds = left.components.seconds + (left.components.attoseconds > 0 ? 1 : 0)
        return ["level": "everyone", "secondsLeft": .integer(seconds)]
    }

    /// Does `visibility everyone`; asking again begins the ten minutes anew.
    func showToEveryone() async throws -> JSONValue {
        guard try await myProfile().card.isComplete else {
            throw CommandFault.refused(
                "There is no name to show yet: give yourself a nickname and your dog's name with "
                    + "'me edit'.")
        }
        visibleUntil = context.clock.uptime + Self.everyoneDuration
        try await announceNames()
        await publish(["nearby"])
        return showVisibility()
    }

    /// Ends visibility to everyone.
    func hideFromEveryone() async {
        visibleUntil = nil
        await context.nearby.announce(.noNames)
        await publish(["nearby"])
    }

    /// Announces the names of my card.
    func announceNames() async throws {
        let card = try await myProfile().card.shown
        guard let nickname = card[ProfileField.nickname.name]?.string,
            let dogName = card[ProfileField.dogName.name]?.string
        else { return }
        await context.nearby.announce(.names(nickname: nickname, dogName: dogName))
    }
}
