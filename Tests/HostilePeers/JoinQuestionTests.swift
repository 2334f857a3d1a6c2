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

/// Peers who do not know the code that a node shows, or who know it and lie.
@Suite(.serialized) struct JoinQuestionTests {
    /// A node that shows a code, and what a peer who overheard it knows.
    private struct Shown {
        let node: RunningNode
        let code: JoinCode
        var key: JoinKey { code.key }

        static func make() async throws -> Shown {
            let node = try await RunningNode.start()
            let code = try await node.call(PairingCommands.add).code
            return Shown(node: node, code: try JoinCode(parsing: code))
        }

        var stage: DevicePairing.Stage {
            get async throws { try await node.call(PairingCommands.show).stage }
        }

        /// A stranger who links with the node.
        func peer() async throws -> HostilePeer {
            let (key, person) = try HostilePeer.stranger()
            return try await HostilePeer.dial(node.port, as: key, person)
        }

        /// Closes a link, and waits until the node has room for another stranger and for another
        /// link of the same device.
        func close(_ peer: HostilePeer) async -> Bool {
            peer.close()
            return await eventually {
                (try? await node.call(NodeCommands.status))?.links.isEmpty == true
            }
        }

        func question(from joiner: HostilePeer) -> JoinQuestion {
            JoinQuestion(
                code: key.name,
                proof: key.proof(
                    of: .joiner, joiner: joiner.key.id, adder: joiner.link.remoteDevice))
        }
    }

    private func code() -> JoinCode {
        var generator = SystemRandomNumberGenerator()
        return JoinCode(using: &generator)
    }

    @Test func `a node without a code, and one with another, answer with the same bytes`()
        async throws
    {
        let idle = try await RunningNode.start()
        let shown = try await Shown.make()
        for port in [idle.port, shown.node.port] {
            let (key, person) = try HostilePeer.stranger()
            let peer = try await HostilePeer.dial(port, as: key, person)
            let other = code().key
            let question = JoinQuestion(
                code: other.name,
                proof: other.proof(of: .joiner, joiner: key.id, adder: peer.link.remoteDevice))
            #expect(try await peer.answers(to: [.joinQuestion(question)]) == [.joinAnswer(nil)])
            peer.close()
        }
        #expect(try await shown.stage == .open)
        for node in [idle, shown.node] { try await node.remove() }
    }

