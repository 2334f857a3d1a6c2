import ControlAPI
import FeaturesAPI
import Foundation
import Identity
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// Homes that are restored from a backup, or that run twice.
@Suite(.serialized) struct RestoredHomeTests {
    /// Two mates; the second one's node has stopped, and a copy of its database is kept.
    private struct Kept {
        let meeting: Meeting
        let device: Key
        let backup: String
        var home: Home { meeting.other.home }
        var port: UInt16 { meeting.other.port }

        static func make() async throws -> Kept {
            let meeting = try await Meeting.mates()
            let device = try await meeting.other.device
            #expect(
                await eventually {
                    (try? await meeting.one.call(NodeCommands.verify, .init()))?.equal == true
                })
            try await meeting.other.stop()
            let kept = Kept(
                meeting: meeting, device: device, backup: meeting.other.home.directory + ".db")
            try FileManager.default.copyItem(
                atPath: kept.home.replicaFile, toPath: kept.backup)
            return kept
        }

        /// Writes another batch, which the mate receives, and then restores the old database.
        func writeAndRestore() async throws {
            let later = try await RunningNode.start(home, port: port)
            try await later.call(ProfileCommands.edit, .init(nickname: Nickname("Later")))
            try await meeting.one.wait(for: MateCommands.list) {
                $0.mates.first?.profile.nickname == "Later"
            }
            try await later.stop()
            try FileManager.default.removeItem(atPath: home.replicaFile)
            try FileManager.default.moveItem(atPath: backup, toPath: home.replicaFile)
        }
    }

    /// Restores the database from before the end of a mateship, and returns the node again.
    /// - Parameter alone: whether the former mate's node has stopped by then.
    private func restoreMateship(
        of kept: Kept, alone: Bool = false
    ) async throws -> RunningNode {
        let one = kept.meeting.one
        let later = try await RunningNode.start(kept.home, port: kept.port)
        try await one.call(MateCommands.remove, .init(person: NameOrKey(later.person)))
        try await later.wait(for: MateCommands.list) { $0.mates.isEmpty }
        // Nothing is shared any longer, so the end was acknowledged.
        let isOver = await eventually {
            do {
                try await one.call(NodeCommands.verify, .init())
                return false
            } catch { return (error as? CommandFault)?.code == "notFound" }
        }
        #expect(isOver)
        try await later.stop()
        if alone { try await one.stop() }
        try FileManager.default.removeItem(atPath: kept.home.replicaFile)
        try FileManager.default.moveItem(atPath: kept.backup, toPath: kept.home.replicaFile)
        return try await RunningNode.start(kept.home, port: kept.port)
    }

    @Test func `a mate who restores a backup is told again that the mateship ended`() async throws {
        let kept = try await Kept.make()
        let again = try await restoreMateship(of: kept)
        #expect(await eventually { await isWithoutMates(again) })
        #expect(
            try await kept.meeting.one.call(MateCommands.list).mates.isEmpty)
        // Without a peer to ask about its own batches, the node restarts under a new key.
        let isSettled = await eventually {
            let status = try? await again.call(NodeCommands.status)
            return status != nil && status?.unsettled == nil
        }
        #expect(isSettled)
        // After they were told again, they share nothing again.
        for node in [again, kept.meeting.one] {
            let isOver = await eventually {
                do {
                    try await node.call(NodeCommands.verify, .init())
                    return false
                } catch { return (error as? CommandFault)?.code == "notFound" }
            }
            #expect(isOver)
        }
        try await again.remove()
        try await kept.meeting.one.remove()
    }

    @Test func `a mate who continued under a new key is told that the mateship ended`() async throws
    {
        let kept = try await Kept.make()
        let (oneHome, onePort) = (kept.meeting.one.home, kept.meeting.one.port)
        let again = try await restoreMateship(of: kept, alone: true)
        let hasNewKey = await eventually {
            let device = try? await again.device
            return device != nil && device != kept.device
        }
        #expect(hasNewKey)
        #expect(try await again.call(MateCommands.list).mates.count == 1)
        let one = try await RunningNode.start(oneHome, port: onePort)
        #expect(await eventually { await isWithoutMates(again) })
        try await again.remove()
        try await one.remove()
    }

    private func notices(_ node: RunningNode) async -> [NodeStatus.Notice.Kind] {
        let status = try? await node.call(NodeCommands.status)
        return status?.notices.map(\.kind) ?? []
    }

    /// Whether a node answers, which it does not while it restarts, and lists no mate.
    private func isWithoutMates(_ node: RunningNode) async -> Bool {
        (try? await node.call(MateCommands.list))?.mates.isEmpty == true
    }

    private func isEqual(_ node: RunningNode) async -> Bool {
        (try? await node.call(NodeCommands.verify, .init()))?.equal == true
    }

    @Test func `a mate brings a database that was restored alone up to date before it writes`()
        async throws
    {
        let kept = try await Kept.make()
        try await kept.writeAndRestore()
        let again = try await RunningNode.start(kept.home, port: kept.port)
        #expect(try await again.call(NodeCommands.status).startsDisagree)
        let isSettled = await eventually {
            let status = try? await again.call(NodeCommands.status)
            return status != nil && status?.unsettled == nil
        }
        #expect(isSettled)
        #expect(try await again.device == kept.device)
        #expect(try await again.call(ProfileCommands.show).nickname == "Later")
        try await again.call(ProfileCommands.edit, .init(dogName: Text("Anew")))
        try await kept.meeting.one.wait(for: MateCommands.list) {
            $0.mates.first?.profile.dogName == "Anew"
        }
        #expect(await eventually { await isEqual(again) })
        // Nothing forked: the device continued at its former end.
        for node in [again, kept.meeting.one] { #expect(await !notices(node).contains(.forked)) }
        try await again.remove()
        try await kept.meeting.one.remove()
    }

    @Test func `without a peer, a restored device continues under a new key and reports this`()
        async throws
    {
        let kept = try await Kept.make()
        try await kept.writeAndRestore()
        let (oneHome, onePort) = (kept.meeting.one.home, kept.meeting.one.port)
        try await kept.meeting.one.stop()
        let alone = try await RunningNode.start(kept.home, port: kept.port)
        await #expect {
            try await alone.call(ProfileCommands.edit, .init(nickname: Nickname("Early")))
        } throws: { error in
            guard case CommandFault.refused(let sentence) = error else { return false }
            return sentence.english.contains("backup")
        }
        #expect(try await alone.call(MateCommands.list).mates.count == 1)
        let hasNewKey = await eventually {
            let device = try? await alone.device
            return device != nil && device != kept.device
        }
        #expect(hasNewKey)
        #expect(await notices(alone) == [.newDevice])
        try await alone.call(ProfileCommands.edit, .init(nickname: Nickname("Afresh")))
        let items = try await alone.call(InboxCommands.list).items
        #expect(items.contains { $0.kind == "newDevice" })
        let old = DeviceKeyFile(path: "\(kept.home.deviceKeyFile).\(kept.device.string.prefix(6))")
        #expect(Key(try old.load().id) == kept.device)
        // The mate learns of the device, and the device's earlier batches return.
        let one = try await RunningNode.start(oneHome, port: onePort)
        try await one.wait(for: MateCommands.list) {
            $0.mates.first?.profile.nickname == "Afresh"
        }
        #expect(await eventually { await isEqual(one) })
        try await alone.remove()
        try await one.remove()
    }

    @Test func `a home restored without a trace adopts its batches from its mate and reports this`()
        async throws
    {
        let kept = try await Kept.make()
        let old = kept.home.directory + "-old"
        try FileManager.default.copyItem(atPath: kept.home.directory, toPath: old)
        try await kept.writeAndRestore()
        try FileManager.default.removeItem(atPath: kept.home.directory)
        try FileManager.default.moveItem(atPath: old, toPath: kept.home.directory)
        let again = try await RunningNode.start(kept.home, port: kept.port)
        #expect(try await !again.call(NodeCommands.status).startsDisagree)
        #expect(await eventually { await notices(again).contains(.adopted) })
        #expect(await eventually { await isEqual(again) })
        #expect(try await again.call(ProfileCommands.show).nickname == "Later")
        try await again.call(ProfileCommands.edit, .init(dogName: Text("Anew")))
        try await kept.meeting.one.wait(for: MateCommands.list) {
            $0.mates.first?.profile.dogName == "Anew"
        }
        #expect(try await again.device == kept.device)
        try await again.remove()
        try await kept.meeting.one.remove()
    }

    @Test func `a copy of a home is detected when the two meet`() async throws {
        let home = try RunningNode.founded()
        let copy = Home(home.directory + "-copy")
        try FileManager.default.copyItem(atPath: home.directory, toPath: copy.directory)
        let first = try await RunningNode.start(home)
        let second = try await RunningNode.start(copy)
        try await second.dial(first)
        for node in [first, second] {
            #expect(await eventually { await notices(node) == [.clone] })
            #expect(try await node.call(NodeCommands.status).links.isEmpty)
        }
        try await first.remove()
        try await second.remove()
    }

    @Test func `a node that dials itself gets no link and reports no copy`() async throws {
        let node = try await RunningNode.start()
        try await node.dial(node)
        // The address of another node is dialled after the node's own.
        let other = try await RunningNode.start()
        try await node.dial(other)
        try await node.wait(for: NodeCommands.status) { $0.links.count == 1 }
        #expect(await notices(node).isEmpty)
        try await node.remove()
        try await other.remove()
    }

    @Test func `a common mate detects a copy that wrote on its own, and nothing is lost`()
        async throws
    {
        let kept = try await Kept.make()
        let one = kept.meeting.one
        let copy = Home(kept.home.directory + "-copy")
        try FileManager.default.copyItem(atPath: kept.home.directory, toPath: copy.directory)
        let second = try await RunningNode.start(copy)
        try await second.call(ProfileCommands.edit, .init(dogName: Text("Copied")))
        let first = try await RunningNode.start(kept.home, port: kept.port)
        try await first.call(ProfileCommands.edit, .init(nickname: Nickname("Original")))
        try await one.wait(for: MateCommands.list) {
            $0.mates.first?.profile.nickname == "Original"
        }
        try await second.dial(one)
        #expect(await eventually { await notices(one).contains(.clone) })
        // Both sides notice the fork in the end, no matter which copy is linked.
        try await first.stop()
        #expect(await eventually { await notices(one).contains(.forked) })
        #expect(await eventually { await notices(second).contains(.forked) })
        try await one.wait(for: MateCommands.list) { mates in
            let profile = mates.mates.first?.profile
            return profile?.nickname == "Original" && profile?.dogName == "Copied"
        }
        #expect(await eventually { await isEqual(one) })
        try await second.remove()
        try await one.remove()
        try FileManager.default.removeItem(atPath: kept.home.directory)
        try? FileManager.default.removeItem(atPath: kept.backup)
    }
}
