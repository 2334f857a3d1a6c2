import ControlAPI
import FeaturesAPI
import Foundation
import GRDB
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// A disk that loses stored bytes.
@Suite(.serialized) struct DamageTests {
    /// Two mates who hold the same data; the second one's node has stopped.
    private struct Stopped {
        let meeting: Meeting
        let device: Key
        var home: Home { meeting.other.home }
        var mate: RunningNode { meeting.one }

        static func make() async throws -> Stopped {
            let meeting = try await Meeting.mates()
            try await DamageTests.write(meeting)
            let device = try await meeting.other.device
            try await meeting.other.stop()
            return Stopped(meeting: meeting, device: device)
        }

        /// Starts the second node on the port that its mate dials.
        func start() async throws -> RunningNode {
            try await RunningNode.start(home, port: meeting.other.port)
        }

        func linked() async throws -> RunningNode {
            let again = try await start()
            try await again.wait(for: NodeCommands.status) { $0.links.count == 1 }
            return again
        }
    }

    /// Writes several batches on the first node and waits until the second has them all.
    private static func write(_ meeting: Meeting) async throws {
        for dog in ["Rolf", "Rudi"] {
            try await meeting.one.call(ProfileCommands.edit, .init(dogName: Text(dog)))
        }
        #expect(
            await eventually {
                (try? await meeting.one.call(NodeCommands.verify, .init()))?.content == true
            })
    }

    /// Overwrites the last byte of the body of the first batch that has a successor in its log and
    /// is not by the given device: the end of a log is checked at every start.
    /// - Returns: the batch's hash.
    @discardableResult
    private func damage(_ home: Home, spare device: Key) throws -> Data {
        try change(
            home,
            where: """
                id = (SELECT min(batch.id) FROM batch JOIN log ON log.number = batch.id >> 40
                WHERE lower(hex(log.device)) <> '\(device.string)'
                    AND EXISTS (SELECT 1 FROM batch later WHERE later.id = batch.id + 1))
                """)
    }

    /// - Parameter digits: the new byte, in hexadecimal; a different byte is used if it equals the
    ///   old.
    @discardableResult
    private func change(
        _ home: Home, where condition: String, to digits: String = "EE"
    ) throws -> Data {
        let queue = try DatabaseQueue(path: home.replicaFile)
        defer { try? queue.close() }
        return try queue.write { database in
            let hash = try Data.fetchOne(
                database, sql: "SELECT hash FROM batch WHERE \(condition)")
            try database.execute(
                sql: """
                    UPDATE batch SET body = CAST(
                        substr(body, 1, length(body) - 1)
                        || CASE hex(substr(body, -1)) WHEN '\(digits)' THEN x'11'
                           ELSE x'\(digits)' END
                        AS BLOB) WHERE \(condition)
                    """)
            #expect(database.changesCount == 1)
            return hash ?? Data()
        }
    }

    private func notices(_ node: RunningNode) async throws -> [NodeStatus.Notice.Kind] {
        try await node.call(NodeCommands.status).notices.map(\.kind)
    }

    @Test func `verify reports a damaged byte, which is fetched from the mate and then gone`()
        async throws
    {
        let stopped = try await Stopped.make()
        try damage(stopped.home, spare: stopped.device)
        let again = try await stopped.linked()
        let first = try await again.call(NodeCommands.verify, .init())
        #expect(first.damaged == 1)
        #expect(first.mended == 1)
        #expect(first.advice == nil)
        let named = try #require(first.batches.first)
        #expect(named.device == (try await stopped.mate.device))
        #expect(named.first == named.last && named.mended)
        let second = try await again.call(NodeCommands.verify, .init())
        #expect(second.damaged == 0)
        #expect(second.differing == 0)
        #expect(second.content)
        #expect(second.audited.value > 0)
        let digests = second.spaces
        #expect(!digests.isEmpty && digests.allSatisfy { $0.mine == $0.theirs })
        try await again.remove()
        try await stopped.mate.remove()
    }

    @Test func `the mate's verify makes the damaged side repair itself`() async throws {
        let stopped = try await Stopped.make()
        try damage(stopped.home, spare: stopped.device)
        let again = try await stopped.start()
        try await stopped.mate.wait(for: NodeCommands.status) {
            $0.links.count == 1
        }
        #expect(try await stopped.mate.call(NodeCommands.verify, .init()).differing == 1)
        let isMended = await eventually {
            (try? await stopped.mate.call(NodeCommands.verify, .init()))?.differing == 0
        }
        #expect(isMended)
        #expect(try await notices(again).contains(.damaged))
        try await again.remove()
        try await stopped.mate.remove()
    }

    @Test func `one audit finds hundreds of consecutive damaged batches, and all are repaired`()
        async throws
    {
        let meeting = try await Meeting.mates()
        for number in 0..<200 {
            try await meeting.one.call(ProfileCommands.edit, .init(dogName: Text("Rolf \(number)")))
        }
        let isEqual = await eventually {
            (try? await meeting.one.call(NodeCommands.verify, .init()))?.content == true
        }
        #expect(isEqual)
        let device = try await meeting.one.device
        try await meeting.other.stop()
        let queue = try DatabaseQueue(path: meeting.other.home.replicaFile)
        try await queue.write { database in
            try database.execute(
                sql: """
                    UPDATE batch SET body = CAST(body || x'EE' AS BLOB)
                    WHERE id >> 40 IN (SELECT number FROM log WHERE lower(hex(device)) = ?)
                        AND id & 1099511627775 BETWEEN 2 AND 190
                    """, arguments: [device.string])
            #expect(database.changesCount >= 189)
        }
        try queue.close()
        let again = try await RunningNode.start(meeting.other.home, port: meeting.other.port)
        try await meeting.one.wait(for: NodeCommands.status) { $0.links.count == 1 }
        let verdict = try await meeting.one.call(NodeCommands.verify, .init())
        #expect(verdict.differing.value >= 189)
        let isMended = await eventually {
            (try? await meeting.one.call(NodeCommands.verify, .init()))?.content == true
        }
        #expect(isMended)
        try await again.remove()
        try await meeting.one.remove()
    }

    @Test func `a damaged end of a log is found at the start and fetched without a request`()
        async throws
    {
        let stopped = try await Stopped.make()
        try change(
            stopped.home,
            where: """
                id = (SELECT max(batch.id) FROM batch JOIN log ON log.number = batch.id >> 40
                WHERE lower(hex(log.device)) <> '\(stopped.device.string)')
                """)
        let again = try await stopped.linked()
        #expect(await eventually { (try? await notices(again))?.contains(.damaged) == true })
        let isMended = await eventually {
            (try? await again.call(NodeCommands.verify, .init()))?.damaged == 0
        }
        #expect(isMended)
        try await again.remove()
        try await stopped.mate.remove()
    }

    @Test func `with no one near, verify reports the damage, and a mate who arrives repairs it`()
        async throws
    {
        let stopped = try await Stopped.make()
        let (mateHome, matePort) = (stopped.mate.home, stopped.mate.port)
        try await stopped.mate.stop()
        try damage(stopped.home, spare: stopped.device)
        let alone = try await stopped.start()
        let verdict = try await alone.call(NodeCommands.verify, .init())
        #expect(verdict.damaged == 1)
        #expect(verdict.mended == 0)
        #expect(!verdict.content)
        let advice = try #require(verdict.advice).string
        #expect(advice.contains("1 stored change is damaged") && advice.contains("waggle repair"))
        let mate = try await RunningNode.start(mateHome, port: matePort)
        let isMended = await eventually {
            let verdict = try? await alone.call(NodeCommands.verify, .init())
            return verdict?.content == true && verdict?.damaged == 0
        }
        #expect(isMended)
        try await alone.remove()
        try await mate.remove()
    }

    @Test func `if the mate's copy is damaged too, the links stay and repair is advised`()
        async throws
    {
        let stopped = try await Stopped.make()
        let (mateHome, matePort) = (stopped.mate.home, stopped.mate.port)
        try await stopped.mate.stop()
        // The same batch, which a third device could have: the copy of its author is damaged too,
        // but differently, since copies with the same damage have the same hash.
        let hash = try damage(stopped.home, spare: stopped.device)
        let digits = hash.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        try change(mateHome, where: "hash = x'\(digits)'", to: "DD")
        let mate = try await RunningNode.start(mateHome, port: matePort)
        let again = try await stopped.linked()
        let verdict = try await again.call(NodeCommands.verify, .init())
        #expect(verdict.damaged == 1 && verdict.mended == 0)
        #expect(!verdict.content)
        #expect(verdict.advice?.string.contains("waggle repair") == true)
        #expect(try await notices(again) == [.damaged])
        #expect(await eventually { (try? await notices(mate)) == [.damaged] })
        let report = try await again.call(NodeCommands.repair, .init())
        #expect(!report.isWhole)
        #expect(
            await eventually {
                let verdict = try? await again.call(NodeCommands.verify, .init())
                return verdict?.damaged == 0
            })
        try await again.remove()
        try await mate.remove()
    }

    @Test func `a restored backup is audited without a request`() async throws {
        let meeting = try await Meeting.mates()
        try await DamageTests.write(meeting)
        let file = meeting.other.home.directory + ".backup"
        try await meeting.other.call(NodeCommands.backup, .init(file: FilePath(file)))
        let device = try await meeting.other.device
        let old = meeting.other.home
        try await meeting.other.stop()
        let home = Home(old.directory + "-restored")
        _ = try HomeBackup.restore(file, into: home)
        try damage(home, spare: device)
        let again = try await RunningNode.start(home, port: meeting.other.port)
        #expect(try await again.call(NodeCommands.status).audited == nil)
        let status = try await again.wait(for: NodeCommands.status) { $0.audited != nil }
        let audit = try #require(status.audited)
        #expect(audit.damaged == 1)
        #expect(audit.mended == 1)
        #expect(audit.content)
        #expect(audit.audited.value > 0)
        try await again.remove()
        try await meeting.one.remove()
        for path in [file, old.directory] { try FileManager.default.removeItem(atPath: path) }
    }
}
