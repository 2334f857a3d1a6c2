internal import FeaturesAPI
internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization
internal import TestSupport

/// A person's second device: it asks mates for walks, until the first device removes it.
final class Phone: Sendable {
    let node: SimulatedNode
    private let owner: SimulatedPerson
    private let world: World
    private let chance: Chance
    private let state = Mutex(State())

    private struct State {
        /// The ends of the first device's own logs before it tried to remove this one.
        var before: [SpaceID: UInt64]?
        var isRemoved = false
    }

    /// One in so many seeds has people with phones.
    private static let phonesOneIn: UInt64 = 3

    init(of owner: SimulatedPerson, number: Int, in world: World, plugins: [any Plugin.Type])
        throws
    {
        node = try SimulatedNode(secondOf: owner.node, number: number, in: world, plugins: plugins)
        self.owner = owner
        self.world = world
        chance = Chance(seed: world.seed &* 86_028_121 &+ UInt64(number))
    }

    /// Returns the phones of some of these people; none in most seeds.
    static func some(
        of people: [SimulatedPerson], in world: World, plugins: [any Plugin.Type]
    ) throws -> [Phone] {
        guard world.seed % phonesOneIn == 1 else { return [] }
        return try people.prefix(2).enumerated().map { index, person in
            try Phone(of: person, number: people.count + index, in: world, plugins: plugins)
        }
    }

    /// Uses the phone until the given time, or removes it.
    func live(until end: Duration) async {
        while world.time.now < end {
            try? await world.time.sleep(for: chance.duration(.seconds(1) ... .seconds(12)))
            guard world.time.now < end else { return }
            if !node.isUp {
                do { try await node.start() } catch {
                    world.violated("\(node.name) does not start: \(error)")
                }
            } else if state.withLock({ $0.isRemoved }) {
                continue
            } else if chance.chance(6) {
                await remove()
            } else if chance.chance(40) {
                await ask()
            }
        }
    }

    private func ask() async {
        guard let list = try? await node.call(MateCommands.list) else { return }
        let mates = list.mates.filter { $0.state == .mate }.map(\.person.string).sorted()
        guard let mate = chance.one(of: mates) else { return }
        let walk = try? await node.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(mate), latitude: Latitude(37.5), longitude: Longitude(127.0),
                message: Text("From my phone \(chance.number(1...999))")))
        if walk != nil { world.count("walks by phone") }
    }

    /// Lets the first device remove this one. If its node is killed meanwhile, it is not known
    /// whether it did, and it is told again later.
    private func remove() async {
        guard let marks = try? await owner.ownMarks() else { return }
        let reached = Dictionary(
            marks.map { ($0.space, $0.number) }, uniquingKeysWith: { $1 })
        state.withLock { $0.before = $0.before ?? reached }
        do {
            _ = try await owner.node.call(
                DeviceCommands.remove,
                .init(device: NameOrKey(Key(node.device)), yes: true))
        } catch CommandFault.notFound where state.withLock({ $0.before != nil }) {
            world.trace.record("\(node.name) was removed before")
        } catch is NodeIsGone {
            return
        } catch {
            return state.withLock { $0.before = nil }
        }
        state.withLock { $0.isRemoved = true }
        world.count("phones removed")
    }

    /// Checks that a removed phone holds nothing that the first device wrote after the removal, and
    /// has no link.
    func check() async {
        let state = state.withLock { $0 }
        guard state.isRemoved, let before = state.before, !owner.ledger.isVoid,
            let replica = node.replica
        else { return }
        do {
            for space in await replica.spaces() {
                for head in await replica.heads(in: space.id)
                where head.log.device == owner.node.device && head.high > before[space.id] ?? 0 {
                    world.violated(
                        "\(node.name) was removed and holds what was written later in a "
                            + "\(space.descriptor.kind) space")
                }
            }
            let links = try await node.call(NodeCommands.status).links
            let others = links.filter { $0.person == Key(owner.id) }
            if !others.isEmpty { world.violated("\(node.name) was removed and has a link") }
            world.count("removed phones checked")
        } catch {
            world.trace.record("\(node.name) cannot be looked at: \(error)")
        }
    }
}
