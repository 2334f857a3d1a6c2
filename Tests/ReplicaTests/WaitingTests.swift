import Records
import Replica
import Testing

/// Operations on entities that are not known yet.
struct WaitingTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    @Test func `an operation waits for its entity and counts when that arrives`() async throws {
        let home = try homes.make()
        let replica = try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
        var mine = Author(me.key, in: pair)
        var theirs = Author(mate.key, in: pair)
        let note = mine.create(1)
        try mine.write([note.operation], at: now)
        try theirs.write(
            [.set(note.entity, "last_any", .text("hello")), .count(note.entity, "sum_any", 2)],
            at: now + .milliseconds(1))
        let early = try await replica.merge([theirs])
        #expect(early.commits.map(\.changes) == [[]])
        #expect(try await replica.summary(pair)?.waiting == 2)
        #expect(try await replica.note(note.entity) == nil)
        let late = try await replica.merge([mine])
        #expect(try await replica.summary(pair)?.waiting == 0)
        #expect(try await replica.note(note.entity)?["last_any"] == .text("hello"))
        #expect(try await replica.note(note.entity)?["sum_any"] == .integer(2))
        #expect(late.commits.map { $0.changes.map(\.author) } == [[me.person, mate.person]])
    }

    @Test func `waiting operations survive a restart`() async throws {
        let home = try homes.make()
        var mine = Author(me.key, in: pair)
        var theirs = Author(mate.key, in: pair)
        let note = mine.create(1)
        try mine.write([note.operation], at: now)
        try theirs.write([.add(note.entity, "set_any", .text("ball"))], at: now)
        do {
            let replica = try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
            try await replica.merge([theirs])
        }
        let replica = try home.replica(me.key)
        #expect(try await replica.summary(pair)?.waiting == 1)
        try await replica.merge([mine])
        #expect(try await replica.elements(note.entity, "set_any") == ["ball"])
    }

    @Test func `an operation that waited and breaks a rule is void then`() async throws {
        let home = try homes.make()
        let replica = try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
        var mine = Author(me.key, in: pair)
        var theirs = Author(mate.key, in: pair)
        let note = mine.create(1)
        try mine.write([note.operation], at: now)
        try theirs.write([.set(note.entity, "title", .text("not theirs"))], at: now)
        try await replica.merge([theirs])
        #expect(try await replica.summary(pair)?.void == 0)
        try await replica.merge([mine])
        #expect(try await replica.summary(pair)?.void == 1)
        #expect(try await replica.summary(pair)?.waiting == 0)
        #expect(try await replica.note(note.entity)?["title"] == .null)
    }
}
