internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization

/// A person who uses their node: writes a profile, meets others, walks, blocks them. Everything
/// uses declared commands.
final class SimulatedPerson: Sendable {
    let node: SimulatedNode
    let ledger = Ledger()
    let world: World
    private let chance: Chance
    private let condition = Mutex(Condition())

    private struct Condition {
        var isIntroduced = false
        var hasLeft = false
        var wasFarOff = false
    }

    init(node: SimulatedNode, world: World) {
        self.node = node
        self.world = world
        chance = Chance(seed: world.seed &* 104_729 &+ UInt64(node.place.number))
    }

    var id: PersonID { node.person }

    /// Whether the person left for good.
    var hasLeft: Bool { condition.withLock { $0.hasLeft } }
    /// Records that the person leaves for good.
    func leave() { condition.withLock { $0.hasLeft = true } }

    /// Whether the person's clock was ever so wrong that they and others hold each other's batches.
    var wasFarOff: Bool { condition.withLock { $0.wasFarOff } }

    /// Sets the person's clock.
    func setClock(skew: Duration) {
        let isFar = max(skew, .zero - skew) > Self.nearSkew
        condition.withLock { $0.wasFarOff = $0.wasFarOff || isFar }
        node.skew.duration = skew
    }

    /// The largest error of two clocks that differ by less than a day.
    static let nearSkew = Duration.seconds(11 * 3600)

    private var key: JSONValue { .string(id.description) }

    /// Acts among others until the given time.
    func live(among people: [SimulatedPerson], until end: Duration) async {
        let others = people.filter { $0 !== self }
        while world.time.now < end {
            try? await world.time.sleep(for: chance.duration(.milliseconds(500) ... .seconds(12)))
            guard world.time.now < end, node.isUp else { continue }
            await introduce()
            await act(among: others)
        }
    }

    private enum Deed { case edit, meet, ask, answer, note, locate, show, unmate, block, unblock }

    private func act(among others: [SimulatedPerson]) async {
        let deed = chance.draw([
            (Deed.edit, 20), (.meet, 25), (.ask, 20), (.answer, 15), (.note, 10), (.locate, 5),
            (.show, 5), (.unmate, 3), (.block, 2), (.unblock, 2),
        ])
        switch deed {
        case .edit: await editProfile()
        case .meet: if let other = chance.one(of: others) { await meet(other) }
        case .ask: await askForWalk()
        case .answer: await answerWalk()
        case .note: await annotateWalk()
        case .locate: await setLocation()
        case .show: _ = await told("visibility", "everyone")
        case .unmate: await unmate()
        case .block: await block()
        case .unblock: await unblock()
        }
    }

    // MARK: - Commands

    /// Performs a command and records how far the own logs reach after it.
    /// - Returns: nil if the command was refused, or if its result is unknown.
    @discardableResult
    func told(
        _ noun: String, _ verb: String, _ arguments: [String: JSONValue] = [:]
    ) async -> JSONValue? {
        do {
            let answer = try await node.perform(noun, verb, arguments)
            ledger.mark(try await ownMarks())
            return answer
        } catch {
            return nil
        }
    }

    /// Returns the present ends of this device's own logs.
    func ownMarks() async throws -> [Ledger.Mark] {
        guard let replica = node.replica else { throw NodeIsGone() }
        var marks: [Ledger.Mark] = []
        for space in await replica.spaces() {
            let heads = await replica.heads(in: space.id)
            guard let own = heads.first(where: { $0.log.device == node.device }) else { continue }
            marks.append(Ledger.Mark(space: space.id, number: own.high, hash: own.headHash))
        }
        return marks
    }

    /// Writes a first profile, which is required for sharing a card; later calls have no effect.
    func introduce() async {
        let isNew = condition.withLock { condition in
            defer { condition.isIntroduced = true }
            return !condition.isIntroduced
        }
        guard isNew else { return }
        await write([
            "nickname": .string("Nick \(node.place.number)"), "age": 1,
            "dogName": .string("Dog \(node.place.number)"), "sex": "female", "neutered": true,
            "size": "small", "keywords": ["smart"],
        ])
    }

    private func editProfile() async {
        let number = chance.number(1...999)
        await write(
            chance.draw([
                (["nickname": .string("N\(number)")], 1), (["dogName": .string("D\(number)")], 1),
                (["age": .integer(Int64(number % 100))], 1),
                (["size": .string(number.isMultiple(of: 2) ? "big" : "medium")], 1),
            ]))
    }

    private func write(_ fields: [String: JSONValue]) async {
        ledger.attempt(fields)
        if await told("me", "edit", fields) != nil { ledger.settle(fields) }
    }

    private func setLocation() async {
        guard chance.chance(80) else { return _ = await told("location", "clear") }
        _ = await told(
            "location", "set",
            ["latitude": .number(37.5 + Double(chance.number(0...99)) / 1000), "longitude": 127.0])
    }

