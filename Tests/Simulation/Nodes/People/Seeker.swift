internal import Discovery
internal import InterestsAPI
internal import PluginKit
internal import Records
internal import Synchronization
internal import TestSupport

/// A person who looks for company with one of their devices. The chosen interests, which all
/// devices of the person have, are kept outside of the nodes.
final class Seeker: Sendable {
    let node: SimulatedNode
    /// Whether this device is the one on which the person chooses interests.
    private let chooses: Bool
    private let world: World
    private let chance: Chance
    private let chosen = Mutex(Told<Set<Interest>>([]))

    /// The share of a person's deeds that are about interests, in per cent.
    private static let sharePercent = 7
    /// The number of interests that people in one world choose from: so few that many match.
    private static let poolCount = 14

    init(node: SimulatedNode, chooses: Bool, world: World) {
        (self.node, self.chooses, self.world) = (node, chooses, world)
        chance = Chance(seed: world.seed &* 160_481_183 &+ UInt64(node.place.number))
    }

    /// The interests that the person may have by the answers of commands.
    var possible: [Set<Interest>] { chosen.withLock { $0.values } }

    /// Sometimes chooses interests, looks or stops, or meets the match.
    func act(for owner: SimulatedPerson, among others: [SimulatedPerson]) async {
        guard chance.chance(Self.sharePercent), node.isUp,
            let status = try? await node.call(InterestsCommands.show)
        else { return }
        guard !status.chosen.isEmpty else { return await choose(owner) }
        guard status.looking else {
            return chance.chance(85) ? await look() : await choose(owner)
        }
        switch chance.number(1...10) {
        case 1: await choose(owner)
        case 2, 3:
            guard (try? await node.call(InterestsCommands.stop)) != nil else { return }
            world.count("looks ended")
        case 4: await look()
        default: if let match = status.match { await meet(match, owner, others) }
        }
    }

    private func look() async {
        guard (try? await node.call(InterestsCommands.look)) != nil else { return }
        world.count("looks")
    }

    private func choose(_ owner: SimulatedPerson) async {
        guard chooses else { return }
        var interests: Set<Interest> = []
        let count = chance.number(ChosenInterests.count.lowerBound...8)
        while interests.count < count {
            interests.insert(Self.pool(world.seed)[chance.number(0...Self.poolCount - 1)])
        }
        chosen.withLock { $0.attempt(interests) }
        let answer = await owner.told(
            InterestsCommands.choose,
            try .init(interest: ChosenInterests(interests.sorted { $0.index < $1.index })))
        guard answer != nil else { return }
        chosen.withLock { $0.settle(interests) }
        world.count("interests chosen")
    }

    /// The interests that people in the world of a seed choose from.
    private static func pool(_ seed: UInt64) -> [Interest] {
        let first = Int(seed % UInt64(Interest.count))
        return (0..<poolCount).map { Interest.allCases[(first + $0 * 5) % Interest.count] }
    }

    /// Lets both people say that they met, if each is the match of the other's first device.
    private func meet(
        _ match: InterestsStatus.Match, _ owner: SimulatedPerson, _ others: [SimulatedPerson]
    ) async {
        guard node === owner.node, !match.mate,
            let other = others.first(where: { match.isOf($0.node, in: world) }), other.node.isUp,
            let matchThere = try? await other.node.call(InterestsCommands.show).match,
            matchThere.isOf(node, in: world)
        else { return }
        world.count("bumps")
        async let mine: Void = bump(owner, with: other)
        async let theirs: Void = bump(other, with: owner)
        _ = await (mine, theirs)
    }

    private func bump(_ one: SimulatedPerson, with other: SimulatedPerson) async {
        try? await world.time.sleep(for: chance.duration(.zero ... .seconds(4)))
        guard await one.told(InterestsCommands.met) != nil else { return }
        await one.answerDrop(with: other)
    }
}

extension InterestsStatus.Match {
    /// Whether it names a device by its key or by the tag that it announces.
    func isOf(_ node: SimulatedNode, in world: World) -> Bool {
        if let device { return device == Key(node.device) }
        let announcement = world.network.announcement(at: node.place)
        return tag != nil && tag?.string == announcement?.tag.description
    }
}
