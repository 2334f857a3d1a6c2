import GRDB
import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// The room for person records that a group brings, and the cost of one of them.
struct PersonRecordRoomTests {
    private let homes = Homes()
    private let owner: Someone
    private let me: Someone
    private let space: SpaceDescriptor

    init() throws {
        owner = try Someone(seed: 501)
        me = try Someone(seed: 502)
        space = .group(owner: owner.person, nonce: .zero)
    }

    /// Opens a replica in a group whose owner granted roles to these people.
    private func replica(
        granting people: [Someone], at home: Home? = nil
    ) async throws -> Replica {
        let replica = try await (home ?? homes.make()).replica(
            of: me.key, knowing: [me, owner], in: [.own(me.person), space],
            collections: [.shared])
        try await replica.merge([try grants(people)])
        return replica
    }

    private func grants(_ people: [Someone]) throws -> Author {
        var grants = Author(owner.key, in: space)
        var rest = people[...]
        while !rest.isEmpty {
            let some = rest.prefix(Limits.controlOperationsMax)
            rest = rest.dropFirst(some.count)
            try grants.write(
                some.map { Operation(control: .grant($0.person, .writer)) },
                at: now + .milliseconds(grants.batches.count))
        }
        return grants
    }

    private func people(_ count: Int) throws -> [Someone] {
        try (0..<count).map { try Someone(seed: 10_000 + UInt64($0)) }
    }

    /// A log with one batch, which has no effect before the author accepts their role.
    private func log(of someone: Someone) throws -> Author {
        var author = Author(someone.key, in: space)
        try author.write([author.create(1, .shared).operation], at: now + .milliseconds(9000))
        return author
    }

    private func learn(_ people: some Collection<Someone>, _ replica: Replica) async throws {
        try await replica.learn(people.map { ClaimedPersonRecord($0.record) })
    }

    private func storedCount(_ replica: Replica) async throws -> Int {
        try await replica.read("SELECT person FROM person", allowedTables: nil).count
    }

    @Test func `an owner who makes very many people members fills no more than the room for them`()
        async throws
    {
        let people = try people(Limits.groupPeopleMax + 40)
        let home = try homes.make()
        let replica = try await replica(granting: people, at: home)
        for someone in people { try await learn([someone], replica) }
        // The owner and this person are not counted.
        #expect(try await storedCount(replica) <= Limits.groupPeopleMax + 2)
        // The last one is known: those before wrote nothing, so they were forgotten.
        let last = try #require(people.last)
        #expect(await replica.person(of: last.device) == last.person)
        let outcome = try await replica.merge([(space.id, log(of: last).run)], wallTime: now)
        #expect(outcome.faults.isEmpty)
        try await replica.close()
        let again = try home.replica(me.key, collections: [.shared])
        #expect(await again.person(of: last.device) == last.person)
        #expect(await again.person(of: people[0].device) == nil)
    }

    @Test func `people who wrote are not forgotten, and further ones wait for room`() async throws {
        let people = try people(Limits.groupPeopleMax + 1)
        let replica = try await replica(granting: people)
        let authors = people.prefix(Limits.groupPeopleMax)
        try await learn(authors, replica)
        let runs = try authors.map { (space.id, try log(of: $0).run) }
        #expect(try await replica.merge(runs, wallTime: now).faults.isEmpty)
        let newcomer = try #require(people.last)
        try await learn([newcomer], replica)
        #expect(await replica.personRecord(newcomer.person) == nil)
        // The peer that brings the batches did nothing wrong.
        let outcome = try await replica.merge([(space.id, log(of: newcomer).run)], wallTime: now)
        #expect(outcome.faults[0] == .noRoom(newcomer.device))
        #expect(await replica.personRecord(people[0].person) == people[0].record)
        // A known person's change is always stored, since it may remove a device.
        let changed = try people[0].removingFirstDevice()
        try await replica.learn([ClaimedPersonRecord(changed)])
        #expect(await replica.personRecord(people[0].person) == changed)
        #expect(await replica.person(of: people[0].device) == nil)
    }

    @Test func `a mate is known, however many people a group brings`() async throws {
        let people = try people(Limits.groupPeopleMax + 1)
        let replica = try await replica(granting: people)
        let mate = people[0]
        try await replica.open(.between(me.person, mate.person))
        for part in [people.prefix(1), people.dropFirst()] { try await learn(part, replica) }
        #expect(await replica.person(of: mate.device) == mate.person)
    }

