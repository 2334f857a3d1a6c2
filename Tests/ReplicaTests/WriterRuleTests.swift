import Records
import Replica
import Testing

/// The people who may write a field, for every writer rule with every merge rule.
struct WriterRuleTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1, deviceCount: 2)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    /// Returns the value that a write of a field leaves, by its merge rule, as one text.
    private func shown(
        _ entity: EntityID, _ field: String, by replica: Replica
    ) async throws -> String {
        if field.hasPrefix("set") {
            return try await replica.elements(entity, field).joined(separator: ",")
        }
        return switch try await replica.note(entity)?[field] {
        case .text(let text): text
        case .integer(let sum): sum == 0 ? "" : "\(sum)"
        default: ""
        }
    }

    private func write(_ entity: EntityID, _ field: String) -> Operation {
        if field.hasPrefix("set") { return .add(entity, field, .text("1")) }
        if field.hasPrefix("sum") { return .count(entity, field, 1) }
        return .set(entity, field, .text("1"))
    }

    private func replica(_ home: Home, _ spaces: [SpaceDescriptor]) async throws -> Replica {
        try await home.replica(of: me.key, knowing: [me, mate], in: spaces)
    }

    @Test(arguments: RecordCollection.merges.map(\.name))
    func `the creator writes on any device, and another person's write is void`(
        merge: String
    ) async throws {
        let home = try homes.make()
        let replica = try await replica(home, [pair])
        var mine = Author(me.devices[0], in: pair)
        var theirs = Author(mate.key, in: pair)
        let (own, other) = (mine.create(1), theirs.create(2))
        let field = "\(merge)_creator"
        try mine.write([own.operation, write(own.entity, field)], at: now)
        try theirs.write([other.operation, write(own.entity, field)], at: now + .milliseconds(1))
        try await replica.merge([mine, theirs])
        #expect(try await shown(own.entity, field, by: replica) == "1")
        #expect(try await shown(other.entity, field, by: replica) == "")
        #expect(try await replica.summary(pair)?.void == 1)
    }

    @Test(arguments: RecordCollection.merges.map(\.name))
    func `the owner of the space writes, and a pair has no owner`(merge: String) async throws {
        let home = try homes.make()
        let card = SpaceDescriptor.card(me.person)
        let replica = try await replica(home, [card, pair])
        let field = "\(merge)_owner"
        for (space, expected) in [(card, "1"), (pair, "")] {
            var author = Author(me.key, in: space)
            let note = author.create(1)
            try author.write([note.operation, write(note.entity, field)], at: now)
            try await replica.merge([author])
            #expect(try await shown(note.entity, field, by: replica) == expected)
            #expect(try await replica.summary(space)?.void == (expected.isEmpty ? 1 : 0))
        }
    }

    @Test(arguments: RecordCollection.merges.map(\.name).filter { $0 != "once" })
    func `any member writes`(merge: String) async throws {
        let home = try homes.make()
        let replica = try await replica(home, [pair])
        var mine = Author(me.key, in: pair)
        var theirs = Author(mate.key, in: pair)
        let note = mine.create(1)
        try mine.write([note.operation], at: now)
        try theirs.write([write(note.entity, "\(merge)_any")], at: now)
        try await replica.merge([mine, theirs])
        #expect(try await shown(note.entity, "\(merge)_any", by: replica) == "1")
        #expect(try await replica.summary(pair)?.void == 0)
    }

    @Test(arguments: RecordCollection.merges.map(\.name).filter { $0 != "once" })
    func `only the named person's writes are shown, even if that person is named later`(
        merge: String
    ) async throws {
        let home = try homes.make()
        let replica = try await replica(home, [pair])
        var mine = Author(me.devices[0], in: pair)
        var second = Author(me.devices[1], in: pair)
        var theirs = Author(mate.key, in: pair)
        let note = mine.create(1)
        let field = "\(merge)_named"
        try mine.write([note.operation, write(note.entity, field)], at: now)
        try theirs.write([write(note.entity, field), write(note.entity, field)], at: now)
        try await replica.merge([mine, theirs])
        #expect(try await shown(note.entity, field, by: replica) == "")
        try mine.write(
            [.set(note.entity, "friend", .bytes(mate.person.bytes))], at: now + .milliseconds(9))
        try await replica.merge([mine])
        let doubled = merge == "sum" ? "2" : "1"
        #expect(try await shown(note.entity, field, by: replica) == doubled)
        try second.write(
            [.set(note.entity, "friend", .bytes(me.person.bytes))], at: now + .milliseconds(8))
        try await replica.merge([second])
        #expect(try await shown(note.entity, field, by: replica) == "1")
        #expect(try await replica.note(note.entity)?.person("friend") == me.person)
    }

    @Test func `an operation of another kind than its field is void`() async throws {
        let home = try homes.make()
        let replica = try await replica(home, [pair])
        var author = Author(me.key, in: pair)
        let note = author.create(1)
        try author.write(
            [
                note.operation, .set(note.entity, "set_any", .text("x")),
                .add(note.entity, "title", .text("x")), .count(note.entity, "title", 1),
                .set(note.entity, "sum_any", .integer(1)), .add(note.entity, "set_any", .null),
            ], at: now)
        try await replica.merge([author])
        #expect(try await replica.summary(pair)?.void == 5)
        #expect(try await replica.note(note.entity)?["title"] == .null)
    }

    @Test func `a value at a field's limit counts and one past it is void`() async throws {
        let home = try homes.make()
        let replica = try await replica(home, [pair])
        var author = Author(me.key, in: pair)
        let note = author.create(1)
        let full = String(repeating: "x", count: 20)
        try author.write(
            [
                note.operation, .set(note.entity, "title", .text(full)),
                .set(note.entity, "title", .text(full + "x")),
            ], at: now)
        try await replica.merge([author])
        #expect(try await replica.note(note.entity)?["title"] == .text(full))
        #expect(try await replica.summary(pair)?.void == 1)
    }

    @Test func `an entity that begins with another entity's id is void`() async throws {
        let home = try homes.make()
        let replica = try await replica(home, [pair])
        let mine = Author(me.key, in: pair)
        var theirs = Author(mate.key, in: pair)
        try theirs.write(
            [mine.create(1).operation, mine.createOwn(me.person).operation], at: now)
        try await replica.merge([theirs])
        #expect(try await replica.summary(pair)?.void == 2)
        #expect(try await Dump(replica).lines.isEmpty)
    }

    @Test func `collections of other spaces are void, and control operations are ignored`()
        async throws
    {
        let home = try homes.make()
        let only = RecordCollection(
            "test.only/1", table: "only", spaces: [.own], fields: [.init(1, "a", .boolean)])
        let replica = try await home.replica(
            of: me.key, knowing: [me, mate], in: [pair], collections: [only])
        var author = Author(me.key, in: pair)
        try author.write(
            [
                Operation(collection: .control, entity: .control, action: .accept),
                Operation(
                    collection: .control, entity: .control, action: .grant(mate.person, .owner)),
                author.create(1, only).operation,
            ], at: now)
        try await replica.merge([author])
        #expect(try await replica.summary(pair)?.void == 1)
        #expect(try await replica.summary(pair)?.batches == 1)
    }
}
