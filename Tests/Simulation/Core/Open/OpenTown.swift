internal import Foundation
internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

/// People in a café who joined one open space: each is linked with mates and with at most eight
/// others. The exchange, the session, the codec and the replica are the product's; the links, the
/// clock and the people are simulated.
final class OpenTown {
    enum Event {
        case deliver(type: UInt8, payload: [UInt8], from: Int, to: Int, link: Int)
        case wake(Int)
        case store(node: Int, from: DeviceID, ask: LogAsk, piece: PassedRun)
        case lie(Int)
        case tend(Int)
        case relink(Int, Int)
    }

    static let descriptor = SpaceDescriptor.open(name: "seongsu-dong")
    static let begin = Timestamp(milliseconds: 1_700_000_000_000)

    let plan: OpenTownPlan
    let space = OpenTown.descriptor.id
    /// The honest nodes. Nodes with higher numbers are liars.
    var residents: [OpenResident] = []
    var liars: [OpenLiar] = []
    var nodeByDevice: [DeviceID: Int] = [:]
    var chance: SeededGenerator
    var events = EventQueue<Event>()
    var now: Int64 = 0
    var tally = Tally()
    private var linkNumber = 0

    var time: Duration { .milliseconds(now) }
    var wallTime: Timestamp { OpenTown.begin + time }

    init(_ plan: OpenTownPlan, directory: String, on executor: any SerialExecutor) async throws {
        self.plan = plan
        chance = SeededGenerator(seed: plan.seed)
        for node in 0..<plan.nodeCount {
            try await settle(node, "\(directory)/\(node)", executor)
        }
        let honest = residents.map(\.log)
        for number in 0..<plan.liarCount {
            let lie = OpenLiar.Lie.allCases[number % OpenLiar.Lie.allCases.count]
            let liar = try OpenLiar(
                lie, keyCount: plan.keysPerLiar, honest: honest, space: space,
                wallTime: OpenTown.begin, using: &chance)
            nodeByDevice[liar.key.id] = plan.nodeCount + number
            liars.append(liar)
        }
    }

    /// Founds a person with one device.
    static func person(
        using chance: inout SeededGenerator
    ) throws -> (key: DeviceKey, record: PersonRecord) {
        let key = DeviceKey(using: &chance)
        let founding = FoundingRecord(
            firstDevice: key.id, recoveryKey: RecoveryWords(using: &chance).key.publicKey)
        return (key, try PersonRecord(founding: founding, firstDevice: key))
    }

    private func settle(
        _ node: Int, _ directory: String, _ executor: any SerialExecutor
    ) async throws {
        let (key, record) = try OpenTown.person(using: &chance)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let replica = try Replica(
            path: directory + "/replica.db", key: key, collections: [.simulatedPost], views: [],
            randomness: SeededGenerator(seed: chance.next()), quota: StorageQuota(),
            diskSpace: EndlessDisk(), executor: executor)
        _ = try await replica.learn(record, wallTime: wallTime)
        try await replica.open(OpenTown.descriptor)
        guard let offer = replica.offer(of: space) else {
            throw Violation(.alive, "an open space is not offered")
        }
        nodeByDevice[key.id] = node
        residents.append(
            OpenResident(
                key: key, record: record, replica: replica,
                exchange: OpenExchange(space: space, digest: offer.digest, logs: offer.logs),
                revision: offer.revision))
    }

    // MARK: - Mates and links

    func device(of node: Int) -> DeviceID {
        node < residents.count ? residents[node].key.id : liars[node - residents.count].key.id
    }

    func person(of node: Int) -> PersonID {
        node < residents.count
            ? residents[node].record.person : liars[node - residents.count].record.person
    }

    /// Draws mates, and links everybody with mates and with others.
    func meet() async throws {
        let count = residents.count
        var others = [Int](repeating: 0, count: count + liars.count)
        for node in residents.indices {
            // A ring of mates keeps the town in one piece.
            befriend(node, (node + 1) % count)
            for _ in 2..<OpenTownPlan.matesPerNode { befriend(node, chance.number(0...count - 1)) }
        }
        for node in residents.indices { try await retain(node) }
        for node in residents.indices {
            for mate in residents[node].retained.sorted() { try await link(node, mate) }
        }
        let all = Array(0..<count + liars.count)
        for _ in 0..<OpenTownPlan.othersMax {
            for node in all.shuffled(using: &chance) {
                let other = all.randomElement(using: &chance) ?? 0
                guard other != node, others[node] < OpenTownPlan.othersMax,
                    others[other] < OpenTownPlan.othersMax,
                    node < count || other < count
                else { continue }
                if try await link(node, other) {
                    others[node] += 1
                    others[other] += 1
                }
            }
        }
        for node in residents.indices {
            events.plan(.tend(node), at: now + Int64(chance.number(1000...60_000)))
        }
        for liar in liars.indices { events.plan(.lie(liar), at: now + 1000) }
    }

