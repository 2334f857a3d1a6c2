internal import PluginKit
internal import Records

/// Many people on one LAN, of whom each knows a few: nobody keeps a link to everybody, and nodes
/// with nothing to say say little.
struct Crowd {
    /// How long everybody takes to arrive, to meet, and then is idle.
    static let arrival: Duration = .seconds(60)
    static let meetings: Duration = .seconds(90)
    static let idle: Duration = .seconds(60)
    /// Links that a node keeps beside its mates', at most.
    static let strangersMax = 8
    /// Frames that come to an idle node for each link it has, per second, at most: a ping and its
    /// answer each way in fifteen seconds, and a question for digests now and then.
    static let idleFramesPerLinkMax = 0.5
    /// The same for everybody around: where there is room each is tried again about once a minute,
    /// which is a greeting and a refusal.
    static let idleFramesPerPersonMax = 0.05

    let world: World
    let count: Int

    /// Plays it to the end.
    /// - Returns: a sentence with the figures.
    func play() async throws -> String {
        let chance = Chance(seed: world.seed &* 86_028_121)
        let people = try await arrive(chance)
        try await meet(people, chance)
        try await world.time.sleep(for: .seconds(60))
        let before = world.network.frameCounts
        try await world.time.sleep(for: Self.idle)
        let after = world.network.frameCounts
        let checks = Checks(
            people: people, world: world,
            collections: Scenario.plugins.flatMap { $0.manifest.collections })
        await checks.atAnyTime()
        await checks.atRest()
        return try await figures(people, before, after)
    }

    private func arrive(_ chance: Chance) async throws -> [SimulatedPerson] {
        var people: [SimulatedPerson] = []
        for number in 0..<count {
            let node = try SimulatedNode(number: number, in: world, plugins: Scenario.plugins)
            try await node.start()
            let person = SimulatedPerson(node: node, world: world)
            await person.introduce()
            people.append(person)
            try await world.time.sleep(for: Self.arrival / count)
        }
        return people
    }

    /// Everybody meets one or two of those they happen to have a link to.
    private func meet(_ people: [SimulatedPerson], _ chance: Chance) async throws {
        let byDevice = Dictionary(
            people.map { ($0.node.device.description, $0) }, uniquingKeysWith: { $1 })
        await withTaskGroup(of: Void.self) { group in
            for person in people {
                let pause = chance.milliseconds(0...Int(Self.meetings.components.seconds) * 500)
                group.addTask {
                    try? await world.time.sleep(for: pause)
                    let links = (try? await person.node.perform("status", "show"))?["links"]?.array
                    let near = (links ?? []).compactMap { $0["device"]?.string }
                        .compactMap { byDevice[$0] }
                    if let other = chance.one(of: near) { await person.meet(other) }
                }
            }
        }
    }

    private func figures(
        _ people: [SimulatedPerson], _ before: [Int: Int], _ after: [Int: Int]
    ) async throws -> String {
        var (linksMost, linksAll, matesAll, framesAll) = (0, 0, 0, 0)
        for person in people {
            let links = try await person.node.perform("status", "show")["links"]?.array ?? []
            let mates = try await person.node.perform("mates", "list")["mates"]?.array ?? []
            let number = person.node.place.number
            let frames = after[number, default: 0] - before[number, default: 0]
            if links.count > mates.count + Self.strangersMax {
                world.violated("\(person.node.name) has \(links.count) links, \(mates.count) mates")
            }
            let perSecond = Double(frames) / Double(Self.idle.components.seconds)
            let most =
                Self.idleFramesPerLinkMax * Double(links.count)
                + Self.idleFramesPerPersonMax * Double(count)
            if perSecond > most {
                world.violated("\(person.node.name) gets \(perSecond) frames a second when idle")
            }
            linksMost = max(linksMost, links.count)
            (linksAll, matesAll) = (linksAll + links.count, matesAll + mates.count)
            framesAll += frames
        }
        let perSecond = Double(framesAll) / Double(count) / Double(Self.idle.components.seconds)
        return "\(count) people: \(linksAll / count) links each and \(linksMost) at most, "
            + "\(matesAll) mates in all, \((perSecond * 100).rounded() / 100) frames per second "
            + "at an idle node"
    }
}
