import Identity
import Records
import Testing

@testable import Replica

/// Devices that their person removes: what counts of them, on which replica, in any order.
struct RemovedDeviceTests {
    private let homes = Homes()
    /// A laptop, which founded the person, a phone and a watch.
    private let me: Someone
    private let mate: Someone

    init() throws {
        me = try Someone(seed: 1, deviceCount: 3)
        mate = try Someone(seed: 2)
    }

    private var pair: SpaceDescriptor { .between(me.person, mate.person) }
    private var phone: DeviceKey { me.devices[1] }
    private var watch: DeviceKey { me.devices[2] }

    /// Returns a log with notes, one in each batch.
    private func notes(
        _ count: Int, by key: DeviceKey, in space: SpaceDescriptor, first: Int = 1
    ) throws -> Author {
        try adding(count, to: Author(key, in: space), first: first)
    }

    private func adding(_ count: Int, to author: Author, first: Int) throws -> Author {
        var author = author
        for number in first..<first + count {
            let note = author.create(UInt8(number)).operation
            try author.write([note], at: now + .milliseconds(number))
        }
        return author
    }

    private func replica(
        of key: DeviceKey, in space: SpaceDescriptor, at home: Home? = nil
    ) async throws -> Replica {
        try await (home ?? homes.make()).replica(of: key, knowing: [me, mate], in: [space])
    }

    /// Returns the laptop's replica after it removed the phone, of which it knows three batches,
    /// and the record of the removal.
    private func laptop(
        in space: SpaceDescriptor, knowing known: Run?, at home: Home? = nil
    ) async throws -> (replica: Replica, record: PersonRecord) {
        let replica = try await replica(of: me.key, in: space, at: home)
        if let known { _ = try await replica.merge([(space.id, known)], wallTime: now) }
        let record = try me.record.removing(phone.id, by: me.key)
        try await replica.learn(record)
        let commits = try await replica.endLogs(
            of: [phone.id], wallTime: now + .milliseconds(50))
        #expect(commits.count == (known == nil ? 0 : 1))
        return (replica, record)
    }

    private func high(_ device: DeviceKey, in replica: Replica, _ space: SpaceDescriptor) async
        -> UInt64?
    {
        await replica.heads(in: space.id).first { $0.log.device == device.id }?.high
    }

    // MARK: What counts

    /// The three things that arrive at a replica, in all orders.
    private enum Arrival: CaseIterable { case removal, cut, batches }

    private static let orders: [[Arrival]] = [
        [.removal, .cut, .batches], [.removal, .batches, .cut], [.cut, .removal, .batches],
        [.cut, .batches, .removal], [.batches, .removal, .cut], [.batches, .cut, .removal],
    ]

    @Test(arguments: [SpaceKind.pair, .card, .own])
    func `batches up to the cut count on every replica, in any order of arrival`(
        _ kind: SpaceKind
    ) async throws {
        let space: SpaceDescriptor =
            switch kind {
            case .pair: pair
            case .card: .card(me.person)
            default: .own(me.person)
            }
        let log = try notes(5, by: phone, in: space)
        let (laptop, record) = try await laptop(in: space, knowing: log.run(0..<3))
        let expected = try await Dump(laptop)
        #expect(expected.lines.count == 3)
        for order in Self.orders {
            let home = try homes.make()
            let key = kind == .own ? watch : mate.key
            let other = try await replica(of: key, in: space, at: home)
            for arrival in order {
                switch arrival {
                case .removal: try await other.learn(record)
                case .cut: try await laptop.copy(space, to: other, devices: [me.device])
                case .batches: try await other.merge([log])
                }
            }
            // A peer sends again what was refused.
            try await laptop.copy(space, to: other)
            #expect(await high(phone, in: other, space) == 3, "\(order)")
            #expect(await other.counts() == laptop.counts(), "\(order)")
            #expect(try await Dump(other) == expected, "\(order)")
            // The removed device serves what it wrote later; it counts nowhere.
            try await other.merge([log])
            #expect(try await Dump(other) == expected, "\(order)")
            let counts = await other.counts()
            try await other.close()
            let again = try home.replica(key)
            #expect(await again.counts() == counts, "\(order)")
            try await again.rebuild(space.id)
            #expect(try await Dump(again) == expected, "\(order)")
        }
    }

