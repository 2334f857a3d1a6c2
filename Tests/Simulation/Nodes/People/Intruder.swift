internal import FeaturesAPI
internal import Identity
internal import Links
internal import PluginKit
internal import Records
internal import Replica
internal import Sync
internal import Synchronization
internal import TestSupport

/// A dishonest neighbour: a host on the LAN that greets like a node and keeps no other rule, and a
/// mate's program that writes what no command writes.
///
/// One seed of three has one. All of its choices are its own, so the other seeds play as if there
/// were none.
final class Intruder: Sendable {
    private enum Misdeed: CaseIterable {
        /// Two links with one fresh key, the second with a lower count of starts.
        case fallingStarts
        /// The word that a link was replaced.
        case replacement
        /// Records of people, with entries that nobody of them signed.
        case records
        /// Announcements that repeat the tag of a device, with addresses of nobody and of others.
        case announcements
        /// Walk requests with chosen times, written past the commands.
        case walks
        /// Questions of many strangers whether they can be dialled.
        case dialBacks
    }

    private struct State {
        var generator: SeededGenerator
        /// The keys and the people it showed.
        var devices: [DeviceID] = []
        var people: [PersonID] = []
        var forgedCount = 0
    }

    private let world: World
    private let people: [SimulatedPerson]
    private let chance: Chance
    private let place = Place(number: 199)
    private let state: Mutex<State>

    /// One seed in this many has an intruder.
    private static let oneIn = 3
    /// The announcements that it forges at once, and the addresses in each.
    private static let announcementsCount = 160, addressesCount = 4
    /// The walk requests that it writes at once.
    private static let walksCount = 60
    /// The strangers that ask to be dialled at once, and the questions of each.
    private static let askersMax = 6, questionsCount = 20

    /// Creates the intruder of a seed; nil if the seed has none.
    init?(among people: [SimulatedPerson], in world: World) {
        self.people = people
        self.world = world
        chance = Chance(seed: world.seed &* 32_452_843 &+ 5)
        state = Mutex(State(generator: SeededGenerator(seed: world.seed &* 49_979_687 &+ 3)))
        guard chance.number(1...Self.oneIn) == 1 else { return nil }
    }

    /// Acts until the given time, and takes its announcements back then.
    func act(until end: Duration) async {
        while true {
            let pause = min(
                chance.duration(.seconds(1) ... .seconds(20)), end - world.time.now
            )
            try? await world.time.sleep(for: pause)
            guard world.time.now < end else { break }
            guard let victim = chance.one(of: people), victim.node.isUp,
                let misdeed = chance.one(of: Misdeed.allCases)
            else { continue }
            world.trace.record("intruder: \(misdeed) at \(victim.node.name)")
            world.count("misdeeds")
            do { try await commit(misdeed, victim) } catch {
                world.trace.record("intruder: \(error)")
            }
        }
        world.network.withdrawForged()
    }

    private func commit(_ misdeed: Misdeed, _ victim: SimulatedPerson) async throws {
        switch misdeed {
        case .fallingStarts:
            let (key, person) = try stranger()
            let newer = try await greet(victim, as: key, person, startCount: 5)
            try await world.time.sleep(
                for: chance.duration(.milliseconds(10) ... .milliseconds(2000)))
            let older = try? await greet(victim, as: key, person, startCount: 1)
            try await world.time.sleep(
                for: chance.duration(.milliseconds(10) ... .milliseconds(5000)))
            for link in [newer, older].compactMap(\.self) { link.close(because: .closed) }
        case .replacement:
            let (key, person) = try stranger()
            let link = try await greet(victim, as: key, person, startCount: 1)
            try await send(.bye(.replaced), over: link)
            link.close(because: .closed)
        case .records: try await flood(victim)
        case .announcements: forgeAnnouncements()
        case .walks: try await forgeWalks(by: victim)
        case .dialBacks: try await askForDials(victim)
        }
    }

    // MARK: - Links

    private func stranger() throws -> (DeviceKey, PersonRecord) {
        try state.withLock { state in
            let key = DeviceKey(using: &state.generator)
            let words = RecoveryWords(using: &state.generator)
            let founding = FoundingRecord(firstDevice: key.id, recoveryKey: words.key.publicKey)
            state.devices.append(key.id)
            state.people.append(founding.person)
            return (key, try PersonRecord(founding: founding, firstDevice: key))
        }
    }

