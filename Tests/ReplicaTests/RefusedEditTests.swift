import Records
import Replica
import Testing

/// Own mistakes are never authored: each is refused, and the fault names the field.
struct RefusedEditTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let name = "test.note/1"

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    /// Returns a replica with one note of the mate in it.
    private func replica(_ home: Home) async throws -> (replica: Replica, note: EntityID) {
        let replica = try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
        var theirs = Author(mate.key, in: pair)
        let note = theirs.create(1)
        try theirs.write([note.operation], at: now)
        try await replica.merge([theirs])
        return (replica, note.entity)
    }

    /// Expects edits to be refused, and nothing to be stored.
    private func expect(
        _ fault: EditFault, for edits: [Edit], by replica: Replica
    ) async throws {
        let before = await replica.spaces()
        await #expect(throws: fault) {
            try await replica.author(edits, in: pair.id, wallTime: now)
        }
        #expect(await replica.spaces() == before)
    }

    @Test func `a value of another type or over its limit is refused`() async throws {
        let home = try homes.make()
        let (replica, _) = try await replica(home)
        for value in [Value.integer(1), .text(String(repeating: "x", count: 21))] {
            let fault = EditFault.notAdmitted(field: "title", .text(bytesMax: 20))
            #expect(fault.field == "title")
            try await expect(
                fault, for: [.own(collection: name, fields: ["title": value])], by: replica)
        }
        try await expect(
            .notAdmitted(field: "weight", .real),
            for: [.own(collection: name, fields: ["weight": .real(.nan)])], by: replica)
        let full = Value.text(String(repeating: "x", count: 20))
        _ = try await replica.author(
            [.own(collection: name, fields: ["title": full])], in: pair.id, wallTime: now)
    }

    @Test func `a field that another person writes is refused`() async throws {
        let home = try homes.make()
        let (replica, note) = try await replica(home)
        try await expect(
            .notTheWriter(field: "title", .creator),
            for: [.set(collection: name, entity: note, fields: ["title": .text("x")])],
            by: replica)
        try await expect(
            .notTheWriter(field: "last_owner", .owner),
            for: [.own(collection: name, fields: ["last_owner": .text("x")])], by: replica)
        try await expect(
            .notTheWriter(field: "last_named", .named(inField: "friend")),
            for: [.own(collection: name, fields: ["last_named": .text("x")])], by: replica)
        try await expect(
            .notTheWriter(field: "last_named", .named(inField: "friend")),
            for: [
                .own(
                    collection: name,
                    fields: ["friend": .bytes(mate.person.bytes), "last_named": .text("x")])
            ], by: replica)
    }

    @Test func `the person named in a note writes their own fields`() async throws {
        let home = try homes.make()
        let (replica, _) = try await replica(home)
        var theirs = Author(mate.key, in: pair)
        let note = theirs.create(1)
        try theirs.write([note.operation], at: now)
        try theirs.write(
            [.set(note.entity, "friend", .bytes(me.person.bytes))], at: now + .milliseconds(1))
        try await replica.merge([theirs])
        _ = try await replica.author(
            [
                .set(
                    collection: name, entity: note.entity, fields: ["last_named": .text("mine")]),
                .count(collection: name, entity: note.entity, field: "sum_named", by: 2),
                .add(collection: name, entity: note.entity, field: "set_named", .text("a")),
            ], in: pair.id, wallTime: now)
        let row = try await replica.note(note.entity)
        #expect(row?["last_named"] == .text("mine"))
        #expect(row?["sum_named"] == .integer(2))
        #expect(try await replica.elements(note.entity, "set_named") == ["a"])
    }

    @Test func `an element that was removed can be added again`() async throws {
        let home = try homes.make()
        let (replica, note) = try await replica(home)
        let add = Edit.add(collection: name, entity: note, field: "set_any", .text("a"))
        let remove = Edit.remove(collection: name, entity: note, field: "set_any", .text("a"))
        _ = try await replica.author([add], in: pair.id, wallTime: now)
        _ = try await replica.author([add], in: pair.id, wallTime: now)
        _ = try await replica.author([remove], in: pair.id, wallTime: now)
        #expect(try await replica.elements(note, "set_any") == [])
        try await expect(.nothingToWrite, for: [remove], by: replica)
        _ = try await replica.author([add], in: pair.id, wallTime: now)
        #expect(try await replica.elements(note, "set_any") == ["a"])
        #expect(try await replica.summary(pair)?.void == 0)
    }

    @Test func `an append field is written when its entity begins and never again`() async throws {
        let home = try homes.make()
        let (replica, _) = try await replica(home)
        let edit = Edit.own(collection: name, fields: ["once_creator": .text("born")])
        _ = try await replica.author([edit], in: pair.id, wallTime: now)
        try await expect(.immutable(field: "once_creator"), for: [edit], by: replica)
    }

    @Test func `edits of undeclared, unknown or closed things are refused`() async throws {
        let home = try homes.make()
        let (replica, note) = try await replica(home)
        let nobody = EntityID(raw: .zero)
        try await expect(
            .unknownCollection("test.other/1"),
            for: [.own(collection: "test.other/1", fields: [:])], by: replica)
        try await expect(
            .unknownField(collection: name, field: "other"),
            for: [.own(collection: name, fields: ["other": .null])], by: replica)
        try await expect(
            .unknownEntity(collection: name, nobody),
            for: [.count(collection: name, entity: nobody, field: "sum_any", by: 1)], by: replica)
        try await expect(
            .wrongVerb(field: "last_any", .lastWriter),
            for: [.count(collection: name, entity: note, field: "last_any", by: 1)], by: replica)
        try await expect(.nothingToWrite, for: [], by: replica)
        await #expect(throws: BatchFault.unknownSpace) {
            try await replica.author(
                [.own(collection: name, fields: [:])], in: SpaceDescriptor.card(me.person).id,
                wallTime: now)
        }
    }

    @Test func `unknown people, and others in a person's space, cannot author`() async throws {
        let (home, other) = (try homes.make(), try homes.make())
        let card = SpaceDescriptor.card(mate.person)
        let edit = Edit.own(collection: name, fields: [:])
        let replica = try await home.replica(of: me.key, knowing: [me, mate], in: [card])
        await #expect(throws: BatchFault.notAMember(me.device)) {
            try await replica.author([edit], in: card.id, wallTime: now)
        }
        let unknown = try await other.replica(of: me.key, knowing: [mate], in: [pair])
        await #expect(throws: BatchFault.notAMember(me.device)) {
            try await unknown.author([edit], in: pair.id, wallTime: now)
        }
    }

    @Test func `a batch at the limit of operations is authored and one more is refused`()
        async throws
    {
        let home = try homes.make()
        let (replica, note) = try await replica(home)
        let count = Edit.count(collection: name, entity: note, field: "sum_any", by: 1)
        let full = [Edit](repeating: count, count: Limits.batchOperationsMax)
        _ = try await replica.author(full, in: pair.id, wallTime: now)
        #expect(try await replica.note(note)?["sum_any"] == .integer(1000))
        let limit = Limits.batchOperationsMax
        await #expect(throws: BatchFault.tooManyOperations(count: limit + 1, limit: limit)) {
            try await replica.author(full + [count], in: pair.id, wallTime: now)
        }
    }

    @Test func `batches that other people hold are salted, and others are not`() async throws {
        let home = try homes.make()
        let (replica, _) = try await replica(home)
        try await replica.open(.own(me.person))
        var salts: [Bytes16?] = []
        for (space, number) in [(SpaceDescriptor.own(me.person), 0), (pair, 0), (pair, 1)] {
            _ = try await replica.author(
                [.own(collection: name, fields: ["title": .text("x")])], in: space.id,
                wallTime: now)
            let run = try await replica.runs(
                in: space.id, log: LogName(device: me.device), after: UInt64(number),
                bytesMax: 4096)
            salts.append(run?.batches.first?.body?.salt)
        }
        #expect(salts[0] == nil)
        #expect(salts[1] != nil && salts[2] != nil && salts[1] != salts[2])
    }
}
