internal import Records

/// The faults around people: broken links, divided networks, killed nodes, changed clocks.
final class Misfortune: Sendable {
    private let world: World
    private let people: [SimulatedPerson]
    private let chance: Chance
    private let mix: Mix
    private let pace: Pace
    /// Receives the size of the error to which a clock was set.
    private let clockSet: @Sendable (Duration) -> Void
    /// Receives the person on whose node an older home was restored.
    private let restored: @Sendable (PersonID) -> Void

    /// The frequency of faults.
    struct Pace: Sendable {
        /// The pause between two faults; nil if each seed draws its own.
        var pause: ClosedRange<Duration>?
        /// The time for which an ended node is down.
        var restart = Duration.zero ... .seconds(60)
        var without: [Mishap] = []
        /// The errors of clocks, with weights; nil if the seed decides.
        var skews: [(Duration, Int)]?
    }

    /// The weights of the faults in one seed; each seed draws its own.
    private struct Mix {
        let weights: [(Mishap, Int)]
        let pause: ClosedRange<Duration>
        let latencies: [ClosedRange<Duration>]

        init(_ chance: Chance, _ pace: Pace) {
            weights =
                Mishap.allCases.map { ($0, chance.number(0...10)) }
                .filter { !pace.without.contains($0.0) } + [(.cut, 1)]
            let longest = chance.duration(.seconds(2) ... .seconds(30))
            pause = pace.pause ?? .milliseconds(100)...longest
            let slowest = chance.draw([(20, 5), (300, 3), (5000, 1)])
            latencies = [20, max(2, slowest / 4), slowest].map {
                .milliseconds(1) ... .milliseconds($0)
            }
        }
    }

    enum Mishap: CaseIterable {
        case cut, partition, oneWay, weather, kill, stop, skew, leave, copy, restore
    }

    /// One in this many seeds has clocks that are years off.
    private static let wildOneIn: UInt64 = 5
    /// One in this many seeds has restored backups.
    private static let restoresOneIn: UInt64 = 4
    /// An error of a clock that is years off.
    private static let tenYears = Duration.seconds(315_360_000)

    init(
        _ people: [SimulatedPerson], in world: World, _ pace: Pace = Pace(),
        clockSet: @escaping @Sendable (Duration) -> Void = { _ in },
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

    /// Causes faults until the given time, and ends them all then.
    func strike(until end: Duration) async throws {
        while true {
            let pause = min(chance.duration(mix.pause), end - world.time.now)
            try await world.time.sleep(for: pause)
            guard world.time.now < end else { break }
            try await happen(chance.draw(mix.weights))
        }
        try await mend()
    }

    /// Ends all faults except wrong clocks.
    private func mend() async throws {
        world.network.partition([])
        world.network.setWeather(.init())
        for person in people {
            for node in person.nodes where !person.hasLeft || node !== person.node {
                while node.isBusy { try await world.time.sleep(for: .milliseconds(100)) }
                try await restart(node)
            }
        }
    }

    /// All nodes, the first ones of all people first.
    private var nodes: [SimulatedNode] {
        people.map(\.node) + people.flatMap { $0.nodes.dropFirst() }
    }

    /// The positions of all nodes.
    private var places: [Int] { nodes.map(\.place.number) }

    private func happen(_ mishap: Mishap) async throws {
        world.trace.record("mishap: \(mishap)")
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
        world.network.setWeather(.init(latency: latency))
    }

    /// Returns a division into two halves, or sometimes into none.
    private func halves() -> Set<[Int]> {
        guard chance.chance(60) else { return [] }
        let part = Set(places.filter { _ in chance.chance(50) })
        return pairs { part.contains($0) != part.contains($1) }
    }

    /// Returns a division in which one node receives and is not received, or the other way round.
    private func oneWay() -> Set<[Int]> {
        let one = chance.one(of: places)
        let isHeard = chance.chance(50)
        return pairs { isHeard ? $1 == one : $0 == one }
    }

    private func pairs(_ isBlocked: (Int, Int) -> Bool) -> Set<[Int]> {
        var blocked: Set<[Int]> = []
        let places = places
        for one in places {
            for other in places where isBlocked(one, other) {
                blocked.insert([one, other])
            }
        }
        return blocked
    }

    private func kill() async throws {
        guard let node = chance.one(of: nodes), node.isUp else { return }
        try node.kill(saysGoodbye: chance.chance(70))
        restartLater(node)
    }

    private func stop() async throws {
        guard let node = chance.one(of: nodes), node.isUp else { return }
        try await node.stop()
        restartLater(node)
    }

    /// Restores an older database, or the whole older home, of a node; only in some seeds.
    private func restore() async throws {
        guard world.seed.isMultiple(of: Self.restoresOneIn), let one = chance.one(of: people) else {
            return
        }
        if one.node.isUp { try one.node.kill(saysGoodbye: true) }
        if try one.node.restoreCopy(whole: chance.chance(50)) {
            one.losesMemory()
            restored(one.id)
        }
        restartLater(one.node)
    }

    private func restartLater(_ node: SimulatedNode) {
        let pause = chance.duration(pace.restart)
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

    /// Lets one of four or more people leave for good.
    private func leave() async throws {
        guard people.count > 3, !people.contains(where: \.hasLeft), let one = chance.one(of: people)
        else { return }
        one.leave()
        try await one.node.stop()
    }

    /// Sets a clock; in most seeds by so little that no batch is held.
    private func skew() {
        guard let one = chance.one(of: people) else { return }
        var choices = [(Duration.seconds(2), 2), (.seconds(60), 2), (SimulatedPerson.nearSkew, 1)]
        if world.seed.isMultiple(of: Self.wildOneIn) {
            choices.append((Self.tenYears, 2))
        }
        let most = chance.draw(pace.skews ?? choices)
        let skew = chance.duration(.zero - most...most)
        world.trace.record("\(one.node.name) has a clock off by \(skew)")
        clockSet(max(skew, .zero - skew))
        one.setClock(skew: skew)
    }
}
