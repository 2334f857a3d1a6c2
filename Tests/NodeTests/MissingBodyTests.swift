import ControlAPI
import Foundation
import GRDB
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Node

/// A batch that arrived erased, without its author's batch that erased it.
@Suite(.serialized) struct MissingBodyTests {
    /// Removes the body of a mate's last batch in a card from a home's file, as if a dishonest peer
    /// had sent it so.
    /// - Returns: the batch's key and its former body.
    private func removeBody(_ home: Home, spare device: Key) throws -> (Int64, Data) {
        let queue = try DatabaseQueue(path: home.replicaFile)
        defer { try? queue.close() }
        return try queue.write { database in
            let row = try #require(
                try GRDB.Row.fetchOne(
                    database,
                    sql: """
                        SELECT b.id, b.body, l.space FROM batch b
                        JOIN log l ON l.number = b.id >> 40
                        JOIN space s ON s.number = l.space AND s.kind = 'card'
                        WHERE lower(hex(l.device)) <> ? ORDER BY b.id DESC LIMIT 1
                        """, arguments: [device.string]))
            let (batch, body, space): (Int64, Data, Int64) = (row[0], row[1], row[2])
            let hash = BatchContent.bodyHash(ofEncoded: Array(body))
            try database.execute(
                sql: "UPDATE batch SET body = ? WHERE id = ?",
                arguments: [Data([2] + hash.bytes), batch])
            try database.execute(
                sql: "INSERT INTO missing_body VALUES (?, ?)", arguments: [space, batch])
            try database.execute(
                sql: "UPDATE log SET missing_rows = missing_rows + 1 WHERE number = ? >> 40",
                arguments: [batch])
            return (batch, body)
        }
    }

    /// Returns the stored body of a batch, and the number of missing bodies.
    private func stored(_ batch: Int64, in home: Home) throws -> (body: Data?, missing: Int?) {
        let queue = try DatabaseQueue(path: home.replicaFile)
        defer { try? queue.close() }
        return try queue.read { database in
            (
                try Data.fetchOne(
                    database, sql: "SELECT body FROM batch WHERE id = ?", arguments: [batch]),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM missing_body")
            )
        }
    }

    @Test func `a missing body is requested again from a mate whose digest is equal`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let isEqual = await eventually {
            (try? await meeting.one.call(NodeCommands.verify, .init()))?.equal == true
        }
        #expect(isEqual)
        let device = try await meeting.other.device
        try await meeting.other.stop()
        let home = meeting.other.home
        let (batch, body) = try removeBody(home, spare: device)

        let again = try await RunningNode.start(home, port: meeting.other.port)
        let isBack = await eventually {
            let stored = try? stored(batch, in: home)
            return stored?.body == body && stored?.missing == 0
        }
        #expect(isBack)
        try await again.remove()
        try await meeting.one.remove()
    }
}
