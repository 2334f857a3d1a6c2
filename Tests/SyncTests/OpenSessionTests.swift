import Records
import Testing

@testable import Sync

/// Tests how a session names open spaces, and that it treats them as nothing shared.
@Suite struct OpenSessionTests {
    private let space = OpenFixture.space
    private let nonces = [
        Bytes16(prefixOf: Digest.token.hash([1])), Bytes16(prefixOf: Digest.token.hash([2])),
    ]
    private let digests = [
        Bytes16(prefixOf: Digest.logs.hash([1])), Bytes16(prefixOf: Digest.logs.hash([2])),
    ]

    private func sessions() -> [SyncSession] {
        [
            SyncSession(localNonce: nonces[0], remoteNonce: nonces[1]),
            SyncSession(localNonce: nonces[1], remoteNonce: nonces[0]),
        ]
    }

    private func messages(_ effects: [SyncSession.Effect]) -> [Message] {
        effects.compactMap { if case .send(let message) = $0 { message } else { nil } }
    }

    @Test func `both sides learn the other's digest, whoever names the space first`() throws {
        var sessions = sessions()
        let first = sessions[0].name(open: [space: digests[0]])
        #expect(first.count == 1)
        #expect(try sessions[1].receive(messages(first)[0]).isEmpty)
        let second = sessions[1].name(open: [space: digests[1]])
        #expect(second.last == .offered(space, digest: digests[0]))
        #expect(
            try sessions[0].receive(messages(second)[0]) == [.offered(space, digest: digests[1])])
        #expect(sessions[0].openSpace(ofChannel: 0) == space)
        #expect(sessions[1].channel(of: space) == 0)
    }

    @Test func `a side that names a space again does not trust the old digest`() throws {
        var session = sessions()[0]
        _ = session.name(open: [space: digests[0]])
        let token = session.remoteToken(of: space)
        let entry = Have.Entry(token: token, digest: digests[1])
        let effects = try session.receive(.have(Have(round: .announcement, entries: [entry])))
        #expect(effects == [.offered(space, digest: digests[1])])
        #expect(session.name(open: [:]).isEmpty)
        #expect(
            session.name(open: [space: digests[1]]).last == .offered(space, digest: .zero))
    }

    @Test func `an open space is not shared, common, proven or in sync`() throws {
        var sessions = sessions()
        for end in [0, 1] {
            for message in messages(sessions[end].name(open: [space: digests[0]])) {
                _ = try sessions[1 - end].receive(message)
            }
        }
        for session in sessions {
            #expect(session.sharedSpaces.isEmpty && session.commonSpaces.isEmpty)
            #expect(!session.isAnySpaceProven && !session.isInSync(space))
            #expect(session.progress == (0, 0, 0))
            #expect(session.space(ofChannel: 0) == nil)
        }
        #expect(sessions[0].askDigests(onlyUnknown: true).isEmpty)
    }

    @Test func `a vector, a push, an acknowledgement and an audit of an open space get NONE`()
        throws
    {
        var sessions = sessions()
        for message in messages(sessions[1].name(open: [space: digests[0]])) {
            _ = try sessions[0].receive(message)
        }
        _ = sessions[0].name(open: [space: digests[0]])
        let log = OpenFixture.log(1)
        let vector = Vector(channel: 0, logs: [])
        let run = OpenFixture.run(log, 1...2)
        let audit = Audit(channel: 0, log: log, from: 1, through: 2, hash: .zero)
        for message in [
            Message.vector(vector), .push(Push(channel: 0, run: run)), .acknowledge(vector),
            .audit(audit),
        ] {
            #expect(try sessions[0].receive(message) == [.send(.none(channel: 0))])
        }
    }

    @Test func `a message about a space that is not named here gets NONE, and is passed on else`()
        throws
    {
        var sessions = sessions()
        let question = Message.ask(OpenQuestion(channel: 0, subject: .page(after: nil)))
        let offer = Message.offer(
            Offer(channel: 0, digest: .zero, part: .changes, logs: []))
        let log = OpenFixture.log(1)
        let passed = Message.passed(
            Passed(channel: 0, record: nil, previous: .none, run: OpenFixture.run(log, 1...1)))
        let notPassed = Message.notPassed(NotPassed(channel: 0, log: log))
        for message in messages(sessions[1].name(open: [space: digests[1]])) {
            _ = try sessions[0].receive(message)
        }
        for message in [question, offer, passed, notPassed] {
            #expect(try sessions[0].receive(message) == [.send(.none(channel: 0))])
        }
        _ = sessions[0].name(open: [space: digests[0]])
        for message in [question, offer, passed, notPassed] {
            #expect(try sessions[0].receive(message) == [.open(space, message)])
        }
        // The peer left: its NONE names this side's channel.
        #expect(try sessions[0].receive(.none(channel: 0)) == [.notOffered(space)])
        #expect(try sessions[0].receive(.none(channel: 1)).isEmpty)
        _ = sessions[0].name(open: [:])
        #expect(try sessions[0].receive(question) == [.send(.none(channel: 0))])
    }

    @Test func `only spaces that were not named are announced, and each keeps its channel`() throws
    {
        var sessions = sessions()
        let other = SpaceDescriptor.open(name: "other").id
        #expect(messages(sessions[0].name(open: [space: digests[0]])).count == 1)
        #expect(sessions[0].name(open: [space: digests[1]]).isEmpty)
        let both = sessions[0].name(open: [space: digests[1], other: digests[0]])
        #expect(messages(both).count == 1)
        #expect(sessions[0].channel(of: space) == 0 && sessions[0].channel(of: other) == 1)
        _ = sessions[0].name(open: [other: digests[0]])
        let again = messages(sessions[0].name(open: [space: digests[1], other: digests[0]]))
        #expect(again.count == 1 && sessions[0].channel(of: space) == 0)
    }

    @Test func `a new digest does not name a space that was not announced`() {
        var session = sessions()[0]
        let other = SpaceDescriptor.open(name: "other").id
        _ = session.name(open: [other: digests[0]])
        session.update(open: [space: digests[1], other: digests[1]])
        #expect(session.openDigests == [other: digests[1]])
        let both = messages(session.name(open: [space: digests[1], other: digests[1]]))
        guard case .have(let have)? = both.first else {
            Issue.record("the space was not announced")
            return
        }
        #expect(have.entries.map(\.token) == [Token(space, sender: nonces[0], receiver: nonces[1])])
    }

    @Test func `the answer to a question for digests has the digest of an open space`() throws {
        var sessions = sessions()
        for message in messages(sessions[1].name(open: [space: digests[1]])) {
            _ = try sessions[0].receive(message)
        }
        _ = sessions[0].name(open: [space: digests[0]])
        let token = Token(space, sender: nonces[1], receiver: nonces[0])
        let question = Have(
            round: .question, entries: [Have.Entry(token: token, digest: digests[1])])
        let answer = messages(try sessions[0].receive(.have(question)))
        guard case .have(let have)? = answer.first else {
            Issue.record("no answer")
            return
        }
        #expect(have.round == .answer && have.entries.map(\.digest) == [digests[0]])
    }
}