    private func nonce() -> Bytes16 {
        state.withLock { Bytes16($0.generator.bytes(16)) ?? .zero }
    }

    private func greet(
        _ victim: SimulatedPerson, as key: DeviceKey, _ person: PersonRecord, startCount: UInt64
    ) async throws -> SimulatedLink {
        let transport = SimulatedTransport(
            place: place, device: key.id, network: world.network)
        let link = try await world.network.connect(
            from: transport, to: victim.node.place.address, nil)
        // Clocks of strangers count for nobody.
        let ahead = Duration.seconds(chance.number(-36_000...36_000))
        let hello = Hello(
            bootID: nonce(), startCount: startCount, replicaEpoch: nonce(), nonce: nonce(),
            wallTime: world.now + ahead, port: 9, person: ClaimedPersonRecord(person))
        try await send(.hello(hello), over: link)
        link.helloAccepted(isKnown: false)
        return link
    }

    private func send(_ message: Message, over link: SimulatedLink) async throws {
        try await link.send(
            Frame(type: message.type, payload: message.payload(sender: link.ownDevice)))
    }

    // MARK: - Records

    /// Sends records of people whom the victim may know, in which keys of nobody remove their
    /// devices.
    private func flood(_ victim: SimulatedPerson) async throws {
        let (key, person) = try stranger()
        let link = try await greet(victim, as: key, person, startCount: 1)
        for _ in 0..<chance.number(1...20) {
            guard let known = chance.one(of: people),
                let record = await known.node.replica?.personRecord(known.id)
            else { continue }
            let bytes = try removals(from: record)
            try await send(.identity([ClaimedPersonRecord(bytes)]), over: link)
        }
        try await world.time.sleep(for: chance.duration(.milliseconds(10) ... .milliseconds(3000)))
        link.close(because: .closed)
    }

    private func removals(from record: PersonRecord) throws -> [UInt8] {
        let entries = try state.withLock { state in
            try (0..<8).map { _ in
                try DeviceEntry.removing(
                    record.founding.firstDevice, from: record.person,
                    by: DeviceKey(using: &state.generator)
                ).encoded
            }
        }
        var bytes = record.founding.encoded + record.foundingSignature.bytes
        bytes.append(varint: UInt64(entries.count))
        for entry in entries.sorted(by: { $0.lexicographicallyPrecedes($1) }) { bytes += entry }
        return bytes
    }

    // MARK: - Dials

    /// Lets several strangers ask again and again to be dialled.
    private func askForDials(_ victim: SimulatedPerson) async throws {
        for _ in 0..<chance.number(1...Self.askersMax) {
            let (key, person) = try stranger()
            let link = try await greet(victim, as: key, person, startCount: 1)
            for question in 0..<Self.questionsCount {
                let port = UInt16(chance.number(1...65_535))
                try await send(.dialBack(nonce: UInt64(question), port: port), over: link)
                world.count("questions for dials")
            }
            try await world.time.sleep(
                for: chance.duration(.milliseconds(10) ... .milliseconds(3000)))
            link.close(because: .closed)
        }
    }

    // MARK: - Announcements

    private func forgeAnnouncements() {
        let addresses = (0..<Self.announcementsCount).map { number in
            (0..<Self.addressesCount).map { index in
                index == 0 && number < people.count
                    ? people[number].node.place.address
                    : LinkAddress(host: "10.1.\(number).\(index + 1)", port: 7000)
            }
        }
        guard let victim = chance.one(of: people) else { return }
        world.network.forge(addresses, as: victim.node.place)
    }

    // MARK: - Walks

    /// Lets a mate's program write many walk requests to one person, with times of its choice.
    private func forgeWalks(by forger: SimulatedPerson) async throws {
        // Batches written in a restored home may be void.
        guard !forger.ledger.isVoid, let replica = forger.node.replica,
            let pair = chance.one(
                of: await replica.spaces().map(\.descriptor).filter { $0.kind == .pair }),
            case .pair(let one, let other) = pair
        else { return }
        for _ in 0..<Self.walksCount {
            let time = Int64(chance.number(0...1 << 42))
            let fields: [String: Value] = [
                "receiver": .bytes((one == forger.id ? other : one).bytes),
                "latitude": .real(37.5), "longitude": .real(127), "message": .text("Walk?"),
                "created_ms": .integer(time), "at_ms": .integer(time),
            ]
            try await forger.node.author(
                [.create(collection: "neighbours.walk/1", nonce: nonce(), fields: fields)],
                in: pair)
            world.count("forged walks")
        }
    }

