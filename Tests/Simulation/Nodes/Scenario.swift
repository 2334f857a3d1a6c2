internal import Chat
internal import Features
internal import Interests
internal import PluginKit
internal import ProximityDrop
internal import Records
internal import TestSupport
internal import WalkLog

/// A scenario: some people, their nodes and events, all drawn from the seed.
struct Scenario {
    /// The time without faults and actions at the end of each round.
    static let rest: Duration = .seconds(60)
    /// The interval of the checks at any time.
    static let checkInterval: Duration = .seconds(10)

    /// The plugins of every node.
    static let plugins: [any Plugin.Type] = [
        CoreFeatures.self, ProximityDrop.self, AlbumPlugin.self, Chat.self, Interests.self,
        WalkLog.self, BoardPlugin.self,
    ]
    /// The position of the first person's second device; the next person's follows.
    private static let firstSecondPlace = 100
    /// The share of people with a second device, in per cent.
    private static let secondsPercent = 40

    let world: World
    let minutes: Int
    let count: Int

    /// Runs the scenario to its end.
    /// - Returns: a sentence with the figures.
    func play() async throws -> String {
        let people = try await settle()
        let checks = Checks(
            people: people, world: world,
            collections: Self.plugins.flatMap { $0.manifest.collections }, usesAllPlugins: true)
        let intruder = Intruder(among: people, in: world)
        try giveSecondDevices(to: people)
        let comeback = Comeback(among: people, in: world)
        var minutesLeft = minutes
        while minutesLeft > 0 {
            let round = min(minutesLeft, 4)
            minutesLeft -= round
            try await live(
                people, intruder, comeback, for: .seconds(60 * round) - Self.rest, checks)
        }
        return "\(count) people for \(minutes) minutes"
    }

    private func settle() async throws -> [SimulatedPerson] {
        let chance = Chance(seed: world.seed &* 179_424_673)
        var people: [SimulatedPerson] = []
        for number in 0..<count {
            let node = try SimulatedNode(number: number, in: world, plugins: Self.plugins)
            people.append(SimulatedPerson(node: node, world: world))
            // After the first three, people join at random times.
            let joins =
                number < 3 || chance.chance(70) ? .zero : chance.duration(.zero ... .seconds(150))
            try await begin(node, after: joins)
        }
        return people
    }

    /// Gives some people a second device, which is about to join.
    private func giveSecondDevices(to people: [SimulatedPerson]) throws {
        let chance = Chance(seed: world.seed &* 32_452_843 &+ 7)
        for person in people where chance.chance(Self.secondsPercent) {
            _ = try SecondDevice(
                of: person, number: Self.firstSecondPlace + person.node.place.number, in: world)
        }
    }

    private func begin(_ node: SimulatedNode, after pause: Duration) async throws {
        guard pause > .zero else { return try await node.start() }
        Task {
            try await world.time.sleep(for: pause)
            try await node.start()
        }
    }

    /// Runs a round: actions and faults, then a rest after which all promises must hold.
    private func live(
        _ people: [SimulatedPerson], _ intruder: Intruder?, _ comeback: Comeback?,
        for duration: Duration, _ checks: Checks
    ) async throws {
        let end = world.time.now + duration
        let misfortune = Misfortune(people, in: world)
        let seconds = people.flatMap(\.seconds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await misfortune.strike(until: end) }
            group.addTask { await watch(checks, intruder, until: end + Self.rest) }
            if let intruder { group.addTask { await intruder.act(until: end) } }
            if let comeback { group.addTask { try await comeback.live(until: end) } }
            for person in people {
                group.addTask { await person.live(among: people, until: end) }
            }
            for second in seconds { group.addTask { try await second.live(until: end) } }
            for try await _ in group {}
        }
        await checks.atAnyTime()
        await checks.atRest()
        for second in seconds { await second.check(among: people) }
    }

    private func watch(_ checks: Checks, _ intruder: Intruder?, until end: Duration) async {
        while world.time.now + Self.checkInterval < end {
            try? await world.time.sleep(for: Self.checkInterval)
            await checks.atAnyTime()
            await intruder?.check()
        }
        try? await world.time.sleep(for: end - world.time.now)
    }
}
