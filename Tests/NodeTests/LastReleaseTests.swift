import ChatAPI
import ControlAPI
import Features
import FeaturesAPI
import GRDB
import MatchingAPI
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Node

/// A home that the last release wrote, in which a match stands: before people could write to
/// authors of posts, a match had tables and views of its own.
@Suite(.serialized, .timeLimit(.minutes(3))) struct LastReleaseTests {
    /// The records of a match as the last release declared them. Homes and peers have batches with
    /// these names, numbers and types, so they never change.
    private static let declared = [
        RecordCollection(
            "neighbours.match/1", table: "neighbours_match", spaces: [.pair],
            indexes: [["space", "match"]], hasReservedRoom: true,
            fields: [
                .init(1, "match", .bytes(countMax: 16), merge: .append),
                .init(2, "at_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
                .init(3, "name", .text(bytesMax: TextRule.nickname.bytesMax), merge: .append),
                .init(4, "proof", .bytes(countMax: AgreementFact.proofBytesMax), merge: .append),
            ]),
        RecordCollection(
            "neighbours.match_ending/1", table: "neighbours_match_ending", spaces: [.pair],
            indexes: [["space", "match"]], hasReservedRoom: true,
            fields: [
                .init(1, "match", .bytes(countMax: 16), merge: .append),
                .init(2, "at_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
                .init(3, "is_cancel", .boolean, merge: .append),
                .init(4, "is_known", .boolean, merge: .append),
            ]),
        RecordCollection(
            "neighbours.match_partner/1", table: "neighbours_match_partner", spaces: [.own],
            fields: [.init(1, "person", .key, merge: .append)]),
    ]

    @Test func `the records of a match are declared as in the last release`() {
        for former in Self.declared {
            let present = CoreFeatures.manifest.collections.first { $0.name == former.name }
            #expect(present == former)
        }
    }

    /// Two strangers with a match, and a message in its room.
    private func matched() async throws -> (meeting: Meeting, room: NameOrKey) {
        let meeting = try await Meeting.linked()
        let (ana, ben) = (meeting.one, meeting.other)
        for node in [ana, ben] {
            try await node.call(MatchingCommands.wishes, .init(wish: WishList(typed: "coffee")))
            try await node.call(MatchingCommands.look)
        }
        for node in [ana, ben] {
            try await node.wait(for: MatchingCommands.people, .init()) { $0.people.count == 1 }
        }
        try await ana.call(MatchingCommands.request, .init(person: NameOrKey(ben.person)))
        try await ben.wait(for: MatchingCommands.people, .init()) {
            $0.people.first?.state == .asking
        }
        try await ben.call(MatchingCommands.accept, .init(person: NameOrKey(ana.person)))
        for node in [ana, ben] {
            try await node.wait(for: MatchingCommands.status) { $0.state == .matched }
        }
        let status = try await ana.call(MatchingCommands.status)
        let room = NameOrKey(try #require(status.partner?.room))
        try await say("Third floor", in: room, ana, ben)
        return (meeting, room)
    }

    /// Sends a message and waits until it is at the other's.
    private func say(
        _ text: String, in room: NameOrKey, _ one: RunningNode, _ other: RunningNode
    ) async throws {
        try await one.call(ChatCommands.send, .init(room: room, text: MessageText(text)))
        try await other.wait(for: ChatCommands.page, .init(room: room)) {
            $0.messages.contains { $0.text == text }
        }
    }

    /// Gives a home the tables and views of the last release, with the batches that are there.
    /// - Parameter isRebuilt: whether the declarations of matches differ in its file, so that their
    ///   tables are made anew from the batches.
    private func age(_ home: Home, isRebuilt: Bool) async throws {
        let queue = try DatabaseQueue(path: home.replicaFile)
        try await queue.writeWithoutTransaction { database in
            let views = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'view'")
            for view in views { try database.execute(sql: "DROP VIEW \"\(view)\"") }
            let new = try GRDB.Row.fetchAll(
                database,
                sql: """
                    SELECT name, tables FROM collection
                    WHERE name LIKE 'posts.%' OR name LIKE 'neighbours.correspondence%'
                    """)
            #expect(new.count > 5)
            for row in new {
                for table in (row[1] as String).split(separator: " ") {
                    try database.execute(sql: "DROP TABLE IF EXISTS \"\(table)\"")
                }
                try database.execute(
                    sql: "DELETE FROM collection WHERE name = ?", arguments: [row[0] as String])
            }
            for table in ["small_content", "small_day", "withdrawn_content"] {
                try database.execute(sql: "DROP TABLE \(table)")
            }
            try database.execute(
                sql: """
                    DELETE FROM grdb_migrations WHERE identifier LIKE 'small content%';
                    CREATE VIEW "neighbours_matches" AS
                        SELECT space, match, at_ms, stamp FROM neighbours_match;
                    CREATE VIEW "host_match" AS
                        SELECT space, match FROM "neighbours_matches";
                    """)
            if isRebuilt {
                try database.execute(
                    sql: """
                        UPDATE collection SET declaration = declaration || ' '
                        WHERE name LIKE 'neighbours.match%';
                        UPDATE neighbours_match SET name = 'wrong';
                        """)
                #expect(database.changesCount > 0)
            }
        }
        try queue.close()
    }

    @Test(arguments: [false, true])
    func `the match and its room are kept, and go on`(isRebuilt: Bool) async throws {
        let (meeting, room) = try await matched()
        let (ana, ben) = (meeting.one, meeting.other)
        let before = try await ana.call(MatchingCommands.status)
        let (home, port) = (ana.home, ana.port)
        try await ana.stop()
        try await age(home, isRebuilt: isRebuilt)

        let again = try await RunningNode.start(home, port: port)
        let status = try await again.wait(for: MatchingCommands.status) { $0.state == .matched }
        #expect(status.partner == before.partner)
        let rooms = try await again.call(ChatCommands.rooms).rooms
        #expect(rooms.map(\.studyMatch) == [true] && rooms.map(\.canSend) == [true])
        #expect(
            try await again.call(ChatCommands.page, .init(room: room)).messages.map(\.text)
                == ["Third floor"])
        let names = try await DatabaseQueue(path: home.replicaFile).read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_master WHERE name IN
                    ('host_match', 'neighbours_matches', 'small_content_due_by_author')
                    """)
        }
        #expect(names == ["small_content_due_by_author"], "the new index, and no former view")

        try await ben.wait(for: NodeCommands.status) { $0.links.count == 1 }
        try await say("By the window", in: room, ben, again)
        try await say("Good", in: room, again, ben)
        // What is new works on it.
        try await again.call(
            NeighbourhoodCommands.join, .init(name: NeighbourhoodName("Seongsu"), yes: true))
        try await again.wait(for: NodeCommands.status) { $0.spaces.contains { $0.kind == .open } }
        // Its end is told to the other, and closes the room on both sides.
        try await again.call(MatchingCommands.cancel, .init())
        for node in [again, ben] {
            try await node.wait(for: MatchingCommands.status) { $0.state == .idle }
            try await node.wait(for: ChatCommands.rooms) { $0.rooms.first?.canSend == false }
        }
        for node in [again, ben] { try await node.remove() }
    }
}