    // MARK: - Checks

    /// The highest numbers of dials in a minute, in two windows of a node's: in all, for one
    /// expected device, and for strangers who ask for them.
    private static let dialsMax = 960, dialsPerDeviceMax = 500, dialsForStrangersMax = 48
    /// The walk requests that a list shows, in all and of one person and direction.
    private static let walksShownMax = 200, walksShownPerPersonMax = 50

    /// Checks that nothing of what it did was written down, believed, or dialled without limit.
    func check() async {
        checkDials()
        for person in people where person.node.isUp {
            do {
                try await checkMemory(of: person)
                try await checkWalks(of: person)
            } catch {
                continue
            }
        }
    }

    private func checkDials() {
        let strangers = Set(state.withLock { $0.devices })
        let most = world.network.drainBusiestMinutes(strangers: strangers)
        for (dials, limit, whom) in [
            (most.inAll, Self.dialsMax, "addresses"),
            (most.forOneDevice, Self.dialsPerDeviceMax, "addresses for one device"),
            (most.forStrangers, Self.dialsForStrangersMax, "strangers who asked for it"),
        ] where dials > limit {
            world.violated("a node dialled \(dials) \(whom) in a minute")
        }
    }

    private func checkMemory(of person: SimulatedPerson) async throws {
        let shown = state.withLock { ($0.devices, $0.people) }
        // A notice names a device or a person.
        let strangers = Set(shown.0.map(\.description) + shown.1.map(\.description))
        for row in try await person.node.rows("SELECT reference FROM neighbours_inbox") {
            guard let reference = row.text("reference"), strangers.contains(reference) else {
                continue
            }
            world.violated("\(person.node.name) was told of a stranger")
        }
        guard let replica = person.node.replica else { throw NodeIsGone() }
        for stranger in shown.1 where await replica.personRecord(stranger) != nil {
            world.violated("\(person.node.name) keeps the record of a stranger")
        }
        for other in people {
            guard let record = await replica.personRecord(other.id) else { continue }
            world.count("records of people checked")
            guard isTrue(record, of: other) else {
                world.violated("\(person.node.name) keeps false entries of \(other.node.name)")
                continue
            }
        }
    }

    /// Whether all entries of a record are about a person's own devices and signed by these or by
    /// the recovery key, and whether only those devices are removed that the person removed.
    private func isTrue(_ record: PersonRecord, of person: SimulatedPerson) -> Bool {
        let keys = person.keys
        let removable = Set(
            person.seconds.filter { $0.removal != nil }.flatMap(\.node.devices)
        ).union(person.lostDevices)
        return record.devices.union(person.lostDevices).contains(record.founding.firstDevice)
            && record.entries.allSatisfy { entry in
                let isSigned =
                    switch entry.signer {
                    case .recovery: true
                    case .device(let signer): keys.contains(signer)
                    }
                return isSigned && keys.contains(entry.device)
                    && (entry.kind == .add || removable.contains(entry.device))
            }
    }

    private func checkWalks(of person: SimulatedPerson) async throws {
        let listed = try await person.node.call(WalkCommands.list).requests
        let rows = try await person.node.rows(
            """
            SELECT DISTINCT s.person AS person FROM neighbours_walk w
            JOIN waggle_space s ON s.space = w.space
            WHERE s.person NOT IN (SELECT person FROM host_blocked)
            """)
        let mates = Dictionary(grouping: listed) { $0.person.string }
        let most =
            Dictionary(grouping: listed) { "\($0.person) \($0.direction)" }.values.map(\.count)
            .max() ?? 0
        if listed.count > Self.walksShownMax || most > Self.walksShownPerPersonMax {
            world.violated("\(person.node.name) lists \(listed.count) walks, \(most) of one person")
        }
        for row in rows {
            guard let mate = row.person("person"), mates[mate.description] == nil else { continue }
            world.violated("\(person.node.name) lists no walk of a person who asked for one")
        }
    }
}
