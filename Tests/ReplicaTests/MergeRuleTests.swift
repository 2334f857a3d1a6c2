import Identity
import Records
import Replica
import Testing

/// The merge of several writes of one field into one value. Every claim is tested in both orders.
struct MergeRuleTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let space: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1, deviceCount: 2)
        mate = try Someone(seed: 2)
        space = .between(me.person, mate.person)
    }

    /// Merges logs in both orders, and returns both replicas.
    private func bothOrders(
        _ authors: [Author], _ check: (Replica) async throws -> Void
    ) async throws {
        for order in [authors, authors.reversed()] {
            let home = try homes.make()
            let replica = try await home.replica(
                of: me.key, knowing: [me, mate], in: [space])
            for author in order {
                let outcome = try await replica.merge([author])
                #expect(outcome.faults.isEmpty)
            }
            try await check(replica)
        }
    }

    /// Two devices that write one field of a note of mine, mine first.
    private func twoWriters(
        _ one: (EntityID) -> Operation, _ other: (EntityID) -> Operation, gap: Duration
    ) throws -> (entity: EntityID, authors: [Author]) {
        var mine = Author(me.key, in: space)
        var theirs = Author(mate.key, in: space)
        let note = mine.create(1)
        try mine.write([note.operation], at: now - .milliseconds(10))
        try mine.write([one(note.entity)], at: now)
        try theirs.write([other(note.entity)], at: now + gap)
        return (note.entity, [mine, theirs])
    }

    @Test func `the last writer is the one with the higher stamp`() async throws {
        let (entity, authors) = try twoWriters(
            { .set($0, "last_any", .text("old")) }, { .set($0, "last_any", .text("new")) },
            gap: .milliseconds(1))
        try await bothOrders(authors) { replica async throws in
            #expect(try await replica.note(entity)?["last_any"] == .text("new"))
        }
    }

    @Test func `the first writer is the one with the lower stamp`() async throws {
        let (entity, authors) = try twoWriters(
            { .set($0, "first_any", .text("old")) }, { .set($0, "first_any", .text("new")) },
            gap: .milliseconds(1))
        try await bothOrders(authors) { replica async throws in
            #expect(try await replica.note(entity)?["first_any"] == .text("old"))
        }
    }

    @Test func `at one stamp the author with the higher key writes last`() async throws {
        let (entity, authors) = try twoWriters(
            { .set($0, "last_any", .text("mine")) }, { .set($0, "last_any", .text("theirs")) },
            gap: .zero)
        let expected = me.device > mate.device ? "mine" : "theirs"
        try await bothOrders(authors) { replica async throws in
            #expect(try await replica.note(entity)?["last_any"] == .text(expected))
        }
    }

    @Test func `within one batch the later operation writes last`() async throws {
        var author = Author(me.key, in: space)
        let note = author.create(1)
        try author.write(
            [
                note.operation, .set(note.entity, "last_any", .text("one")),
                .set(note.entity, "last_any", .text("two")),
                .set(note.entity, "first_any", .text("one")),
                .set(note.entity, "first_any", .text("two")),
            ], at: now)
        try await bothOrders([author]) { replica async throws in
            #expect(try await replica.note(note.entity)?["last_any"] == .text("two"))
            #expect(try await replica.note(note.entity)?["first_any"] == .text("one"))
        }
    }

    @Test func `a null clears a field that was written before`() async throws {
        let (entity, authors) = try twoWriters(
            { .set($0, "last_any", .text("old")) }, { .set($0, "last_any", .null) },
            gap: .milliseconds(1))
        try await bothOrders(authors) { replica async throws in
            #expect(try await replica.note(entity)?["last_any"] == .null)
        }
    }

    @Test func `an addition wins over a removal that had not seen it`() async throws {
        var mine = Author(me.key, in: space)
        var theirs = Author(mate.key, in: space)
        let note = mine.create(1)
        let added = try mine.write(
            [note.operation, .add(note.entity, "set_any", .text("bone"))], at: now)
        try theirs.write([.add(note.entity, "set_any", .text("bone"))], at: now)
        let seen = Dot(batch: added.hash, operationIndex: 1)
        try theirs.write([.remove(note.entity, "set_any", [seen])], at: now + .milliseconds(5))
        try await bothOrders([mine, theirs]) { replica async throws in
            #expect(try await replica.elements(note.entity, "set_any") == ["bone"])
        }
    }

    @Test func `a removal removes the additions it has seen, in either order`() async throws {
        var mine = Author(me.key, in: space)
        var theirs = Author(mate.key, in: space)
        let note = mine.create(1)
        let added = try mine.write(
            [
                note.operation, .add(note.entity, "set_any", .text("bone")),
                .add(note.entity, "set_any", .text("ball")),
            ], at: now)
        let seen = Dot(batch: added.hash, operationIndex: 1)
        try theirs.write([.remove(note.entity, "set_any", [seen])], at: now - .milliseconds(1000))
        try await bothOrders([mine, theirs]) { replica async throws in
            #expect(try await replica.elements(note.entity, "set_any") == ["ball"])
        }
    }

    @Test func `an append field has only the value written by the creating batch`() async throws {
        var mine = Author(me.key, in: space)
        let note = mine.create(1)
        try mine.write(
            [.set(note.entity, "once_creator", .text("born")), note.operation], at: now)
        try mine.write(
            [.set(note.entity, "once_creator", .text("changed"))], at: now + .milliseconds(1))
        try await bothOrders([mine]) { replica async throws in
            #expect(try await replica.note(note.entity)?["once_creator"] == .text("born"))
            #expect(try await replica.summary(space)?.void == 1)
        }
    }

    @Test func `if two batches begin one entity, the earlier one counts`() async throws {
        var first = Author(me.devices[0], in: space)
        var second = Author(me.devices[1], in: space)
        let note = first.createOwn(me.person)
        try first.write(
            [note.operation, .set(note.entity, "once_creator", .text("late"))],
            at: now + .milliseconds(1))
        try second.write(
            [note.operation, .set(note.entity, "once_any", .text("early"))], at: now)
        try await bothOrders([first, second]) { replica async throws in
            let row = try await replica.note(note.entity)
            #expect(row?["once_creator"] == .null)
            #expect(row?["once_any"] == .text("early"))
            #expect(row?.integer("stamp") == Int64(Stamp(now).rawValue))
        }
    }

    @Test func `a counter is the sum of all increments, within its range`() async throws {
        let (entity, authors) = try twoWriters(
            { .count($0, "sum_any", 900) }, { .count($0, "sum_any", 100) }, gap: .milliseconds(-5))
        try await bothOrders(authors) { replica async throws in
            #expect(try await replica.note(entity)?["sum_any"] == .integer(1000))
        }
        let (over, more) = try twoWriters(
            { .count($0, "sum_any", 900) }, { .count($0, "sum_any", .max) }, gap: .milliseconds(-5))
        try await bothOrders(more) { replica async throws in
            #expect(try await replica.note(over)?["sum_any"] == .integer(-1000))
        }
        let (above, last) = try twoWriters(
            { .count($0, "sum_any", 900) }, { .count($0, "sum_any", 101) }, gap: .milliseconds(-5))
        try await bothOrders(last) { replica async throws in
            #expect(try await replica.note(above)?["sum_any"] == .integer(1000))
        }
    }
}
