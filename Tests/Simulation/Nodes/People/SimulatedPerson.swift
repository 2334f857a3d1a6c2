internal import FeaturesAPI
internal import PluginKit
internal import ProximityDropAPI
internal import Records
internal import Replica
internal import Synchronization
internal import TestSupport

/// A person who uses their node: writes a profile, meets others, walks, blocks them. Everything
/// uses declared commands.
final class SimulatedPerson: Sendable {
    let node: SimulatedNode
    let ledger = Ledger()
    /// The photos that this person showed to mates.
    let photos: Photos
    /// The profile photos of this person.
    let portraits: Portraits
    /// This person's part in the neighbourhood.
    let neighbour: Neighbour
    /// The walks that this person recorded, on any device.
    let walks = WalkBook()
    /// The walks on the first device.
    let walker: Walker
    /// Looking for company with the first device.
    let seeker: Seeker
    let world: World
    private let chance: Chance
    private let condition = Mutex(Condition())

    private struct Condition {
        var isIntroduced = false
        var hasLeft = false
        var wasFarOff = false
        var cameBack = false
        var lostDevices: Set<DeviceID> = []
        var removedByWords: Set<DeviceID> = []
        var seconds: [SecondDevice] = []
    }

    init(node: SimulatedNode, world: World) {
        self.node = node
        self.world = world
        chance = Chance(seed: world.seed &* 104_729 &+ UInt64(node.place.number))
        photos = Photos(number: node.place.number, seed: world.seed)
        portraits = Portraits(number: node.place.number, seed: world.seed)
        neighbour = Neighbour(number: node.place.number, seed: world.seed)
        walker = Walker(node: node, book: walks, world: world)
        seeker = Seeker(node: node, chooses: true, world: world)
    }

    var id: PersonID { node.person }

    /// The other devices of this person: those that have not joined yet, those that joined, and
    /// those that were removed later.
    var seconds: [SecondDevice] { condition.withLock { $0.seconds } }
    /// Gives the person another device.
    func add(_ second: SecondDevice) { condition.withLock { $0.seconds.append(second) } }
    /// The nodes of the devices that are or were this person's, the first one first.
    var nodes: [SimulatedNode] { [node] + seconds.map(\.node).filter(\.hasPerson) }
    /// The keys of all devices, former ones too.
    var keys: Set<DeviceID> { Set(node.devices + seconds.flatMap(\.node.devices)) }

    /// Whether the person left for good.
    var hasLeft: Bool { condition.withLock { $0.hasLeft } }
    /// Records that the person leaves for good.
    func leave() { condition.withLock { $0.hasLeft = true } }

    /// Whether the person lost their device and came back by recovery words, or is about to.
    var cameBack: Bool { condition.withLock { $0.cameBack } }
    /// Records that the person lost their device, with all data that no other device has.
    func comesBack() {
        condition.withLock { $0.cameBack = true }
        losesMemory()
    }

    /// Records that the first device was replaced by an earlier state of itself, or by an empty
    /// one.
    func losesMemory() {
        ledger.void()
        walker.forget()
        condition.withLock { $0.removedByWords = [] }
    }

    /// The lost devices that the person removed by recovery words, or tried to.
    var lostDevices: Set<DeviceID> { condition.withLock { $0.lostDevices } }
    /// Records that the person is about to remove a lost device.
    func attemptRemoval(of lost: DeviceID) {
        condition.withLock { _ = $0.lostDevices.insert(lost) }
    }
    /// The lost devices whose removal was confirmed.
    var removedByWords: Set<DeviceID> { condition.withLock { $0.removedByWords } }
    /// Records that a lost device was removed.
    func confirmRemoval(of lost: DeviceID) {
        condition.withLock { _ = $0.removedByWords.insert(lost) }
    }

    /// The devices that are this person's now, the first one first, and what the person does with
    /// them.
    var present: [(node: SimulatedNode, walker: Walker, seeker: Seeker)] {
        guard !hasLeft else { return [] }
        return [(node, walker, seeker)]
            + seconds.filter { $0.isAdded && $0.removal == nil }.map {
                ($0.node, $0.walker, $0.seeker)
            }
    }

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

    /// Acts among others until the given time.
    func live(among people: [SimulatedPerson], until end: Duration) async {
        let others = people.filter { $0 !== self }
        while world.time.now < end {
            try? await world.time.sleep(for: chance.duration(.milliseconds(500) ... .seconds(12)))
            guard world.time.now < end, node.isUp else { continue }
            await introduce()
            await act(among: others)
            await photos.act(self) { await mates() }
            await portraits.act(self)
            await walker.act(for: self) { await mates() }
            await seeker.act(for: self, among: others)
            await neighbour.act(self)
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
        case .show: _ = await told(NearbyCommands.showToEveryone)
        case .unmate: await unmate()
        case .block: await block()
        case .unblock: await unblock()
        }
    }

    // MARK: - Commands