    @Test func `without a cut nothing new of a removed device is stored, and stored batches stay`()
        async throws
    {
        let log = try notes(5, by: phone, in: pair)
        let record = try me.record.removing(phone.id, by: me.key)
        let fresh = try await replica(of: mate.key, in: pair)
        try await fresh.learn(record)
        #expect(try await fresh.merge([log]).faults == [0: .notEnded(phone.id)])
        let knowing = try await replica(of: mate.key, in: pair)
        _ = try await knowing.merge([(pair.id, log.run(0..<2))], wallTime: now)
        try await knowing.learn(record)
        #expect(try await knowing.merge([log]).faults == [0: .notEnded(phone.id)])
        #expect(await high(phone, in: knowing, pair) == 2)
    }

    @Test func `a replica with more batches than the cut keeps them void, and serves none`()
        async throws
    {
        let log = try notes(5, by: phone, in: pair)
        let (laptop, record) = try await laptop(in: pair, knowing: log.run(0..<3))
        let ahead = try await replica(of: mate.key, in: pair)
        try await ahead.merge([log])
        try await ahead.learn(record)
        try await laptop.copy(pair, to: ahead)
        #expect(try await Dump(ahead) == Dump(laptop))
        let third = try await replica(of: watch, in: pair)
        try await third.learn(record)
        #expect(try await ahead.copy(pair, to: third).isEmpty)
        #expect(await third.counts() == laptop.counts())
    }

    @Test func `in a group only the batches before the cut count, at a member who joins later`()
        async throws
    {
        let other = try Someone(seed: 3)
        let group = try await Group(of: [me, mate, other], in: homes)
        // Indexes: 0 to 2 are the devices of the first person, 3 the mate's, 4 the third person's.
        try await group.control(0, [.grant(mate.person, .writer), .grant(other.person, .writer)])
        try await group.copy(0, to: 1)
        try await group.write(1, "before", at: now + .milliseconds(10))
        try await group.copy(1, to: 0)
        try await group.write(1, "after", at: now + .milliseconds(20))
        let record = try me.record.removing(phone.id, by: me.key)
        try await group[0].learn(record)
        try await group[0].endLogs(of: [phone.id], wallTime: now + .milliseconds(30))
        try await group.copy(1, to: 3)
        #expect(try await group.titles(3) == ["after", "before"])
        for index in [3, 4] { try await group[index].learn(record) }
        try await group.copy(0, to: 3)
        try await group.copy(3, to: 4)
        #expect(try await group.titles(3) == ["before"])
        try await group.copy(1, to: 4)
        try await group.expectEqual([0, 3, 4])
    }

    // MARK: The removed device's own cuts

    @Test func `a removed device's cuts, dated before, end no log of a device that is listed`()
        async throws
    {
        let mine = try notes(3, by: me.key, in: pair)
        let replica = try await replica(of: me.key, in: pair)
        _ = try await replica.author(
            [.own(collection: RecordCollection.note.name, fields: ["title": .text("x")])],
            in: pair.id, wallTime: now)
        let head = try #require(await replica.heads(in: pair.id).first?.head)
        #expect(mine.log == head.log)
        // The phone ends the laptop's log, and means to keep its own open up to batch 900.
        var thief = try notes(2, by: phone, in: pair)
        let later = LogHead(log: thief.log, number: 900, hash: .none)
        let cut = [head, later].sorted()
        try thief.write([Operation(control: .cut(me.person, cut))], at: now + .milliseconds(3))
        thief = try adding(2, to: thief, first: 4)
        _ = try await replica.merge([(pair.id, thief.run(0..<3))], wallTime: now)
        try await replica.learn(try me.record.removing(phone.id, by: me.key))
        try await replica.endLogs(of: [phone.id], wallTime: now + .milliseconds(50))
        #expect(await !replica.hasEndedOwnLog())
        _ = try await replica.author(
            [.create(collection: RecordCollection.note.name, nonce: .zero, fields: [:])],
            in: pair.id, wallTime: now + .milliseconds(60))
        try await replica.merge([thief])
        #expect(await high(phone, in: replica, pair) == 3)
        #expect(await high(me.key, in: replica, pair) == 3)
        let mateReplica = try await self.replica(of: mate.key, in: pair)
        try await mateReplica.merge([thief])
        try await mateReplica.learn(try me.record.removing(phone.id, by: me.key))
        try await replica.copy(pair, to: mateReplica)
        #expect(await mateReplica.counts() == replica.counts())
        #expect(try await Dump(mateReplica) == Dump(replica))
    }

