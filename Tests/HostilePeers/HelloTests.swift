import ControlAPI
import class Foundation.FileManager
import Identity
import NodeTestSupport
import PluginKit
import Records
import Replica
import Testing

@testable import Node
@testable import Sync

/// Tests the contents of HELLO for strangers and for others.
@Suite(.serialized) struct HelloTests {
    /// A home on its third key, whose first key also added another device.
    private func homeOnThirdKey() throws -> (home: Home, person: PersonRecord) {
        var generator = SystemRandomNumberGenerator()
        let home = try RunningNode.founded()
        let first = try NodeIdentity.load(from: home)
        let consent = try DeviceConsent(
            of: DeviceKey(), to: first.person.person, name: "laptop")
        let more = try first.person.adding(try DeviceEntry.adding(consent, by: first.key))
        let second = try first.continuedOnNewKey(in: home, known: more, using: &generator)
        let third = try second.continuedOnNewKey(in: home, known: nil, using: &generator)
        return (home, third.person)
    }

    @Test func `a stranger learns no start count, no epoch and no other device`() async throws {
        let (home, person) = try homeOnThirdKey()
        let node = try await RunningNode.start(home)
        var told: [Hello] = []
        for _ in 0..<2 {
            let (key, stranger) = try HostilePeer.stranger()
            let peer = try await HostilePeer.dial(node.port, as: key, stranger)
            #expect(try await peer.answers(to: []).isEmpty)
            told.append(peer.theirs)
            peer.close()
        }
        #expect(told.map(\.startCount) == [0, 0])
        #expect(told[0].replicaEpoch != told[1].replicaEpoch)
        for hello in told {
            #expect(person.entries.count == 3 && hello.person.entries.count == 2)
            #expect(hello.person.devices.contains(try #require(DeviceID(try await node.device))))
            #expect(hello.person.entries.allSatisfy { $0.name == nil })
        }
        try await node.remove()
    }

    @Test func `a mate's known device and a mate's new device learn it all`() async throws {
        let mate = try await HostileMate.capture()
        let known = try await mate.link()
        let fresh = DeviceKey()
        let consent = try DeviceConsent(of: fresh, to: mate.identity.person.person)
        let person = try mate.identity.person.adding(
            try DeviceEntry.adding(consent, by: mate.identity.key))
        let new = try await HostilePeer.dial(mate.victim.port, as: fresh, person)
        #expect(known.theirs.startCount > 0 && new.theirs.startCount > 0)
        #expect(known.theirs.replicaEpoch == new.theirs.replicaEpoch)
        known.close()
        new.close()
        try await mate.end()
    }

    @Test func `a mate's removed device learns no more than a stranger`() async throws {
        let mate = try await HostileMate.capture()
        let removed = DeviceKey()
        let consent = try DeviceConsent(of: removed, to: mate.identity.person.person)
        let before = try mate.identity.person.adding(
            try DeviceEntry.adding(consent, by: mate.identity.key))
        let after = try before.adding(
            try DeviceEntry.removing(
                removed.id, from: before.person, by: mate.identity.key))
        let peer = try await HostilePeer.dial(mate.victim.port, as: mate.identity.key, after)
        _ = try await peer.answers(to: [])
        let thief = try await HostilePeer.dial(mate.victim.port, as: removed, before)
        #expect(thief.theirs.startCount == 0)
        #expect(await thief.messages { _ in false }.isEmpty)
        peer.close()
        try await mate.end()
    }

    @Test func `two strangers become mates, and then each has the other's whole record`()
        async throws
    {
        let (home, person) = try homeOnThirdKey()
        let meeting = Meeting(one: try await .start(home), other: try await .start())
        try await meeting.one.perform("me", "edit", Meeting.profile("Ana", dog: "Rex"))
        try await meeting.other.perform("me", "edit", Meeting.profile("Bob", dog: "Kit"))
        try await meeting.other.perform(
            "peer", "add", ["address": .string(meeting.one.address)])
        for node in [meeting.one, meeting.other] {
            _ = try await node.wait(for: "nearby", "list") { $0["people"]?.array?.count == 1 }
        }
        try await meeting.drop()
        #expect(
            await eventually {
                (try? await meeting.other.perform("verify", "run"))?["equal"] == true
            })
        try await meeting.other.stop()
        let identity = try NodeIdentity.load(from: meeting.other.home)
        let replica = try Replica(
            path: meeting.other.home.replicaFile, key: identity.key, collections: [], views: [])
        #expect(await replica.personRecord(person.person) == person)
        try await replica.close()
        try FileManager.default.removeItem(atPath: meeting.other.home.directory)
        try await meeting.one.remove()
    }

    @Test func `homes on their third keys find each other again after a restart`() async throws {
        let (first, second) = (try homeOnThirdKey(), try homeOnThirdKey())
        let meeting = Meeting(
            one: try await .start(first.home), other: try await .start(second.home))
        try await meeting.one.perform("me", "edit", Meeting.profile("Ana", dog: "Rex"))
        try await meeting.other.perform("me", "edit", Meeting.profile("Bob", dog: "Kit"))
        try await meeting.one.perform(
            "peer", "add", ["address": .string(meeting.other.address)])
        for node in [meeting.one, meeting.other] {
            _ = try await node.wait(for: "nearby", "list") { $0["people"]?.array?.count == 1 }
        }
        try await meeting.drop()
        let port = meeting.other.port
        try await meeting.other.stop()
        let again = try await RunningNode.start(second.home, port: port)
        try await again.perform("me", "edit", ["nickname": "Robert"])
        _ = try await meeting.one.wait(for: "mates", "list") {
            $0["mates"]?.array?.first?["profile"]?["nickname"] == "Robert"
        }
        try await again.remove()
        try await meeting.one.remove()
    }
}
