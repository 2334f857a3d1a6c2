import ChatAPI
import ControlAPI
import FeaturesAPI
import Foundation
import Identity
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Node

/// A second device that becomes one of a person by a code, over real links.
@Suite(.serialized) struct JoiningTests {
    /// Prepares an empty home with a code, and starts a node on it that dials another.
    private func join(
        _ other: RunningNode, by code: String,
        running plugins: [any Plugin.Type] = PluginCatalogue.all, quota: StorageQuota? = nil
    ) async throws -> RunningNode {
        let home = Home(try TestDirectory.newPath("home"))
        let invitation = try JoinInvitation(typed: code)
        _ = try NodeIdentity.join(in: home, by: invitation, at: SystemClock().wallTime)
        if let quota { try NodeSettings(home: home).setQuota(quota) }
        let node = try await RunningNode.start(home, plugins: plugins)
        try await node.dial(other)
        return node
    }

    /// Waits until a node, which may start again meanwhile, answers as expected.
    private func waits<Answer>(
        _ node: RunningNode, _ query: Command<NoParameters, Answer>,
        _ isWanted: @escaping (Answer) -> Bool
    ) async -> Bool {
        await eventually(seconds: 30) { (try? await node.call(query)).map(isWanted) ?? false }
    }

    @Test func `a second device has the mates, the messages, the groups and the card`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let (ana, bob) = (meeting.one, meeting.other)
        let (me, mate) = (try await ana.person, try await bob.person)
        try await ana.call(
            ChatCommands.send, .init(room: NameOrKey(mate), text: MessageText("hello")))
        let group = try await ana.call(GroupCommands.create, .init(name: Text("Walkers"))).id
        try await ana.call(
            GroupCommands.note, .init(group: NameOrKey(group), text: Text("at nine")))