    @Test
    func `proofs that were replayed, sent back or sent on are wrong, and the third ends the code`()
        async throws
    {
        let shown = try await Shown.make()
        // The honest phone's messages to this node, as a device in between overhears them.
        let phone = DeviceKey()
        let (first, second, third) = (
            try await shown.peer(), try await shown.peer(), try await shown.peer()
        )
        let adder = first.link.remoteDevice
        let replayed = JoinQuestion(
            code: shown.key.name,
            proof: shown.key.proof(of: .joiner, joiner: phone.id, adder: adder))
        #expect(try await first.answers(to: [.joinQuestion(replayed)]) == [.joinAnswer(nil)])
        // A proof for the link between the phone and the one in between, sent on to the node.
        let sentOn = JoinQuestion(
            code: shown.key.name,
            proof: shown.key.proof(of: .joiner, joiner: phone.id, adder: second.key.id))
        #expect(try await second.answers(to: [.joinQuestion(sentOn)]) == [.joinAnswer(nil)])
        #expect(try await shown.stage == .open)
        // The proof of the other role.
        let mirrored = JoinQuestion(
            code: shown.key.name,
            proof: shown.key.proof(of: .adder, joiner: third.key.id, adder: adder))
        #expect(try await third.answers(to: [.joinQuestion(mirrored)]) == [.joinAnswer(nil)])
        let report = try await shown.node.call(PairingCommands.show)
        #expect(report.stage == .ended && report.endedBy == .wrongProofs)
        // Even a right proof comes too late now.
        let late = try await shown.peer()
        #expect(
            try await late.answers(to: [.joinQuestion(shown.question(from: late))])
                == [.joinAnswer(nil)])
        for peer in [first, second, third, late] { peer.close() }
        try await shown.node.remove()
    }

    @Test func `a second question on a link ends it`() async throws {
        let shown = try await Shown.make()
        let peer = try await shown.peer()
        let question = JoinQuestion(code: code().key.name, proof: peer.key.id.raw)
        for _ in 0..<2 { try await peer.send(.joinQuestion(question)) }
        let heard = await peer.messages { $0 == .bye(.fault) }
        #expect(heard.last == .bye(.fault))
        #expect(heard.count { $0 == .joinAnswer(nil) } == 1)
        #expect(try await shown.stage == .open)
        try await shown.node.remove()
    }

    @Test func `however many questions follow the second, one is answered`() async throws {
        let shown = try await Shown.make()
        let peer = try await shown.peer()
        let question = JoinQuestion(code: code().key.name, proof: peer.key.id.raw)
        for _ in 0..<10_000 {
            guard (try? await peer.send(.joinQuestion(question))) != nil else { break }
        }
        // The node closes the connection with questions unread. TCP then resets it, which may drop
        // what the node sent last, so only the end of the link is certain.
        let heard = await peer.messages { _ in false }
        #expect(heard.count { $0 == .joinAnswer(nil) } <= 1)
        await #expect(throws: (any Error).self) { try await peer.send(.joinQuestion(question)) }
        #expect(try await shown.stage == .open)
        try await shown.node.remove()
    }

    @Test func `messages at the wrong time, and over version 4, end the link`() async throws {
        let shown = try await Shown.make()
        let (key, person) = try HostilePeer.stranger()
        let old = try await HostilePeer.dial(shown.node.port, as: key, person, versions: 1...4)
        try await old.send(.joinQuestion(shown.question(from: old)))
        #expect(await old.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        #expect(await shown.close(old))
        let signature = try DeviceConsent(of: key, to: person.person).signature
        for message in [
            Message.joinAnswer(nil), .joined(nil), .joined(ClaimedPersonRecord(person)),
            .joinAnswer(JoinAnswer(person: ClaimedPersonRecord(person), proof: key.id.raw)),
            .joinConsent(JoinConsent(signature: signature, name: "Phone")),
        ] {
            let peer = try await shown.peer()
            try await peer.send(message)
            #expect(await peer.messages { $0 == .bye(.fault) }.last == .bye(.fault))
            #expect(await shown.close(peer))
        }
        #expect(try await shown.stage == .open)
        try await shown.node.remove()
    }

    @Test func `of two devices that know the code, one is added, and no stranger's consent counts`()
        async throws
    {
        let shown = try await Shown.make()
        let (one, other) = (try await shown.peer(), try await shown.peer())
        let answer = try await one.answers(to: [.joinQuestion(shown.question(from: one))])
        guard case .joinAnswer(let proven?)? = answer.first else {
            Issue.record("a right proof was not answered: \(answer)")
            return
        }
        let adder = one.link.remoteDevice
        #expect(
            shown.key.isProof(proven.proof, of: .adder, joiner: one.key.id, adder: adder))
        #expect(
            try await other.answers(to: [.joinQuestion(shown.question(from: other))])
                == [.joinAnswer(nil)])
        // The second device consents without having been asked.
        let person = proven.person.person
        let uninvited = try DeviceConsent(of: other.key, to: person).signature
        try await other.send(.joinConsent(JoinConsent(signature: uninvited, name: "")))
        #expect(await other.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        // The first one sends the consent of another device: nothing is signed.
        try await one.send(.joinConsent(JoinConsent(signature: uninvited, name: "")))
        #expect(await one.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        #expect(try await shown.stage == .proven)
        // It links again, and consents itself.
        other.close()
        #expect(await shown.close(one))
        let again = try await HostilePeer.dial(shown.node.port, as: one.key, one.person)
        _ = try await again.answers(to: [.joinQuestion(shown.question(from: again))])
        let mine = try DeviceConsent(of: one.key, to: person).signature
        try await again.send(.joinConsent(JoinConsent(signature: mine, name: "Phone")))
        let heard = await again.messages { $0.type == 25 }
        guard case .joined(let claim?)? = heard.last else {
            Issue.record("the device was not added")
            return
        }
        let record = try PersonRecord(decoding: claim.encoded)
        #expect(record.devices == [adder, one.key.id])
        let report = try await shown.node.call(PairingCommands.show)
        #expect(report.stage == .added && report.name == "Phone")
        again.close()
        try await shown.node.remove()
    }

    @Test func `a joining device believes no answer without the right proof, nor another's record`()
        async throws
    {
        let code = code()
        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.join(
            in: home, by: JoinInvitation(code), at: SystemClock().wallTime)
        let node = try await RunningNode.start(home)
        // A stranger who hears the question, and answers with what it heard.
        let (key, person) = try HostilePeer.stranger()
        let stranger = try await HostilePeer.dial(node.port, as: key, person)
        guard
            case .joinQuestion(let question)? = await stranger.messages(until: { $0.type == 22 })
                .last
        else {
            Issue.record("nothing was asked")
            return
        }
        let joiner = stranger.link.remoteDevice
        #expect(code.key.isProof(question.proof, of: .joiner, joiner: joiner, adder: key.id))
        try await stranger.send(
            .joinAnswer(JoinAnswer(person: ClaimedPersonRecord(person), proof: question.proof)))
        #expect(await stranger.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        // Someone who knows the code names a person who is not theirs.
        let (liarKey, liarPerson) = try HostilePeer.stranger()
        let liar = try await HostilePeer.dial(node.port, as: liarKey, liarPerson)
        _ = await liar.messages { $0.type == 22 }
        let proof = code.key.proof(of: .adder, joiner: joiner, adder: liarKey.id)
        try await liar.send(
            .joinAnswer(JoinAnswer(person: ClaimedPersonRecord(person), proof: proof)))
        #expect(await liar.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        // And one who gives their own person, but a record that does not list the device.
        let (otherKey, otherPerson) = try HostilePeer.stranger()
        let again = try await HostilePeer.dial(node.port, as: otherKey, otherPerson)
        _ = await again.messages { $0.type == 22 }
        let own = ClaimedPersonRecord(otherPerson)
        let right = code.key.proof(of: .adder, joiner: joiner, adder: otherKey.id)
        try await again.send(.joinAnswer(JoinAnswer(person: own, proof: right)))
        _ = await again.messages { $0.type == 24 }
        try await again.send(.joined(own))
        #expect(await again.messages { $0 == .bye(.fault) }.last == .bye(.fault))
        #expect(home.isJoining && !home.hasIdentity)
        try await node.remove()
    }
}