    // MARK: - Meeting

    /// Lets both people start a drop, read the other's card and answer.
    func meet(_ other: SimulatedPerson) async {
        async let mine: Void = drop(with: other)
        async let theirs: Void = other.drop(with: self)
        _ = await (mine, theirs)
    }

    /// Performs this side of a meeting.
    private func drop(with other: SimulatedPerson) async {
        let device = other.node.device.description
        guard await told("drop", "start", ["to": .string(device)]) != nil else { return }
        var isAnswered = false
        for _ in 0..<100 {
            try? await world.time.sleep(
                for: chance.duration(.milliseconds(300) ... .milliseconds(1500)))
            guard let session = try? await node.perform("drop", "show"),
                let phase = session["phase"]?.string
            else { return }
            switch phase {
            case "finding", "exchanging": continue
            case "deciding" where !isAnswered:
                isAnswered = true
                guard session["peer"]?["device"]?.string == device else { return }
                if chance.chance(90) {
                    ledger.accepts(other.id)
                    await told("drop", "accept")
                } else {
                    await told("drop", "decline")
                }
            case "deciding": continue
            default: return
            }
        }
    }

    private func unmate() async {
        guard let mate = await mates().randomElement(by: chance) else { return }
        await part(from: mate, sealing: [.card(id)], ["mates", "remove"])
    }

    private func block() async {
        guard let mate = await mates().randomElement(by: chance) else { return }
        await part(
            from: mate, sealing: [.card(id), .between(id, mate)], ["mates", "block"],
            ["reason": "other"])
    }

    /// Stops sharing with a person, who may not receive newer batches of these spaces. The
    /// command's own batch, at most one, is not for them either.
    private func part(
        from mate: PersonID, sealing spaces: [SpaceDescriptor], _ words: [String],
        _ more: [String: JSONValue] = [:]
    ) async {
        let before = await reaches(of: spaces)
        let arguments = more.merging(["person": .string(mate.description)]) { $1 }
        guard await told(words[0], words[1], arguments) != nil else { return }
        let after = await reaches(of: spaces)
        ledger.seals(
            mate,
            after.merging(before) { after, before in
                // If more was written, some of it may have been for them.
                after.merging(before) { $0 == $1 + 1 ? $1 : $0 }
            })
    }

    /// Returns the ends of the spaces' logs here.
    private func reaches(of spaces: [SpaceDescriptor]) async -> [SpaceID: [DeviceID: UInt64]] {
        guard let replica = node.replica else { return [:] }
        var reaches: [SpaceID: [DeviceID: UInt64]] = [:]
        for space in spaces {
            for head in await replica.heads(in: space.id) {
                reaches[space.id, default: [:]][head.log.device] = head.high
            }
        }
        return reaches
    }

    private func unblock() async {
        guard let answer = try? await node.perform("mates", "blocked"),
            let blocked = chance.one(of: answer["blocked"]?.array ?? []),
            let person = blocked["person"]?.string.flatMap({ PersonID($0) })
        else { return }
        ledger.unseals(person, SpaceDescriptor.between(id, person).id)
        await told("mates", "unblock", ["person": .string(person.description)])
    }

    private func mates() async -> [PersonID] {
        guard let answer = try? await node.perform("mates", "list") else { return [] }
        return (answer["mates"]?.array ?? []).filter { $0["state"] == "mate" }
            .compactMap { $0["person"]?.string.flatMap { PersonID($0) } }
            .sorted { $0.description < $1.description }
    }

    // MARK: - Walks

    private func askForWalk() async {
        guard let mate = await mates().randomElement(by: chance) else { return }
        let answer = await told(
            "walk", "ask",
            [
                "to": .string(mate.description), "latitude": 37.5, "longitude": 127.0,
                "message": .string("Walk \(chance.number(1...999))?"),
            ])
        if let walk = answer?["id"]?.string { ledger.asked(walk) }
    }

    private func answerWalk() async {
        guard let walk = await walks(where: { $0["direction"] == "received" }) else { return }
        let (verb, word) = chance.chance(70) ? ("accept", "accepted") : ("decline", "declined")
        if await told("walk", verb, ["id": .string(walk)]) != nil { ledger.answered(walk, word) }
    }

    private func annotateWalk() async {
        guard let walk = await walks(where: { _ in true }) else { return }
        let note = "\(node.name) says \(chance.number(1...999))"
        await told("walk", "note", ["id": .string(walk), "note": .string(note)])
    }

    private func walks(where isWanted: (JSONValue) -> Bool) async -> String? {
        guard let answer = try? await node.perform("walk", "list") else { return nil }
        let wanted = (answer["requests"]?.array ?? []).prefix(8).filter(isWanted)
        return chance.one(of: wanted)?["id"]?.string
    }
}

extension [PersonID] {
    fileprivate func randomElement(by chance: Chance) -> PersonID? { chance.one(of: self) }
}
