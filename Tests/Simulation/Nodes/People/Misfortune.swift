internal import Records

/// What goes wrong around people: links break, networks fall apart, nodes are killed, clocks jump.
final class Misfortune: Sendable {
    private let world: World
    private let people: [SimulatedPerson]
    private let chance: Chance
    private let mix: Mix
    private let pace: Pace
    /// Takes how far off a clock was set, in milliseconds.
    private let clockSet: @Sendable (Int64) -> Void
    /// Takes under whose node an older home was put back.
    private let restored: @Sendable (PersonID) -> Void

    /// How often things go wrong, and what never does.
    struct Pace: Sendable {
        /// Between two mishaps; nil where each seed draws its own.
        var pauseMilliseconds: ClosedRange<Int>?
        /// How long a node that ended is away.
        var restartMilliseconds = 0...60_000
        var without: [Mishap] = []
        /// How far off clocks are set, with weights; nil where the seed says.
        var skewMilliseconds: [(Int, Int)]?
    }

    /// How often each thing happens in one seed, as weights; each seed draws its own.
    private struct Mix {
        let weights: [(Mishap, Int)]
        let pauseMilliseconds: ClosedRange<Int>
        let latencies: [ClosedRange<Int>]

        init(_ chance: Chance, _ pace: Pace) {
            weights =
                Mishap.allCases.map { ($0, chance.number(0...10)) }
                .filter { !pace.without.contains($0.0) } + [(.cut, 1)]
            let pause = chance.number(2000...30_000)
            pauseMilliseconds = pace.pauseMilliseconds ?? 100...pause
            let slowest = chance.draw([(20, 5), (300, 3), (5000, 1)])
            latencies = [1...20, 1...max(2, slowest / 4), 1...slowest]
        }
    }

    enum Mishap: CaseIterable {
        case cut, partition, oneWay, weather, kill, stop, skew, leave, copy, restore
    }

    /// One in so many seeds has clocks that are years off.
    private static let wildOneIn: UInt64 = 5
    /// One in so many seeds has backups that are put back.
    private static let restoresOneIn: UInt64 = 4
    /// Ten years, in milliseconds.
    private static let tenYearsMilliseconds = 315_360_000_000

    init(
        _ people: [SimulatedPerson], in world: World, _ pace: Pace = Pace(),
        clockSet: @escaping @Sendable (Int64) -> Void = { _ in },
        restored: @escaping @Sendable (PersonID) -> Void = { _ in }
    ) {
        self.people = people
        self.world = world
        self.pace = pace
        self.clockSet = clockSet
        self.restored = restored
        chance = Chance(seed: world.seed &* 15_485_863 &+ 11)
        mix = Mix(chance, pace)
    }

    /// Lets things go wrong until the time given, and mends them all at the end.
    func strike(until end: Duration) async throws {
        while true {
            let pause = min(chance.milliseconds(mix.pauseMilliseconds), end - world.time.now)
            try await world.time.sleep(for: pause)
            guard world.time.now < end else { break }
            try await happen(chance.draw(mix.weights))
        }
        try await mend()
    }

    /// From here on nothing is wrong any more but the clocks.
    private func mend() async throws {
        world.network.partition([])
        world.network.setWeather(.init())
        for person in people where !person.hasLeft {
            while person.node.isBusy { try await world.time.sleep(for: .milliseconds(100)) }
            try await restart(person.node)
        }
    }

    private func happen(_ mishap: Mishap) async throws {
        world.trace.note("mishap: \(mishap)")
        world.count("mishaps")
        switch mishap {
        case .cut: chance.one(of: world.network.wires)?.cut()
        case .partition: world.network.partition(halves())
        case .oneWay: world.network.partition(oneWay())
        case .weather: changeWeather()
        case .kill: try await kill()
        case .stop: try await stop()
        case .skew: skew()
        case .leave: try await leave()
        case .copy: try chance.one(of: people)?.node.keepCopy()
        case .restore: try await restore()
        }
    }

    private func changeWeather() {
        guard let latency = chance.one(of: mix.latencies) else { return }
        world.network.setWeather(.init(latencyMilliseconds: latency))
    }

    /// Two parts that reach each other no more; now and then, all are together again.
    private func halves() -> Set<[Int]> {
        guard chance.chance(60) else { return [] }
        let part = Set(people.indices.filter { _ in chance.chance(50) })
        return pairs { part.contains($0) != part.contains($1) }
    }

    /// One who hears others and is not heard, or the other way round.
    private func oneWay() -> Set<[Int]> {
        let one = chance.number(0...people.count - 1)
        let isHeard = chance.chance(50)
        return pairs { isHeard ? $1 == one : $0 == one }
    }

    private func pairs(_ isBlocked: (Int, Int) -> Bool) -> Set<[Int]> {
        var blocked: Set<[Int]> = []
        for one in people.indices {
            for other in people.indices where isBlocked(one, other) { blocked.insert([one, other]) }
        }
        return blocked
    }

    private func kill() async throws {
        guard let node = chance.one(of: people)?.node, node.isUp else { return }
        try node.kill(saysGoodbye: chance.chance(70))
        restartLater(node)
    }

    private func stop() async throws {
        guard let node = chance.one(of: people)?.node, node.isUp else { return }
        try await node.stop()
        restartLater(node)
    }

    /// One of some seeds: yesterday's database, or the whole home, is put back under a node.
    private func restore() async throws {
        guard world.seed.isMultiple(of: Self.restoresOneIn), let one = chance.one(of: people) else {
            return
        }
        if one.node.isUp { try one.node.kill(saysGoodbye: true) }
        if try one.node.restoreCopy(whole: chance.chance(50)) {
            one.ledger.void()
            restored(one.id)
        }
        restartLater(one.node)
    }

    private func restartLater(_ node: SimulatedNode) {
        let pause = chance.milliseconds(pace.restartMilliseconds)
        Task {
            try await world.time.sleep(for: pause)
            try await restart(node)
        }
    }

    private func restart(_ node: SimulatedNode) async throws {
        do { try await node.start() } catch {
            world.violated("\(node.name) does not start: \(error)")
        }
    }

    /// Of four and more, one may go away for good.
    private func leave() async throws {
        guard people.count > 3, !people.contains(where: \.hasLeft), let one = chance.one(of: people)
        else { return }
        one.leave()
        try await one.node.stop()
    }

    /// A clock is set off: on most seeds so little that nobody has to wait for what it dates.
    private func skew() {
        guard let one = chance.one(of: people) else { return }
        var choices = [(2000, 2), (60_000, 2), (SimulatedPerson.nearMilliseconds, 1)]
        if world.seed.isMultiple(of: Self.wildOneIn) {
            choices.append((Self.tenYearsMilliseconds, 2))
        }
        let most = chance.draw(pace.skewMilliseconds ?? choices)
        let skew = Int64(chance.number(-most...most))
        clockSet(abs(skew))
        one.setClock(skewMilliseconds: skew)
    }
}