    @Test func `a person who is forgotten and changes in one step keeps their devices`()
        async throws
    {
        let people = try people(3).sorted { $0.person < $1.person }
        let (newcomer, silent) = (people[0], people[1])
        let home = try homes.make()
        let replica = try await replica(granting: people, at: home)
        await replica.limitPeople(countMax: 2)
        try await learn(people.dropFirst(), replica)
        // The newcomer's record is added first: the two others are forgotten then.
        let changed = try silent.adding(DeviceKey())
        try await replica.learn([newcomer.record, changed].map(ClaimedPersonRecord.init))
        #expect(await replica.personRecord(newcomer.person) != nil)
        #expect(await replica.personRecord(silent.person) == changed)
        #expect(await replica.person(of: silent.device) == silent.person)
        #expect(await replica.personRecord(people[2].person) == nil)
        let again = try home.copy().replica(me.key, collections: [.shared])
        #expect(await again.known == replica.known)
    }

    @Test func `people who become known in one step do not displace each other`() async throws {
        let people = try people(4).sorted { $0.person < $1.person }
        let replica = try await replica(granting: people)
        await replica.limitPeople(countMax: 1)
        try await learn(people.suffix(1), replica)
        try await learn(people.prefix(3), replica)
        #expect(await replica.personRecord(people[0].person) != nil)
        #expect(try await storedCount(replica) == 3)
    }

    @Test func `whatever records arrive together, a restart knows the same people and devices`()
        async throws
    {
        var numbers = SeededGenerator(seed: 3)
        let keys = (0..<8).map { _ in DeviceKey(using: &numbers) }
        let people = try (0..<10).map { number in
            try Someone(
                seed: 900 + number, on: Array(keys.shuffled(using: &numbers).prefix(2)))
        }
        for _ in 0..<30 {
            let home = try homes.make()
            let replica = try await replica(granting: people, at: home)
            await replica.limitPeople(countMax: 3)
            for _ in 0..<8 {
                let some = people.shuffled(using: &numbers)
                    .prefix(Int.random(in: 1...5, using: &numbers))
                let records = try some.map { someone in
                    switch Int.random(in: 0..<5, using: &numbers) {
                    case 0: try someone.removingFirstDevice()
                    case 1...2: try someone.adding(#require(keys.randomElement(using: &numbers)))
                    default: someone.record
                    }
                }
                try await replica.learn(records.map(ClaimedPersonRecord.init))
                if Int.random(in: 0..<4, using: &numbers) == 0 {
                    _ = try await replica.merge([log(of: some[0])])
                }
            }
            let again = try home.copy().replica(me.key, collections: [.shared])
            #expect(await again.known == replica.known)
        }
    }

    @Test func `one more record costs the same, however many people are known`() async throws {
        let people = try people(400)
        let replica = try await replica(granting: people)
        var costs: [Int] = []
        for count in [1, 398] {
            try await learn(people.dropLast().prefix(count), replica)
            let next = people[count]
            costs.append(try await replica.stepsToLearn(next.record))
        }
        #expect(costs[1] <= costs[0] + 200, "\(costs)")
    }

    @Test func `the claims that follow from changes are those of all records together`() throws {
        var numbers = SeededGenerator(seed: 1)
        let keys = (0..<6).map { _ in DeviceKey(using: &numbers) }
        var known: [PersonID: PersonRecord] = [:]
        var claims = RivalClaims(among: [])
        for seed in 0..<60 {
            let someone = try Someone(
                seed: 700 + UInt64(seed % 12), on: Array(keys.shuffled(using: &numbers).prefix(3)))
            let records = try [someone.record, someone.removingFirstDevice()]
            let old = known.values.sorted { $0.person < $1.person }
                .randomElement(using: &numbers)
            let new = records.randomElement(using: &numbers)
            if let old, Bool.random(using: &numbers) {
                claims.adopt(claims.change(from: old, to: nil))
                known[old.person] = nil
            }
            if let new {
                claims.adopt(claims.change(from: known[new.person], to: new))
                known[new.person] = new
            }
            let anew = RivalClaims(among: known.values)
            #expect(claims.candidates == anew.candidates)
            for key in keys {
                #expect(claims.people(claiming: key.id) == anew.people(claiming: key.id))
            }
        }
    }
}

/// The people whom a replica knows, as it keeps them in memory.
private struct Known: Equatable {
    let people: [PersonID: PersonRecord]
    let claims, candidates: [DeviceID: [PersonID]]
}

extension Replica {
    fileprivate var known: Known {
        Known(people: people, claims: claims, candidates: rivals.candidates)
    }

    /// Lets each group make this number of people known.
    fileprivate func limitPeople(countMax: Int) {
        introduced = IntroducedPeople(countMax: countMax)
    }

    /// Returns the steps of SQLite's virtual machine that storing a record takes.
    fileprivate func stepsToLearn(_ record: PersonRecord) throws -> Int {
        try VirtualMachineSteps.count(inWriterOf: pool) {
            try learn(record)
        }
    }
}
