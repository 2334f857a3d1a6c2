internal import Chat
internal import Neighbours
internal import PluginKit
internal import Promises
internal import ProximityDrop
internal import Records

/// Some days of a few people who talk and promise: mostly nothing happens, and now and then
/// something goes wrong.
struct Days {
    /// What every node runs.
    static let plugins: [any Plugin.Type] = [
        Neighbours.self, ProximityDrop.self, Chat.self, Promises.self,
    ]
    /// How long people take to meet at the beginning.
    static let meeting: Duration = .seconds(240)
    /// After the last fault all must be well within this time.
    static let rest: Duration = .seconds(60)
    /// How often what must hold at any time is looked at.
    static let checkInterval: Duration = .seconds(1800)
    /// What goes wrong in these days: something every hour or so, and it lasts.
    private static let pace = Misfortune.Pace(
        pauseMilliseconds: 60_000...7_200_000, restartMilliseconds: 1000...1_200_000,
        without: [.leave], skewMilliseconds: [(2000, 3), (20_000, 1)])

    let world: World
    let days: Int
    let count: Int

    /// Plays it to the end.
    /// - Returns: a sentence with the figures.
    func play() async throws -> String {
        let book = DayBook()
        let people = try await settle()
        let residents = people.map { Resident($0, book) }
        let watch = PositionWatch(people, book, in: world)
        let checks = DayChecks(residents: residents, book: book, world: world)
        await meet(people)
        let end = Duration.seconds(86_400 * days)
        let evening = world.nowMs + Int64((end - world.time.now).components.seconds) * 1000
        book.with { $0.lastTimeMs = evening - PromiseArithmetic.pastSeconds * 1000 - 300_000 }
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

    /// Most of the people meet each other; everybody meets the first, so that nobody is alone.
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
        _ positions: PositionWatch
    ) async throws {
        let misfortune = Misfortune(
            residents.map(\.person), in: world, Self.pace,
            clockSet: { skewMs in book.with { $0.skewMs = max($0.skewMs, skewMs) } },
            restored: { person in
                book.doubt(person)
                positions.forget(person)
            })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await misfortune.strike(until: end) }
            group.addTask { await watch(checks, until: end) }
            for resident in residents {
                // Who is about to put the device away is given time to take it out again.
                group.addTask { await resident.live(until: end) }
                group.addTask { await resident.comeAndGo(until: end - .seconds(28_800)) }
            }
            for try await _ in group {}
        }
        for resident in residents { await resident.takeOut() }
    }

    private func watch(_ checks: DayChecks, until end: Duration) async {
        while world.time.now + Self.checkInterval < end {
            try? await world.time.sleep(for: Self.checkInterval)
            await checks.atAnyTime()
        }
    }
}
