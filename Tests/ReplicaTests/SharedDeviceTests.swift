import Identity
import Records
import Replica
import Testing

/// A device that two members of one group list as theirs.
struct SharedDeviceTests {
    private let homes = Homes()
    private let owner: Someone
    /// Two people who founded themselves on one device; the first has the lower id.
    private let both: [Someone]
    private let space: SpaceDescriptor

    init() throws {
        owner = try Someone(seed: 21)
        let one = try Someone(seed: 22)
        both = [one, try Someone(seed: 23, on: one.devices)].sorted { $0.person < $1.person }
        space = .group(owner: owner.person, nonce: .zero)
    }

    private func replica(knowing people: [Someone], at home: Home? = nil) async throws -> Replica {
        try await (home ?? homes.make()).replica(
            of: owner.key, knowing: people, in: [space], collections: [.shared])
    }

    private func grants(_ role: Role, _ people: [Someone]) throws -> Author {
        var author = Author(owner.key, in: space)
        try author.write(
            people.map { Operation(control: .grant($0.person, role)) }, at: now)
        return author
    }

    /// Returns a log of the device that accepts and creates a note.
    private func log(_ operations: [Operation] = []) throws -> Author {
        var author = Author(both[0].key, in: space)
        let note = author.create(1, .shared)
        try author.write(
            [Operation(control: .accept), note.operation] + operations, at: now + .milliseconds(1))
        return author
    }

    private func creators(_ replica: Replica) async throws -> [[UInt8]?] {
        try await replica.read("SELECT creator FROM shared", allowedTables: nil)
            .map { $0.bytes("creator") }
    }

    @Test func `its batches count for the same person, whosever record arrives first`()
        async throws
    {
        let (grants, log) = (try grants(.writer, both), try log())
        var dumps: [Dump] = []
        for people in [[owner] + both, [owner] + both.reversed()] {
            let replica = try await replica(knowing: people)
            try await replica.merge([grants, log])
            dumps.append(try await Dump(replica, .shared))
            #expect(try await creators(replica) == [both[0].person.bytes])
        }
        for first in [0, 1] {
            let home = try homes.make()
            let replica = try await replica(knowing: [owner, both[first]], at: home)
            try await replica.merge([grants, log])
            #expect(try await creators(replica) == [both[first].person.bytes])
            try await replica.learn(both[1 - first].record)
            #expect(try await creators(replica) == [both[0].person.bytes])
            dumps.append(try await Dump(replica, .shared))
            let members = await replica.members(in: space.id)
            #expect(members.filter { $0.state == .invited }.map(\.person) == [both[1].person])
            let summary = await replica.spaces()
            try await replica.close()
            let again = try home.replica(owner.key, collections: [.shared])
            #expect(await again.spaces() == summary)
            #expect(try await Dump(again, .shared) == dumps.last)
            try await again.rebuild(space.id)
            #expect(try await Dump(again, .shared) == dumps.last)
        }
        #expect(Set(dumps.map(\.lines)).count == 1)
    }

    @Test func `it cannot decide by its own grant for whom it counts`() async throws {
        // The person with the lower id has no role but by the grant that the device itself wrote.
        let grants = try grants(.owner, [both[1]])
        let log = try log([Operation(control: .grant(both[0].person, .writer))])
        for people in [[owner] + both, [owner] + both.reversed()] {
            let replica = try await replica(knowing: people)
            try await replica.merge([grants, log])
            #expect(try await creators(replica) == [both[1].person.bytes])
        }
    }

    @Test func `it writes as the person for whom its batches count`() async throws {
        let grants = try grants(.writer, both)
        for people in [[owner] + both, [owner] + both.reversed()] {
            let home = try homes.make()
            let replica = try await home.replica(
                of: both[0].key, knowing: people, in: [space], collections: [.shared])
            try await replica.merge([grants])
            try await replica.control([.accept], in: space.id, wallTime: now + .milliseconds(1))
            let members = await replica.members(in: space.id).filter { $0.state == .member }
            #expect(Set(members.map(\.person)) == [owner.person, both[0].person])
        }
    }

    // MARK: Announcing

    @Test func `a record that gives batches another author returns a commit for each of them`()
        async throws
    {
        let replica = try await replica(knowing: [owner, both[1]])
        try await replica.merge([try grants(.writer, both), try log()])
        let commits = try await replica.learn([ClaimedPersonRecord(both[0].record)])
        #expect(commits.map(\.number) == [1])
        #expect(commits.allSatisfy { $0.space == space.id && $0.membershipChanged })
        #expect(commits.flatMap(\.changes).map(\.author) == [both[0].person])
        #expect(commits.flatMap(\.changes).map(\.collection) == [RecordCollection.shared.name])
        #expect(try await replica.learn([ClaimedPersonRecord(both[0].record)]).isEmpty)
    }

    @Test func `a record that takes the effect of batches away returns commits for them too`()
        async throws
    {
        // The person with the lower id may only read.
        var grants = Author(owner.key, in: space)
        try grants.write(
            [
                Operation(control: .grant(both[0].person, .reader)),
                Operation(control: .grant(both[1].person, .writer)),
            ], at: now)
        let replica = try await replica(knowing: [owner, both[1]])
        try await replica.merge([grants, try log()])
        #expect(try await creators(replica).count == 1)
        let commits = try await replica.learn(both[0].record)
        #expect(commits.flatMap(\.changes).count == 1)
        #expect(try await creators(replica).isEmpty)
    }

