import Foundation
import Records
import Replica
import Testing

/// The batches and records that result from own edits.
struct AuthoringTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
    }

    @Test func `an authored record is readable with every type of field`() async throws {
        let home = try homes.make()
        let space = SpaceDescriptor.own(me.person)
        let replica = try await home.replica(of: me.key, knowing: [me], in: [space])
        let commit = try await replica.author(
            [
                .create(
                    collection: "test.note/1", nonce: .zero,
                    fields: [
                        "title": .text("walk"), "done": .boolean(true), "weight": .real(1.5),
                        "places": .list([.text("a\"b"), .text("c")]), "picture": .bytes([1, 2]),
                        "friend": .bytes(mate.person.bytes), "once_creator": .text("born"),
                    ])
            ], in: space.id, wallTime: now)
        let entity = try #require(commit.created.first)
        let row = try #require(try await replica.note(entity))
        #expect(row["title"] == .text("walk"))
        #expect(row["done"] == .integer(1))
        #expect(row["weight"] == .real(1.5))
        #expect(row["places"] == .text(#"["a\"b","c"]"#))
        #expect(row["picture"] == .bytes([1, 2]))
        #expect(row.person("friend") == mate.person)
        #expect(row.person("creator") == me.person)
        #expect(row["once_creator"] == .text("born"))
        #expect(row["sum_creator"] == .integer(0))
        #expect(row["last_named"] == .null)
        #expect(commit.number == 1)
        #expect(commit.stamp == Stamp(now))
        #expect(
            commit.changes == [
                RecordChange(
                    collection: "test.note/1", space: space, entity: entity, author: me.person,
                    isOwn: true)
            ])
    }
}
