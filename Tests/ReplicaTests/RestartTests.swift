import Foundation
import Records
import Replica
import Testing

/// The content of a replica after a restart, a kill or a restored backup.
struct RestartTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let space: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        space = .between(me.person, mate.person)
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(of: me.key, knowing: [me, mate], in: [space])
    }

    private func write(_ title: String, _ replica: Replica, at wall: Timestamp) async throws
        -> Commit
    {
        try await replica.author(
            [.own(collection: "test.note/1", fields: ["title": .text(title)])], in: space.id,
            wallTime: wall)
    }

    @Test func `an authored batch is there if a kill leaves the files as they are`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        var commits: [Commit] = []
        for round in 0..<5 {
            commits.append(
                try await write("round \(round)", replica, at: now + .milliseconds(round)))
            let left = try home.copy()
            let reopened = try left.replica(me.key)
            #expect(await reopened.heads(in: space.id).first?.head.hash == commits.last?.hash)
            #expect(
                try await reopened.note(commits[0].changes[0].entity)?["title"]
                    == .text("round \(round)"))
        }
        #expect(commits.map(\.number) == [1, 2, 3, 4, 5])
    }

    @Test func `spaces, people, heads and the clock are as before`() async throws {
        let home = try homes.make()
        let first = try await replica(home)
        let commit = try await write("a", first, at: now)
        let summaries = await first.spaces()
        let second = try home.replica(me.key)
        #expect(await second.spaces() == summaries)
        #expect(await second.descriptor(of: space.id) == space)
        #expect(await second.person(of: mate.device) == mate.person)
        #expect(await second.personRecord(mate.person) == mate.record)
        let next = try await write("b", second, at: now - .milliseconds(1000))
        #expect(next.number == 2)
        #expect(next.stamp == commit.stamp.next)
    }

    @Test func `a view is kept, changed and dropped with its declaration`() async throws {
        let home = try homes.make()
        let first = try await replica(home)
        _ = try await write("a", first, at: now)
        func titles(_ sql: String?) async throws -> [Value?] {
            let views = sql.map { [ReplicaView(name: "titles", sql: $0)] } ?? []
            return try await home.replica(me.key, views: views)
                .read("SELECT word FROM titles", allowedTables: nil).map { $0["word"] }
        }
        for _ in 0..<2 {
            #expect(try await titles("SELECT title AS word FROM note") == [.text("a")])
        }
        #expect(try await titles("SELECT title || '!' AS word FROM note") == [.text("a!")])
        await #expect(throws: ReplicaFault.self) { try await titles(nil) }
    }

    @Test func `a restored replica adopts the end of its own log and continues it`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        _ = try await write("a", replica, at: now)
        let backup = try home.copy()
        for round in 1...2 { _ = try await write("later \(round)", replica, at: now) }
        let log = LogName(device: me.device)
        let run = try await replica.runs(in: space.id, log: log, after: 1, bytesMax: 65_536)
        let restored = try backup.replica(me.key)
        let outcome = try await restored.merge(
            [(space.id, try #require(run))], wallTime: now - .milliseconds(5000))
        #expect(outcome.stored.map(\.numbers) == [2...3])
        let next = try await write("after", restored, at: now - .milliseconds(5000))
        #expect(next.number == 4)
        let others = try homes.make()
        let mates = try await self.replica(others)
        let whole = try await restored.runs(in: space.id, log: log, after: 0, bytesMax: 65_536)
        let merged = try await mates.merge(
            [(space.id, try #require(whole))], wallTime: now)
        #expect(merged.faults.isEmpty)
        #expect(await mates.digest(of: space.id) == restored.digest(of: space.id))
    }

    @Test func `an edit never loses to one its author knew`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        var theirs = Author(mate.key, in: space)
        let note = theirs.create(1)
        try theirs.write(
            [note.operation, .set(note.entity, "last_any", .text("theirs"))],
            at: now + .milliseconds(3_600_000))
        try await replica.merge([theirs])
        _ = try await replica.author(
            [
                .set(
                    collection: "test.note/1", entity: note.entity,
                    fields: ["last_any": .text("mine")])
            ], in: space.id, wallTime: now)
        #expect(try await replica.note(note.entity)?["last_any"] == .text("mine"))
    }

    @Test func `the files can be read by their owner alone`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        _ = try await write("a", replica, at: now)
        for name in ["replica.db", "replica.db-wal", "starts"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: home.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func `both start counts rise with every start and agree`() throws {
        let home = try homes.make()
        for start in 1...3 {
            let replica = try home.replica(me.key)
            #expect(replica.startCount.inDatabase == Int64(start))
            #expect(replica.startCount.inFile == Int64(start))
            #expect(!replica.startCountsDisagree)
        }
    }

    @Test func `the file of starts keeps its length, so that no power cut leaves half of a text`()
        throws
    {
        let home = try homes.make()
        var lengths: Set<Int> = []
        for _ in 1...11 {
            _ = try home.replica(me.key)
            lengths.insert(
                try Data(contentsOf: URL(fileURLWithPath: home.file("starts"))).count)
        }
        #expect(lengths == [32])
    }

    @Test func `the content of SQLite's log is in the database after the next start`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(home)
        _ = try await write("a", replica, at: now)
        let left = try home.copy()
        #expect(try Data(contentsOf: URL(fileURLWithPath: left.file("replica.db-wal"))).count > 0)
        let reopened = try left.replica(me.key)
        let alone = try homes.make()
        try FileManager.default.copyItem(
            atPath: left.file(), toPath: alone.file())
        #expect(try await alone.replica(me.key).heads(in: space.id) == reopened.heads(in: space.id))
    }

    @Test func `a database that was restored beside its file is noticed until it is settled`()
        async throws
    {
        let home = try homes.make()
        _ = try home.replica(me.key)
        let backup = try home.copy()
        _ = try home.replica(me.key)
        _ = try home.replica(me.key)
        try FileManager.default.removeItem(atPath: backup.file("starts"))
        try FileManager.default.copyItem(
            atPath: home.file("starts"), toPath: backup.file("starts"))
        #expect(try backup.replica(me.key).startCountsDisagree)
        let again = try backup.replica(me.key)
        #expect(again.startCountsDisagree)
        try await again.settleStartCounts()
        #expect(try !backup.replica(me.key).startCountsDisagree)
    }

    @Test(arguments: ["2 starting\n", "3 starting\n", "2\n"])
    func `a kill between the two counts is no disagreement`(left: String) throws {
        let home = try homes.make()
        _ = try home.replica(me.key)
        _ = try home.replica(me.key)
        try Data(left.utf8).write(to: URL(fileURLWithPath: home.file("starts")))
        #expect(try !home.replica(me.key).startCountsDisagree)
    }

    @Test(arguments: ["1\n", "3\n", "4 starting\n", "nonsense", "9223372036854775807", ""])
    func `any other pair of counts is a disagreement`(left: String) throws {
        let home = try homes.make()
        _ = try home.replica(me.key)
        _ = try home.replica(me.key)
        try Data(left.utf8).write(to: URL(fileURLWithPath: home.file("starts")))
        #expect(try home.replica(me.key).startCountsDisagree)
    }
}
