internal import Chat
internal import Features
internal import PluginKit
internal import Promises
internal import ProximityDrop
internal import Records

/// Some days of a few people who write messages and make promises. Mostly nothing happens, and
/// faults are rare.
struct Days {
    /// The plugins of every node.
    static let plugins: [any Plugin.Type] = [
        CoreFeatures.self, ProximityDrop.self, Chat.self, Promises.self,
    ]
    /// The time for meeting at the start.
    static let meeting: Duration = .seconds(240)
    /// The time after the last fault within which all promises must hold.
    static let rest: Duration = .seconds(60)
    /// The interval of the checks at any time.
    static let checkInterval: Duration = .seconds(1800)
    /// The faults of these days: one every hour or so, with a long duration.
    private static let pace = Misfortune.Pace(
        pause: .seconds(60) ... .seconds(7200), restart: .seconds(1) ... .seconds(1200),
        without: [.leave], skews: [(.seconds(2), 3), (.seconds(20), 1)])

    let world: World
    let days: Int
    let count: Int

    /// Runs the scenario to its end.
    /// - Returns: a sentence with the figures.
    func play() async throws -> String {
        let book = DayBook()
        let people = try await settle()
        let residents = people.map { Resident($0, book) }
        let watch = LocationWatch(people, book, in: world)
        let checks = DayChecks(residents: residents, book: book, world: world)
        await meet(people)
        let end = Duration.seconds(86_400 * days)
        let evening = world.now + .seconds((end - world.time.now).components.seconds)
        book.with { $0.lastTime = evening - PromiseArithmetic.pastDelay - .seconds(300) }
        try await live(residents, until: end - Self.rest, book, checks, watch)
        try await world.time.sleep(for: Self.rest)
        await checks.atAnyTime()
        await checks.atRest()
        return withExtendedLifetime(watch) { "\(count) people for \(days) days" }
    }

    private func settle() async throws -> [SimulatedPerson] {
        var people: [SimulatedPerson] = []
        for number in 0..<count {
            let node = try SimulatedNode(number: number, in: world, plugins: Self.plugins)
            try await node.start()
            let person = SimulatedPerson(node: node, world: world)
            await person.introduce()
            people.append(person)
        }
        return people
    }

    /// Lets most people meet each other. All meet the first person, so that everyone has a mate.
    private func meet(_ people: [SimulatedPerson]) async {
        let chance = Chance(seed: world.seed &* 32_452_843)
        try? await world.time.sleep(for: .seconds(20))
        for (index, one) in people.enumerated() {
            for (later, other) in people.enumerated() where later > index {
                guard index == 0 || chance.chance(75) else { continue }
                await one.meet(other)
            }
        }
    }

    private func live(
        _ residents: [Resident], until end: Duration, _ book: DayBook, _ checks: DayChecks,
        _ locations: LocationWatch
    ) async throws {
        let misfortune = Misfortune(
            residents.map(\.person), in: world, Self.pace,
            clockSet: { skew in book.with { $0.skew = max($0.skew, skew) } },
            restored: { person in
                book.doubt(person)
                locations.forget(person)
            })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await misfortune.strike(until: end) }
            group.addTask { await watch(checks, until: end) }
            for resident in residents {
                // A person who is about to stop the device gets time to start it again.
                group.addTask { await resident.live(until: end) }
                group.addTask { await resident.comeAndGo(until: end - .seconds(28_800)) }
            }
            for try await _ in group {}
        }
        for resident in residents { await resident.startNode() }
    }

    private func watch(_ checks: DayChecks, until end: Duration) async {
        while world.time.now + Self.checkInterval < end {
            try? await world.time.sleep(for: Self.checkInterval)
            await checks.atAnyTime()
        }
    }
}