    /// Performs a command and records how far the own logs reach after it.
    /// - Returns: nil if the command was refused, or if its result is unknown.
    @discardableResult
    func told<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: @autoclosure () throws -> Request
    ) async -> Answer? {
        do {
            let answer = try await node.call(command, request())
            ledger.mark(try await ownMarks())
            return answer
        } catch {
            if error is AnswerMismatch { world.violated("\(node.name): \(error)") }
            return nil
        }
    }

    /// Performs a command without parameters in the same way.
    @discardableResult
    func told<Answer>(_ command: Command<NoParameters, Answer>) async -> Answer? {
        await told(command, NoParameters())
    }

    /// Returns the present ends of this device's own logs.
    func ownMarks() async throws -> [Ledger.Mark] {
        guard let replica = node.replica else { throw NodeIsGone() }
        var marks: [Ledger.Mark] = []
        // An open space is left with everything in it.
        for space in await replica.spaces() where space.descriptor.kind != .open {
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
        await write {
            try EditProfile(
                nickname: Nickname("Nick \(node.place.number)"),
                dogName: Text("Dog \(node.place.number)"), age: Whole(1), sex: .female,
                neutered: true, size: .small, keywords: DogKeywords([.smart]))
        }
    }

    private func editProfile() async {
        let number = chance.number(1...999)
        await write {
            chance.draw([
                (EditProfile(nickname: try Nickname("N\(number)")), 1),
                (EditProfile(dogName: try Text("D\(number)")), 1),
                (EditProfile(age: try Whole(number % 100)), 1),
                (EditProfile(size: number.isMultiple(of: 2) ? .big : .medium), 1),
            ])
        }
    }

    private func write(_ makeEdit: () throws -> EditProfile) async {
        do {
            let edit = try makeEdit()
            ledger.attempt(edit)
            if await told(ProfileCommands.edit, edit) != nil { ledger.settle(edit) }
        } catch {
            world.violated("\(node.name) cannot write a profile: \(error)")
        }
    }

    private func setLocation() async {
        guard chance.chance(80) else { return _ = await told(LocationCommands.clear) }
        _ = await told(
            LocationCommands.set,
            try .init(
                latitude: Latitude(37.5 + Double(chance.number(0...99)) / 1000),
                longitude: Longitude(127.0)))
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
        let device = Key(other.node.device)
        guard await told(DropCommands.start, .init(to: NameOrKey(device))) != nil else { return }
        await answerDrop(with: other)
    }

    /// Answers the drop that has begun on the first device, if it is with another person's first
    /// device.
    func answerDrop(with other: SimulatedPerson) async {
        let device = Key(other.node.device)
        var isAnswered = false
        for _ in 0..<100 {
            try? await world.time.sleep(
                for: chance.duration(.milliseconds(300) ... .milliseconds(1500)))
            guard let session = try? await node.call(DropCommands.show) else { return }
            switch session.phase {
            case .finding, .exchanging: continue
            case .deciding where !isAnswered:
                isAnswered = true
                guard session.peer?.device == device else { return }
                if session.meeting != nil { world.count("cards after a bump") }
                if chance.chance(90) {
                    ledger.accepts(other.id)
                    await told(DropCommands.accept)
                } else {
                    await told(DropCommands.decline)
                }
            case .deciding: continue
            default: return
            }
        }
    }

    private func unmate() async {
        guard let mate = await mates().randomElement(by: chance) else { return }
        await part(from: mate, sealing: [.card(id)]) {
            await told(MateCommands.remove, .init(person: NameOrKey(mate)))
        }
    }

    private func block() async {
        guard let mate = await mates().randomElement(by: chance) else { return }
        await part(from: mate, sealing: [.card(id), .between(id, mate)]) {
            await told(MateCommands.block, .init(person: NameOrKey(mate), reason: .other))
        }
    }

    /// Stops sharing with a person, who may not receive newer batches of these spaces. The
    /// command's own batch, at most one, is not for them either.
    private func part(
        from mate: PersonID, sealing spaces: [SpaceDescriptor], _ command: () async -> Done?
    ) async {
        let before = await reaches(of: spaces)
        guard await command() != nil else { return }
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
        guard let answer = try? await node.call(MateCommands.blocked),
            let person = chance.one(of: answer.blocked).map({ PersonID($0.person) })
        else { return }
        ledger.unseals(person, SpaceDescriptor.between(id, person).id)
        await told(MateCommands.unblock, .init(person: NameOrKey(person)))
    }

    /// Returns the mates that the first device shows, in the order of their keys.
    func mates() async -> [PersonID] {
        guard let answer = try? await node.call(MateCommands.list) else { return [] }
        return answer.mates.filter { $0.state == .mate }.map { PersonID($0.person) }
            .sorted { $0.description < $1.description }
    }

    // MARK: - Walks

    private func askForWalk() async {
        guard let mate = await mates().randomElement(by: chance) else { return }
        let answer = await told(
            WalkCommands.ask,
            try .init(
                to: NameOrKey(mate), latitude: Latitude(37.5), longitude: Longitude(127.0),
                message: Text("Walk \(chance.number(1...999))?")))
        if let walk = answer?.id { ledger.asked(walk.string) }
    }

    private func answerWalk() async {
        guard let request = await walks(where: { $0.direction == .received }) else { return }
        let walk = request.id
        let (command, word) =
            chance.chance(70)
            ? (WalkCommands.accept, "accepted") : (WalkCommands.decline, "declined")
        if await told(command, .init(id: RecordPrefix(walk))) != nil {
            ledger.answered(walk.string, of: PersonID(request.person), word)
        }
    }

    private func annotateWalk() async {
        guard let walk = await walks(where: { _ in true })?.id else { return }
        let note = "\(node.name) says \(chance.number(1...999))"
        await told(WalkCommands.note, try .init(id: RecordPrefix(walk), note: Text(note)))
    }

    private func walks(where isWanted: (WalkRequest) -> Bool) async -> WalkRequest? {
        guard let answer = try? await node.call(WalkCommands.list) else { return nil }
        let wanted = answer.requests.prefix(8).filter(isWanted)
        return chance.one(of: wanted)
    }
}

extension [PersonID] {
    fileprivate func randomElement(by chance: Chance) -> PersonID? { chance.one(of: self) }
}
