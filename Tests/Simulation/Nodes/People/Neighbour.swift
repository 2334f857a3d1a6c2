internal import FeaturesAPI
internal import PluginKit
internal import Records
internal import Synchronization
internal import TestSupport

/// One person's part in a neighbourhood that others join too, and the posts they wrote there, kept
/// outside of the node.
final class Neighbour: Sendable {
    /// The neighbourhood that everybody may join.
    static let space = SpaceDescriptor.open(name: "seongsu")
    private static let place = "seongsu"
    /// The name as people type it.
    private static let typed = "Seongsu"
    /// One in so many deeds of a person is about the neighbourhood.
    private static let sharePercent = 30
    /// The posts that a person writes at most, far below the number that a day permits, so that a
    /// home that was restored cannot exceed it.
    private static let postsMax = 6

    private struct State {
        var count = 0
        var texts: Set<String> = []
        var hasLeft = false
        /// The texts of which it is unknown whether they were written or taken back.
        var uncertain: Set<String> = []
    }

    private let number: Int
    private let chance: Chance
    private let state = Mutex(State())

    init(number: Int, seed: UInt64) {
        self.number = number
        chance = Chance(seed: seed &* 49_979_687 &+ UInt64(number))
    }

    /// The posts that must be in the neighbourhood, as long as this person takes part.
    var texts: Set<String> { state.withLock { $0.texts.subtracting($0.uncertain) } }

    /// Whether this person ever left. What others have of their posts may end before the last one
    /// then, which only the person could pass on.
    var hasLeft: Bool { state.withLock { $0.hasLeft } }

    /// Sometimes joins, leaves, writes, changes a post or takes one back.
    func act(_ person: SimulatedPerson) async {
        guard chance.chance(Neighbour.sharePercent),
            let listed = try? await person.node.call(
                BoardPlugin.list, BoardPlugin.Place(Neighbour.place))
        else { return }
        guard listed.joined.contains(Neighbour.typed) else {
            guard chance.chance(80), let name = try? NeighbourhoodName(Neighbour.typed) else {
                return
            }
            let joined = await person.told(NeighbourhoodCommands.join, .init(name: name, yes: true))
            if joined != nil { person.world.count("neighbourhoods joined") }
            return
        }
        switch chance.number(1...20) {
        case 1...11: await write(person)
        case 12...15: await edit(person)
        case 16...19: await erase(person)
        default: await leave(person)
        }
    }

    private func write(_ person: SimulatedPerson) async {
        let text = state.withLock { state -> String? in
            guard state.count < Neighbour.postsMax else { return nil }
            state.count += 1
            return "post \(state.count) of \(number)"
        }
        guard let text else { return }
        await change([text], as: person, .init(text, in: Neighbour.place), BoardPlugin.write) {
            $0.texts.insert(text)
        }
    }

    private func edit(_ person: SimulatedPerson) async {
        guard let old = chance.one(of: texts.sorted()) else { return }
        let new = old + "!"
        await change(
            [old, new], as: person, .init(new, in: Neighbour.place, insteadOf: old),
            BoardPlugin.write
        ) {
            $0.texts.remove(old)
            $0.texts.insert(new)
        }
    }

    private func erase(_ person: SimulatedPerson) async {
        guard let old = chance.one(of: texts.sorted()) else { return }
        await change([old], as: person, .init(old, in: Neighbour.place), BoardPlugin.erase) {
            $0.texts.remove(old)
        }
    }

    /// Performs a command about posts. Until it has succeeded, nothing is known about them.
    private func change(
        _ texts: Set<String>, as person: SimulatedPerson, _ writing: BoardPlugin.Writing,
        _ command: Command<BoardPlugin.Writing, Done>, _ record: (inout State) -> Void
    ) async {
        state.withLock { $0.uncertain.formUnion(texts) }
        guard await person.told(command, writing) != nil else { return }
        person.world.count("neighbourhood posts changed")
        state.withLock { state in
            record(&state)
            state.uncertain.subtract(texts)
        }
    }

    /// Leaves. Posts that nobody else has are gone then.
    private func leave(_ person: SimulatedPerson) async {
        state.withLock { state in
            state.hasLeft = true
            state.uncertain.formUnion(state.texts)
        }
        guard let name = try? NeighbourhoodName(Neighbour.typed),
            await person.told(NeighbourhoodCommands.leave, .init(name: name)) != nil
        else { return }
        person.world.count("neighbourhoods left")
        state.withLock { $0.texts = [] }
    }
}
