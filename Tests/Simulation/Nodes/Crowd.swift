internal import FeaturesAPI
internal import NodeAPI
internal import PluginKit
internal import Records
internal import TestSupport

/// Many people on one LAN. Each knows a few others. Checks that no node keeps links to all others,
/// and that idle nodes send little.
struct Crowd {
    /// The time in which everyone arrives, the time for meeting, and the idle time.
    static let arrival: Duration = .seconds(60)
    static let meetings: Duration = .seconds(90)
    static let idle: Duration = .seconds(60)
    /// The highest number of links besides those to mates.
    static let strangersMax = 8
    /// The highest rate of frames per link at an idle node, per second: a ping and an answer in
    /// each direction every fifteen seconds, and some questions for digests.
    static let idleFramesPerLinkMax = 0.5
    /// The highest additional rate per person on the LAN: each is tried again about once a minute,
    /// which costs a greeting and a refusal.
    static let idleFramesPerPersonMax = 0.05

    let world: World
    let count: Int

    /// Runs the scenario to its end.
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

    /// Lets everyone meet one or two of the people to whom their node has a link.
    private func meet(_ people: [SimulatedPerson], _ chance: Chance) async throws {
        let byDevice = Dictionary(
            people.map { ($0.node.device.description, $0) }, uniquingKeysWith: { $1 })
        await withTaskGroup(of: Void.self) { group in
            for person in people {
                let pause = chance.duration(.zero...Self.meetings / 2)
                group.addTask {
                    try? await world.time.sleep(for: pause)
                    let links = (try? await person.node.call(NodeCommands.status))?.links
                    let near = (links ?? []).compactMap { byDevice[$0.device.string] }
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
            let links = try await person.node.call(NodeCommands.status).links
            let mates = try await person.node.call(MateCommands.list).mates
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