        let shown = try await ana.call(PairingCommands.add)
        #expect(shown.stage == .open && shown.words.count == 6)
        let fresh = try await join(ana, by: shown.code)
        #expect(await waits(fresh, PairingCommands.show) { $0.stage == .complete })
        let added = try await ana.call(PairingCommands.show)
        #expect(added.stage == .added)
        #expect(added.checkCode != nil && added.name != nil)
        #expect(try await fresh.person == me)
        #expect(fresh.home.hasIdentity && !fresh.home.isWaiting)
        #expect(!FileManager.default.fileExists(atPath: fresh.home.joiningCodeFile))
        #expect(await waits(fresh, ProfileCommands.show) { $0.nickname == "Ana" })
        #expect(await waits(fresh, MateCommands.list) { $0.mates.map(\.state) == [.mate] })
        let page = try await fresh.call(ChatCommands.page, .init(room: NameOrKey(mate)))
        #expect(page.messages.map(\.text.string) == ["hello"])
        let notes = try await fresh.call(GroupCommands.show, .init(group: NameOrKey(group))).notes
        #expect(notes.count == 1)
        // Both are one person to others, and what the new device writes is that person's.
        try await fresh.dial(bob)
        try await fresh.call(
            ChatCommands.send, .init(room: NameOrKey(mate), text: MessageText("from my phone")))
        try await bob.wait(for: ChatCommands.page, .init(room: NameOrKey(me))) {
            $0.messages.map(\.text.string) == ["hello", "from my phone"]
        }
        #expect(try await bob.call(MateCommands.list).mates.map(\.person) == [me])
        // Both devices show the same inbox item about it.
        #expect(
            await waits(ana, InboxCommands.list) { list in
                list.items.count { $0.kind == "added" } == 1
            })
        #expect(try await fresh.call(NodeCommands.recovery).stage == .none)
        for node in [fresh, ana, bob] { try await node.remove() }
    }

    /// Ana, who has photos in the pair with Bob, and their count. Bob has looked at none of them.
    private func album(_ count: Int) async throws -> Meeting {
        let plugins: [any Plugin.Type] = PluginCatalogue.all + [AlbumPlugin.self]
        let meeting = try await Meeting.mates(running: plugins)
        let mate = try await meeting.other.person
        for seed in 0..<count {
            try await meeting.one.call(
                AlbumPlugin.add, AlbumPlugin.Photo(mate, seed: seed, bytes: 400_000))
        }
        return meeting
    }

    @Test func `a new device says that all is here when every photo is`() async throws {
        let plugins: [any Plugin.Type] = PluginCatalogue.all + [AlbumPlugin.self]
        let meeting = try await album(30)
        let ana = meeting.one
        #expect(ana.content.count == 30)
        let code = try await ana.call(PairingCommands.add).code
        let fresh = try await join(ana, by: code, running: plugins)
        #expect(await waits(fresh, PairingCommands.show) { $0.stage == .complete })
        // From now on the other device may be wiped.
        #expect(fresh.content == ana.content)
        let report = try await fresh.call(PairingCommands.show)
        #expect(report.filesReceived?.value == 30 && report.filesTotal?.value == 30)
        for node in [fresh, ana, meeting.other] { try await node.remove() }
    }

    @Test func `a photo that the other device has lost is not waited for`() async throws {
        let plugins: [any Plugin.Type] = PluginCatalogue.all + [AlbumPlugin.self]
        let meeting = try await album(3)
        let mate = try await meeting.other.person
        try await meeting.one.stop()
        let lost = try #require(meeting.one.content.min())
        let blobs = URL(filePath: meeting.one.home.blobsDirectory)
        let files = FileManager.default.enumerator(at: blobs, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) where file.lastPathComponent == lost {
            try FileManager.default.removeItem(at: file)
        }
        let ana = try await RunningNode.start(
            meeting.one.home, port: meeting.one.port, plugins: plugins)
        let code = try await ana.call(PairingCommands.add).code
        let fresh = try await join(ana, by: code, running: plugins)
        #expect(await waits(fresh, PairingCommands.show) { $0.stage == .complete })
        #expect(try await fresh.call(PairingCommands.show).filesTotal?.value == 2)
        #expect(fresh.content == ana.content && fresh.content.count == 2)
        let page = try await fresh.call(ChatCommands.page, .init(room: NameOrKey(mate)))
        #expect(page.messages.isEmpty)
        for node in [fresh, ana, meeting.other] { try await node.remove() }
    }

    /// Leaves so much free that no disk has room for what others write.
    private static let fullDisk = StorageQuota(freeBytesMin: 1 << 60)

    private func lacksRoom(_ report: DevicePairing) -> Bool {
        report.stage == .receiving && report.detail.string.contains("disk is too full")
    }

    @Test func `a new device whose disk is full says so, and goes on when there is room`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let (ana, bob) = (meeting.one, meeting.other)
        let (me, mate) = (try await ana.person, NameOrKey(try await bob.person))
        try await bob.call(
            ChatCommands.send, .init(room: NameOrKey(me), text: MessageText("hello")))
        try await ana.wait(for: ChatCommands.page, .init(room: mate)) { !$0.messages.isEmpty }
        let code = try await ana.call(PairingCommands.add).code
        let fresh = try await join(ana, by: code, quota: Self.fullDisk)
        #expect(await waits(fresh, PairingCommands.show, lacksRoom))
        try await fresh.call(NodeCommands.setStorage, .init(freeMebibytes: Whole(0)))
        #expect(await waits(fresh, PairingCommands.show) { $0.stage == .complete })
        let page = try await fresh.call(ChatCommands.page, .init(room: mate))
        #expect(page.messages.map(\.text.string) == ["hello"])
        for node in [fresh, ana, bob] { try await node.remove() }
    }

    @Test func `a new device without room for the person's photos says so`() async throws {
        let ana = try await RunningNode.start()
        try await ana.call(ProfileCommands.photo, .init(file: FilePath.picture()))
        let code = try await ana.call(PairingCommands.add).code
        let fresh = try await join(ana, by: code, quota: Self.fullDisk)
        #expect(await waits(fresh, PairingCommands.show, lacksRoom))
        let report = try await fresh.call(PairingCommands.show)
        #expect(report.filesReceived?.value == 0 && report.filesTotal?.value == 1)
        try await fresh.call(NodeCommands.setStorage, .init(freeMebibytes: Whole(0)))
        #expect(await waits(fresh, PairingCommands.show) { !lacksRoom($0) })
        for node in [fresh, ana] { try await node.remove() }
    }

    @Test func `a list full of a removed device's entries still has room`() async throws {
        let home = Home(try TestDirectory.newPath("home"))
        let (identity, words) = try NodeIdentity.create(in: home)
        let me = identity.person.person
        let thief = DeviceKey()
        var record = try identity.person.adding(
            .adding(DeviceConsent(of: thief, to: me), by: identity.key))
        for _ in 0..<Limits.personDevicesMax {
            record = try record.adding(.adding(DeviceConsent(of: DeviceKey(), to: me), by: thief))
        }
        record = try record.adding(.removing(thief.id, from: me, by: words.key))
        #expect(record.entries.count == Limits.personDevicesMax)
        try Data(record.encoded).write(to: URL(filePath: home.personRecordFile))
        let ana = try await RunningNode.start(home)
        let code = try await ana.call(PairingCommands.add).code
        let fresh = try await join(ana, by: code)
        #expect(await waits(fresh, PairingCommands.show) { $0.stage == .complete })
        #expect(try await ana.call(DeviceCommands.list).devices.count == 2)
        for node in [fresh, ana] { try await node.remove() }
    }

    @Test func `a code adds one device, and the second one is told that it is not shown`()
        async throws
    {
        let ana = try await RunningNode.start()
        let code = try await ana.call(PairingCommands.add).code
        let first = try await join(ana, by: code)
        #expect(await waits(first, PairingCommands.show) { $0.stage == .complete })
        let second = try await join(ana, by: code)
        #expect(
            await waits(second, PairingCommands.show) {
                $0.detail.sentence.english.contains("1 device nearby was asked")
            })
        #expect(second.home.isJoining)
        #expect(try await ana.call(NodeCommands.status).recovery == nil)
        for node in [first, second, ana] { try await node.remove() }
    }

    @Test func `a home that waits says so and writes nothing, and takes a new code`() async throws {
        let ana = try await RunningNode.start()
        let code = try await ana.call(PairingCommands.add).code
        _ = try await ana.call(PairingCommands.cancel)
        await #expect(throws: CommandFault.self) { try await ana.call(PairingCommands.cancel) }
        #expect(try await ana.call(PairingCommands.show).stage == .ended)
        let waiting = try await join(ana, by: code)
        #expect(
            await waits(waiting, PairingCommands.show) {
                $0.stage == .searching && $0.detail.sentence.english.contains("was asked")
            })
        #expect(try await waiting.call(NodeCommands.status).unsettled != nil)
        await #expect(throws: CommandFault.self) {
            try await waiting.call(ProfileCommands.edit, .init(nickname: Nickname("Eve")))
        }
        await #expect(throws: CommandFault.self) { try await waiting.call(PairingCommands.add) }
        // A new code takes the place of the old one in the running node.
        let invitation = try #require(try await ana.call(PairingCommands.add).invitation)
        try await waiting.call(PairingCommands.join, .init(code: Text(invitation.string)))
        try? await waiting.dial(ana)
        #expect(await waits(waiting, PairingCommands.show) { $0.stage == .complete })
        #expect(try await waiting.person == ana.person)
        for node in [waiting, ana] { try await node.remove() }
    }

    @Test func `a home in use joins nobody, and one that was just begun does`() async throws {
        let ana = try await RunningNode.start()
        try await ana.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        let code = try await ana.call(PairingCommands.add).code
        await #expect(throws: CommandFault.self) {
            try await ana.call(PairingCommands.join, .init(code: Text(code)))
        }
        #expect(throws: CommandFault.self) {
            try NodeIdentity.join(
                in: ana.home, by: JoinInvitation(typed: code), at: SystemClock().wallTime)
        }
        let fresh = try await RunningNode.start()
        await #expect(throws: CommandFault.self) {
            try await fresh.call(PairingCommands.join, .init(code: Text("lusab-" + code)))
        }
        try await fresh.call(
            PairingCommands.join,
            .init(code: Text(code), address: Text(ana.address)))
        #expect(await waits(fresh, ProfileCommands.show) { $0.nickname == "Ana" })
        #expect(try await fresh.person == ana.person)
        for node in [fresh, ana] { try await node.remove() }
    }
}