    @Test func `of two devices that remove each other the senior one stays, with all it wrote`()
        async throws
    {
        let log = try notes(3, by: phone, in: pair)
        let (laptop, record) = try await laptop(in: pair, knowing: log.run)
        #expect(throws: IdentityFault.outranked(me.device)) {
            try me.record.removing(me.device, by: phone)
        }
        let entry = try DeviceEntry.removing(me.device, from: me.person, by: phone)
        let both = try record.adding(entry)
        #expect(both.devices == [me.device, watch.id])
        var rival = log
        let head = try #require(
            await laptop.heads(in: pair.id).first { $0.log.device == me.device }?.head)
        let null = LogHead(log: head.log, number: 1, hash: .none)
        try rival.write([Operation(control: .cut(me.person, [null]))], at: now + .milliseconds(40))
        let other = try await replica(of: mate.key, in: pair)
        try await other.merge([rival])
        try await other.learn(both)
        try await laptop.copy(pair, to: other)
        #expect(await other.counts() == laptop.counts())
        #expect(await high(me.key, in: other, pair) == 1)
    }

    @Test func `a cut by a device that is removed later is made again by the one that stays`()
        async throws
    {
        let log = try notes(4, by: watch, in: pair)
        // The phone listed the watch and removes it; then the laptop removes the phone.
        var record = try PersonRecord(
            founding: me.record.founding, firstDevice: me.key,
            entries: [
                .adding(DeviceConsent(of: phone, to: me.person), by: me.key),
                .adding(DeviceConsent(of: watch, to: me.person), by: phone),
            ])
        var cut = Author(phone, in: pair)
        let head = LogHead(log: log.log, number: 2, hash: log.batches[1].hash)
        try cut.write([Operation(control: .cut(me.person, [head]))], at: now + .milliseconds(20))
        record = try record.removing(watch.id, by: phone)
        let laptop = try homes.make().replica(me.key, collections: [.note])
        try await laptop.learn(record)
        try await laptop.learn(mate.record)
        try await laptop.open(pair)
        try await laptop.merge([cut, log])
        #expect(await high(watch, in: laptop, pair) == 2)
        record = try record.removing(phone.id, by: me.key)
        #expect(record.devices == [me.device])
        try await laptop.learn(record)
        #expect(await laptop.devicesToEnd() == [phone.id, watch.id])
        try await laptop.endLogs(of: record.removedDevices, wallTime: now + .milliseconds(50))
        #expect(await laptop.devicesToEnd().isEmpty)
        let fresh = try homes.make().replica(mate.key)
        for someone in [record, mate.record] { try await fresh.learn(someone) }
        try await fresh.open(pair)
        try await laptop.copy(pair, to: fresh)
        try await fresh.merge([cut, log])
        #expect(await fresh.counts() == laptop.counts())
        #expect(await high(watch, in: fresh, pair) == 2)
    }

    // MARK: Logs that the remover has not seen

    @Test func `a log that the remover never saw counts nowhere once it has ended it`()
        async throws
    {
        let log = try notes(4, by: phone, in: pair)
        let (laptop, record) = try await laptop(in: pair, knowing: nil)
        let absent = try await replica(of: mate.key, in: pair)
        try await absent.merge([log])
        try await absent.learn(record)
        #expect(try await laptop.merge([log]).faults == [0: .notEnded(phone.id)])
        let commit = try await laptop.endLog(
            log.log, in: pair.id, wallTime: now + .milliseconds(60))
        #expect(commit != nil)
        let again = try await laptop.endLog(log.log, in: pair.id, wallTime: now)
        #expect(again == nil)
        try await laptop.copy(pair, to: absent)
        #expect(await absent.counts() == laptop.counts())
        #expect(try await Dump(absent).lines.isEmpty)
        #expect(try await laptop.merge([log]).faults == [0: .beyondCut(phone.id)])
    }

    @Test func `of two cuts by listed devices the larger decides`() async throws {
        let log = try notes(4, by: phone, in: pair)
        let (laptop, record) = try await laptop(in: pair, knowing: log.run(0..<3))
        let other = try await replica(of: watch, in: pair)
        try await other.learn(record)
        _ = try await other.endLog(log.log, in: pair.id, wallTime: now + .milliseconds(10))
        try await Replica.settle(pair, [laptop, other])
        #expect(await high(phone, in: other, pair) == 3)
        #expect(await other.counts() == laptop.counts())
    }

    @Test func `the removed device writes nothing more, and reads what it has`() async throws {
        let own = try await replica(of: phone, in: pair)
        let note = Edit.own(
            collection: RecordCollection.note.name, fields: ["title": .text("x")])
        _ = try await own.author([note], in: pair.id, wallTime: now)
        try await own.learn(try me.record.removing(phone.id, by: me.key))
        await #expect(throws: BatchFault.notAMember(phone.id)) {
            try await own.author([note], in: pair.id, wallTime: now + .milliseconds(1))
        }
        #expect(try await Dump(own).lines.count == 1)
        #expect(try await own.endLogs(of: [phone.id], wallTime: now).isEmpty)
    }

    // MARK: Erases and forks

    @Test func `an erase before the cut counts, and one after it does not`() async throws {
        let salt = Bytes16([UInt8](repeating: 6, count: 16)) ?? .zero
        var log = Author(phone, in: pair)
        for number in 1...2 {
            let note = log.create(UInt8(number)).operation
            try log.write([note], at: now + .milliseconds(number), salt: salt)
        }
        try log.write([.erase(log.batches[0])], at: now + .milliseconds(3))
        try log.write([.erase(log.batches[1])], at: now + .milliseconds(4))
        let (laptop, record) = try await laptop(in: pair, knowing: log.run(0..<3))
        #expect(try await Dump(laptop).lines.count == 1)
        let fresh = try await replica(of: mate.key, in: pair)
        try await fresh.learn(record)
        try await laptop.copy(pair, to: fresh)
        try await fresh.merge([log])
        #expect(try await Dump(fresh) == Dump(laptop))
        #expect(await fresh.counts() == laptop.counts())
    }

    @Test func `a side of a fork that the cut does not name counts nowhere`() async throws {
        let shared = try notes(2, by: phone, in: pair)
        let honest = try adding(2, to: shared, first: 10)
        let forged = try adding(2, to: shared, first: 20)
        let (laptop, record) = try await laptop(in: pair, knowing: honest.run)
        for order in [[forged, honest], [honest, forged]] {
            let fresh = try await replica(of: mate.key, in: pair)
            try await fresh.learn(record)
            try await laptop.copy(pair, to: fresh, devices: [me.device])
            for log in order { try await fresh.merge([log]) }
            #expect(await fresh.digest(of: pair.id) == laptop.digest(of: pair.id))
            #expect(try await Dump(fresh) == Dump(laptop))
        }
    }

    @Test func `devices that only the removed one had added stay, and go on writing`()
        async throws
    {
        let chain = try PersonRecord(
            founding: me.record.founding, firstDevice: me.key,
            entries: [
                .adding(DeviceConsent(of: phone, to: me.person), by: me.key),
                .adding(DeviceConsent(of: watch, to: me.person, name: "watch"), by: phone),
            ])
        let record = try chain.removing(phone.id, by: me.key)
        #expect(record.devices == [me.device, watch.id])
        #expect(record.removedDevices == [phone.id])
        #expect(record.entries.count == 4)
        let shown = try #require(record.showing(removalOf: phone.id))
        #expect(shown.removedDevices == [phone.id])
        #expect(record.showing(removalOf: watch.id) == nil)
        #expect(throws: IdentityFault.notListed(phone.id)) {
            try record.removing(phone.id, by: me.key)
        }
        let fresh = try homes.make().replica(mate.key)
        for someone in [record, mate.record] { try await fresh.learn(someone) }
        try await fresh.open(pair)
        #expect(try await fresh.merge([notes(2, by: watch, in: pair)]).faults.isEmpty)
    }
}
