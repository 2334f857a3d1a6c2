import ControlAPI
import FeaturesAPI
import Foundation
import Identity
import Links
import Node
import NodeAPI
import NodeTestSupport
import PeerLink
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// Peers who ask about recovery keys, or answer, to learn or to plant something.
@Suite(.serialized) struct RecoveryQuestionTests {
    /// Ana's words and record, and the node of her mate Bob.
    private struct Known {
        let words: RecoveryWords
        let person: PersonID
        let bob: RunningNode

        static func make() async throws -> Known {
            let home = Home(try TestDirectory.newPath("home"))
            let (identity, words) = try NodeIdentity.create(in: home)
            let meeting = Meeting(one: try await .start(home), other: try await .start())
            try await meeting.one.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
            try await meeting.other.call(ProfileCommands.edit, Meeting.profile("Bob", dog: "Kit"))
            try await meeting.one.dial(meeting.other)
            for node in [meeting.one, meeting.other] {
                try await node.wait(for: NearbyCommands.list) { $0.people.count == 1 }
            }
            try await meeting.drop()
            try await meeting.one.remove()
            return Known(words: words, person: identity.person.person, bob: meeting.other)
        }
    }

    private func words() -> RecoveryWords {
        var generator = SystemRandomNumberGenerator()
        return RecoveryWords(using: &generator)
    }

    private func stranger(_ port: UInt16) async throws -> HostilePeer {
        let (key, person) = try HostilePeer.stranger()
        return try await HostilePeer.dial(port, as: key, person)
    }

    @Test
    func `a wrong or replayed proof gets the bytes of an unknown key, a right one the record`()
        async throws
    {
        let known = try await Known.make()
        let port = known.bob.port
        let honest = try await stranger(port)
        let right = try RecoveryQuestion(
            from: honest.key.id, to: honest.link.remoteDevice, by: known.words.key)
        let answer = try await honest.answers(to: [.recoveryQuestion(right)])
        guard case .recoveryAnswer(let claim?)? = answer.first(where: { $0.type == 19 }) else {
            Issue.record("the right proof was not answered: \(answer)")
            return
        }
        #expect(claim.person == known.person)
        // The same question over another link, one signed by another key, and an unknown key.
        var replies: [[Message]] = []
        for question: (HostilePeer) throws -> RecoveryQuestion in [
            { _ in right },
            { peer in
                let signed = try RecoveryQuestion(
                    from: peer.key.id, to: peer.link.remoteDevice, by: self.words().key)
                return RecoveryQuestion(
                    key: known.words.key.publicKey, signature: signed.signature)
            },
            { peer in
                try RecoveryQuestion(
                    from: peer.key.id, to: peer.link.remoteDevice, by: self.words().key)
            },
        ] {
            let peer = try await stranger(port)
            replies.append(try await peer.answers(to: [.recoveryQuestion(try question(peer))]))
            peer.close()
        }
        #expect(replies.allSatisfy { $0 == [.recoveryAnswer(nil)] })
        honest.close()
        try await known.bob.remove()
    }

    @Test func `a second question ends the link, and a stranger learns no space`() async throws {
        let bob = try await RunningNode.start()
        let peer = try await stranger(bob.port)
        #expect(
            try await peer.answers(to: [.askSpaces(after: SpaceID(raw: .zero))])
                == [.spaces(SpacePage(of: [], after: SpaceID(raw: .zero)))])
        let question = try RecoveryQuestion(
            from: peer.key.id, to: peer.link.remoteDevice, by: words().key)
        for _ in 0..<2 { try await peer.send(.recoveryQuestion(question)) }
        let heard = await peer.messages { $0 == .bye(.fault) }
        #expect(heard.last == .bye(.fault))
        #expect(heard.count { $0 == .recoveryAnswer(nil) } == 1)
        try await bob.remove()
    }

    @Test func `an answer or spaces without a question, and over version 2, end the link`()
        async throws
    {
        let bob = try await RunningNode.start()
        for message in [
            Message.recoveryAnswer(nil), .spaces(SpacePage(of: [], after: SpaceID(raw: .zero))),
        ] {
            let peer = try await stranger(bob.port)
            try await peer.send(message)
            #expect(await peer.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        }
        let (key, person) = try HostilePeer.stranger()
        let old = try await HostilePeer.dial(bob.port, as: key, person, versions: 1...2)
        try await old.send(.askSpaces(after: SpaceID(raw: .zero)))
        #expect(await old.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        try await bob.remove()
    }

    @Test func `a device that comes back believes neither another key nor an invented person`()
        async throws
    {
        let mine = words()
        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.recover(in: home, by: mine)
        let node = try await RunningNode.start(home)
        // A person who names the recovery key that everyone was told.
        let (key, _) = try HostilePeer.stranger()
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: mine.key.publicKey)
        let invented = try PersonRecord(founding: founding, firstDevice: key)
        let liar = try await HostilePeer.dial(node.port, as: key, invented)
        let heard = await liar.messages { $0.type == 18 }
        guard case .recoveryQuestion(let question)? = heard.last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.isSigned(from: liar.link.remoteDevice, to: key.id))
        try await liar.send(.recoveryAnswer(ClaimedPersonRecord(invented)))
        #expect(
            await eventually {
                let report = try? await node.call(NodeCommands.recovery)
                return report?.problem?.sentence.english.contains("do not confirm it") == true
            })
        let (other, person) = try HostilePeer.stranger()
        let second = try await HostilePeer.dial(node.port, as: other, person)
        _ = await second.messages { $0.type == 18 }
        try await second.send(.recoveryAnswer(ClaimedPersonRecord(person)))
        #expect(await second.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        #expect(home.isRecovering)
        try await node.remove()
    }

    @Test func `naming a space of others ends the link, and what was never shared stores nothing`()
        async throws
    {
        let known = try await Known.make()
        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.recover(in: home, by: known.words)
        let node = try await RunningNode.start(home)
        try await node.dial(known.bob)
        let isBack = await eventually(seconds: 30) {
            (try? await node.call(NodeCommands.recovery))?.sources.count == 1
        }
        #expect(isBack)
        let peer = try await stranger(node.port)
        _ = await peer.messages { $0.type == 20 }
        let others = SpaceDescriptor.between(peer.person.person, PersonID(raw: DeviceKey().id.raw))
        try await peer.send(.spaces(SpacePage(of: [others], after: SpaceID(raw: .zero))))
        #expect(await peer.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        // A pair of the two, in which the person never wrote, and a group of the liar's own.
        let liar = try await stranger(node.port)
        _ = await liar.messages { $0.type == 20 }
        let pair = SpaceDescriptor.between(liar.person.person, known.person)
        let group = SpaceDescriptor.group(
            owner: liar.person.person, nonce: Bytes16(prefixOf: DeviceKey().id.raw))
        try await liar.send(.spaces(SpacePage(of: [pair, group], after: SpaceID(raw: .zero))))
        try await liar.announce([pair.id])
        var log = WrittenLog(liar.key, in: pair.id)
        try log.write([HostileMate.harmless])
        _ = try await liar.answers(to: [try log.push()])
        let spaces = try await node.call(NodeCommands.status).spaces
        #expect(!spaces.contains { $0.id == Key(group.id) })
        #expect(spaces.first { $0.id == Key(pair.id) }?.batches.value == 0)
        liar.close()
        try await node.remove()
        try await known.bob.remove()
    }
}