    @Test func `a record of somebody else returns nothing`() async throws {
        let replica = try await replica(knowing: [owner] + both)
        try await replica.merge([try grants(.writer, both), try log()])
        #expect(try await replica.learn(try Someone(seed: 24).record).isEmpty)
    }

    // MARK: Removals

    /// One thing that a replica hears.
    private enum Step: CaseIterable {
        case first, second, removal, grants, log
    }

    private func orders(_ steps: [Step]) -> [[Step]] {
        guard steps.count > 1 else { return [steps] }
        return steps.indices.flatMap { index -> [[Step]] in
            var others = steps
            let step = others.remove(at: index)
            return orders(others).map { [step] + $0 }
        }
    }

    /// Everything that is to be equal.
    private func seen(_ replica: Replica) async throws -> [String] {
        let members = await replica.members(in: space.id).map { "\($0)" }
        let digest = await replica.digest(of: space.id)
        return try await Dump(replica, .shared).lines + members + ["\(String(describing: digest))"]
    }

    @Test(arguments: [0, 1])
    func `after one of the two removes it, its batches count for the same person in all orders`(
        removing: Int
    ) async throws {
        let (grants, log) = (try grants(.writer, both), try log())
        let removal = try both[removing].removingFirstDevice()
        var results: Set<[String]> = []
        for (number, order) in orders(Step.allCases).enumerated() {
            let home = try homes.make()
            let replica = try await replica(knowing: [owner], at: home)
            // What was refused before a record was known comes again.
            for step in order + [.grants, .log] {
                switch step {
                case .first: try await replica.learn(both[0].record)
                case .second: try await replica.learn(both[1].record)
                case .removal: try await replica.learn(removal)
                case .grants: try await replica.merge([grants])
                case .log: try await replica.merge([log])
                }
            }
            #expect(try await creators(replica) == [both[1 - removing].person.bytes])
            results.insert(try await seen(replica))
            guard number.isMultiple(of: 8) else { continue }
            try await replica.close()
            let again = try home.replica(owner.key, collections: [.shared])
            results.insert(try await seen(again))
            try await again.rebuild(space.id)
            results.insert(try await seen(again))
        }
        #expect(results.count == 1)
    }

    @Test func `after both remove it, its batches count for the same person in any order`()
        async throws
    {
        let (grants, log) = (try grants(.writer, both), try log())
        let removals = try both.map { try $0.removingFirstDevice() }
        for order in [[0, 1], [1, 0]] {
            for known in [both, both.reversed(), [both[0]], [both[1]]] {
                let replica = try await replica(knowing: [owner] + known)
                try await replica.merge([grants, log])
                for index in order { try await replica.learn(removals[index]) }
                #expect(try await creators(replica) == [both[0].person.bytes])
            }
        }
    }

    @Test func `a device that was removed cannot list it as its own person's`() async throws {
        // One of the owner's devices is stolen and removed, and then lists the shared device.
        let stolen = try Someone(seed: 25).key
        let person = owner.person
        let consent = try DeviceConsent(of: stolen, to: person)
        let sharing = try DeviceConsent(of: both[0].key, to: person)
        let victim = try owner.record.adding(.adding(consent, by: owner.key))
            .adding(.removing(stolen.id, from: person, by: owner.key))
            .adding(.adding(sharing, by: stolen))
        let replica = try await replica(knowing: [owner, both[0]])
        try await replica.merge([try grants(.writer, both), try log()])
        #expect(try await replica.learn(victim).isEmpty)
        #expect(try await creators(replica) == [both[0].person.bytes])
        let records = await replica.authorRecords(of: try log().log, in: space.id)
        #expect(records.map(\.person) == [both[0].person, person])
    }

    @Test func `if only removed devices listed it for several people, it counts for nobody`()
        async throws
    {
        var records: [PersonRecord] = []
        let device = DeviceKey()
        for someone in [try Someone(seed: 26), try Someone(seed: 27)] {
            let (phone, person) = (DeviceKey(), someone.person)
            records.append(
                try someone.record
                    .adding(.adding(DeviceConsent(of: phone, to: person), by: someone.key))
                    .adding(.adding(DeviceConsent(of: device, to: person), by: phone)))
            records.append(
                try records[records.count - 1]
                    .adding(.removing(phone.id, from: person, by: someone.key)))
        }
        var grants = Author(owner.key, in: space)
        try grants.write(
            [0, 2].map { Operation(control: .grant(records[$0].person, .writer)) }, at: now)
        var log = Author(device, in: space)
        try log.write(
            [Operation(control: .accept), log.create(1, .shared).operation],
            at: now + .milliseconds(1))
        for order in [[0, 2, 1, 3], [2, 0, 3, 1]] {
            let replica = try await replica(knowing: [owner])
            for index in order.prefix(1) { try await replica.learn(records[index]) }
            try await replica.merge([grants, log])
            #expect(try await creators(replica).count == 1)
            for index in order.dropFirst() { try await replica.learn(records[index]) }
            #expect(try await creators(replica).isEmpty)
            #expect(await replica.heads(in: space.id).map(\.log.device) == [owner.device])
        }
    }
}