    private func befriend(_ one: Int, _ other: Int) {
        guard one != other else { return }
        residents[one].retained.insert(other)
        residents[other].retained.insert(one)
    }

    private func retain(_ node: Int) async throws {
        let replica = residents[node].replica
        let people = residents[node].retained.sorted()
        for mate in people {
            _ = try await replica.learn(residents[mate].record, wallTime: wallTime)
        }
        await replica.retain(Set(people.map(person(of:))))
        let devices = await replica.retainedDevices()
        try await perform(residents[node].exchange.retain(devices, now: time), at: node)
    }

    /// Links two nodes.
    /// - Returns: false if they are linked already.
    @discardableResult
    func link(_ one: Int, _ other: Int) async throws -> Bool {
        guard linkEnd(at: one, with: other) == nil else { return false }
        linkNumber += 1
        let nonces = [Bytes16(chance.bytes(16)) ?? .zero, Bytes16(chance.bytes(16)) ?? .zero]
        for (index, (here, there)) in [(one, other), (other, one)].enumerated() {
            var session = SyncSession(localNonce: nonces[index], remoteNonce: nonces[1 - index])
            let digest =
                here < residents.count
                ? residents[here].exchange.digest : Bytes16(chance.bytes(16)) ?? .zero
            let effects = session.name(open: [space: digest])
            set(OpenTownLink(number: linkNumber, session: session), at: here, with: there)
            if here < residents.count, let channel = session.channel(of: space) {
                residents[here].exchange.linkBegan(device(of: there), channel: channel)
            }
            for case .send(let message) in effects { send(message, from: here, to: there) }
        }
        for node in [one, other] { await shareRoom(at: node) }
        return true
    }

    /// Tells a node's replica who is linked.
    private func shareRoom(at node: Int) async {
        guard node < residents.count else { return }
        let linked = Set(residents[node].links.keys.map(person(of:)))
        residents[node].linked = linked
        await residents[node].replica.share(among: linked)
    }

    /// Ends a link; what is under way on it is lost.
    func cut(_ one: Int, _ other: Int) async throws {
        for (here, there) in [(one, other), (other, one)] {
            set(nil, at: here, with: there)
            guard here < residents.count else { continue }
            try await perform(
                residents[here].exchange.linkEnded(device(of: there), now: time), at: here)
            await shareRoom(at: here)
        }
    }

    func linkEnd(at node: Int, with other: Int) -> OpenTownLink? {
        node < residents.count
            ? residents[node].links[other] : liars[node - residents.count].links[other]
    }

    func set(_ link: OpenTownLink?, at node: Int, with other: Int) {
        if node < residents.count {
            residents[node].links[other] = link
        } else {
            liars[node - residents.count].links[other] = link
        }
    }

    // MARK: - Time

    /// Runs all events up to a time.
    func run(until end: Int64) async throws {
        while let next = events.next(by: end) {
            now = max(now, next.milliseconds)
            try await handle(next.event)
        }
        now = end
    }

    private func handle(_ event: Event) async throws {
        switch event {
        case .deliver(let type, let payload, let from, let to, let link):
            guard linkEnd(at: to, with: from)?.number == link else { return }
            let message = try Message(type: type, payload: payload, sender: device(of: from))
            if to < residents.count {
                try await receive(message, bytes: payload.count, from: from, to: to)
            } else {
                receive(message, from: from, byLiar: to - residents.count)
            }
        case .wake(let node):
            guard residents[node].wake == now else { return }
            residents[node].wake = nil
            try await perform(residents[node].exchange.advance(now: time), at: node)
        case .store(let node, let from, let ask, let piece):
            try await store(piece, ask, from: from, at: node)
        case .lie(let liar):
            try await lie(liar)
            events.plan(.lie(liar), at: now + 1000)
        case .tend(let node):
            try await tend(node)
            events.plan(.tend(node), at: now + 60_000)
        case .relink(let one, let other): try await link(one, other)
        }
    }

    func send(_ message: Message, from: Int, to: Int) {
        guard var link = linkEnd(at: from, with: to) else { return }
        let payload = message.payload(sender: device(of: from))
        let latency = Int64(chance.number(OpenTownPlan.latency))
        link.lastArrival = max(link.lastArrival, now + latency)
        set(link, at: from, with: to)
        if from < residents.count { residents[from].bytes += payload.count + 5 }
        tally.count("messages")
        events.plan(
            .deliver(
                type: message.type, payload: payload, from: from, to: to, link: link.number),
            at: link.lastArrival)
    }
}
