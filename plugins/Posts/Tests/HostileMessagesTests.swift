import Features
import FeaturesAPI
import PluginKit
import PostsAPI
import Records
import TestSupport
import Testing

@testable import Posts

/// Messages that an honest program does not send, and the limits of those it does.
@Suite struct HostileMessagesTests {
    private static func id(_ number: Int) -> Bytes16 {
        Bytes16([UInt8](repeating: UInt8(number), count: 16)) ?? .zero
    }

    private static func person(_ number: Int) -> PersonID {
        PersonID(raw: Digest.person.hash([UInt8(number)]))
    }

    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func request(
        _ number: Int, from sender: Int, to receiver: Int = 0, at: Timestamp? = nil
    ) -> CorrespondenceRequest {
        CorrespondenceRequest(
            id: Self.id(number), sender: Self.person(sender), receiver: Self.person(receiver),
            post: EntityID(raw: .zero), at: at ?? now, text: "Hello")
    }

    private func session(_ facts: CorrespondenceFacts = .init()) -> CorrespondenceSession {
        var session = CorrespondenceSession(me: Self.person(0))
        _ = session.read(facts)
        return session
    }

    @Test func `each message is read as it was written, and no shorter or longer one is`() throws {
        let messages: [CorrespondenceMessage] = [
            .request([1, 2, 3], name: "Eve"), .request([], name: nil), .holds(Self.id(1)),
            .over(Self.id(2)), .known(Self.id(3)),
        ]
        for message in messages {
            let bytes = message.encoded
            #expect(try CorrespondenceMessage(decoding: bytes) == message)
            for count in 0..<bytes.count {
                #expect(throws: RecordFault.self) {
                    try CorrespondenceMessage(decoding: Array(bytes.prefix(count)))
                }
            }
            #expect(throws: RecordFault.self) {
                try CorrespondenceMessage(decoding: bytes + [0])
            }
        }
        #expect(throws: RecordFault.self) { try CorrespondenceMessage(decoding: [2, 2]) }
        #expect(throws: RecordFault.self) { try CorrespondenceMessage(decoding: [1, 9]) }
        let long = [UInt8](repeating: 1, count: AgreementFact.proofBytesMax)
        #expect(
            try CorrespondenceMessage(
                decoding: CorrespondenceMessage.request(long, name: nil).encoded)
                == .request(long, name: nil))
        #expect(throws: RecordFault.self) {
            try CorrespondenceMessage(
                decoding: CorrespondenceMessage.request(long + [1], name: nil).encoded)
        }
    }

    @Test func `a statement has exactly its parts, and its text is one line within limits`() {
        func statement(_ text: String) -> CorrespondenceStatement {
            .request(
                Self.id(1), to: Self.person(1), post: EntityID(raw: .zero), at: now, text: text)
        }
        for content in [
            statement("Hello"), .acceptance(Self.id(2), of: Self.person(2), at: now),
        ] {
            #expect(CorrespondenceStatement(decoding: content.encoded) == content)
            #expect(CorrespondenceStatement(decoding: content.encoded + [0]) == nil)
            #expect(CorrespondenceStatement(decoding: Array(content.encoded.dropLast())) == nil)
        }
        func shown(_ text: String, signer: Int = 0) -> String? {
            CorrespondenceStatement.request(
                in: CheckedStatement(
                    person: Self.person(signer), content: statement(text).encoded))?.text
        }
        #expect(shown(String(repeating: "x", count: 100))?.count == 100)
        #expect(shown(String(repeating: "x", count: 101))?.count == 100)
        #expect(shown(String(repeating: "x", count: 1001)) == nil)
        #expect(shown(" ") == nil)
        // Nobody asks themselves.
        #expect(shown("Hello", signer: 1) == nil)
        let acceptance = CorrespondenceStatement.acceptance(Self.id(2), of: Self.person(2), at: now)
        #expect(
            CorrespondenceStatement.request(
                in: CheckedStatement(person: Self.person(0), content: acceptance.encoded)) == nil)
    }

    @Test func `one request of each person waits, the latest, and of 32 people at most`() {
        var session = session()
        for sender in 1...33 {
            _ = session.receive(request(sender, from: sender), name: nil, now: now)
        }
        #expect(session.asked.count == PostMessageCommands.askedCountMax)
        #expect(session.asked[Self.person(33)] == nil)
        let later = request(50, from: 1, at: now + .milliseconds(1))
        #expect(session.receive(later, name: nil, now: now) == [.changed])
        #expect(session.receive(request(51, from: 1), name: nil, now: now).isEmpty)
        #expect(session.asked[Self.person(1)]?.request == later)
        #expect(session.asked.count == PostMessageCommands.askedCountMax)
    }

    @Test func `a request older than 7 days, from a day ahead, or to another person is ignored`() {
        let week = PostMessageCommands.waitMax
        for (at, isSeen) in [
            (now - week, false), (now - week + .milliseconds(1), true),
            (now + .seconds(86_400), true), (now + .seconds(86_401), false),
        ] {
            var session = session()
            _ = session.receive(request(1, from: 1, at: at), name: nil, now: now)
            #expect((session.asked[Self.person(1)] != nil) == isSeen)
        }
        var session = session()
        #expect(session.receive(request(1, from: 1, to: 2), name: nil, now: now).isEmpty)
        #expect(session.receive(request(1, from: 0), name: nil, now: now).isEmpty)
        var unread = CorrespondenceSession(me: Self.person(0))
        #expect(unread.receive(request(1, from: 1), name: nil, now: now).isEmpty)
        #expect(unread.receive(.holds(Self.id(1)), from: Self.person(1)).isEmpty)
    }

    @Test func `nobody ends or learns of what is between two others`() {
        let held = HeldCorrespondence(
            id: Self.id(1), person: Self.person(1), isMine: false, stands: true, at: now)
        var session = session(
            CorrespondenceFacts(held: [held], ended: [Self.id(2): Self.person(1)]))
        for letter: CorrespondenceSession.Letter in [
            .over(Self.id(1)), .holds(Self.id(2)), .known(Self.id(2)), .over(Self.id(2)),
        ] {
            #expect(session.receive(letter, from: Self.person(2)).isEmpty)
        }
        #expect(session.receive(request(1, from: 2), name: nil, now: now).isEmpty)
        #expect(session.receive(request(2, from: 2), name: nil, now: now).isEmpty)
        #expect(session.facts.held == [held] && session.asked.isEmpty)
    }

    @Test func `20 requests wait at most`() throws {
        func facts(_ count: Int) -> CorrespondenceFacts {
            CorrespondenceFacts(
                held: (1...count).map {
                    HeldCorrespondence(
                        id: Self.id($0), person: Self.person($0), isMine: true, stands: false,
                        at: now)
                })
        }
        try session(facts(19)).checkAsking(Self.person(99))
        #expect(throws: CorrespondenceRefusal.self) {
            try session(facts(20)).checkAsking(Self.person(99))
        }
        #expect(throws: CorrespondenceRefusal.self) {
            try session(facts(1)).checkAsking(Self.person(1))
        }
        #expect(throws: CorrespondenceRefusal.self) { try session().checkAsking(Self.person(0)) }
    }

    @Test func `a person sends 8 messages at once and then 6 a minute`() {
        var messages = CorrespondenceAllowances().messages
        let atOnce = (0..<20).count { _ in messages.permit(Self.person(1), now: .zero) }
        #expect(atOnce == 8)
        let later = [9, 10].map { messages.permit(Self.person(1), now: .seconds($0)) }
        #expect(later == [false, true])
    }

    @Test func `eight people who send requests without pause leave room for others`() {
        var requests = CorrespondenceAllowances().requests
        let single = (0..<10).count { _ in requests.permit(Self.person(1), now: .zero) }
        #expect(single == 3)
        var refused = 0
        for second in 0..<600 {
            for number in 1...8 {
                _ = requests.permit(Self.person(number), now: .seconds(second))
            }
            // Somebody new once a minute.
            guard second % 60 == 59 else { continue }
            let other = Self.person(100 + second / 60)
            if !requests.permit(other, now: .seconds(second)) { refused += 1 }
        }
        #expect(refused == 0)
        var mine = CorrespondenceAllowances().requests
        let passedOn = (0..<100).count { _ in mine.permit(nil, now: .zero) }
        #expect(passedOn == 32)
    }

    @Test func `a request that comes while an older one is declined is told, and not declined`() {
        var session = session()
        let (older, newer) = (request(1, from: 1), request(2, from: 1, at: now + .seconds(1)))
        _ = session.receive(older, name: nil, now: now)
        // The command stores that the older one is declined; meanwhile the newer one comes.
        _ = session.receive(newer, name: nil, now: now + .seconds(1))
        #expect(session.decline(older.id, of: Self.person(1)) == [.tell(Self.person(1))])
        #expect(session.asked[Self.person(1)]?.request == newer)
        #expect(session.facts.declined == [older.id])
        #expect(session.decline(newer.id, of: Self.person(1)) == [.changed])
        #expect(session.asked.isEmpty)
    }

    @Test func `facts that were read before a request was declined do not bring it back`() {
        var session = session()
        _ = session.receive(request(1, from: 1), name: nil, now: now)
        _ = session.decline(Self.id(1), of: Self.person(1))
        _ = session.read(CorrespondenceFacts())
        #expect(session.receive(request(1, from: 1), name: nil, now: now).isEmpty)
        #expect(session.asked.isEmpty)
    }

    @Test func `a request that waits here already costs no check`() async throws {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Cem")
            let (ann, cem) = (people[0], people[1])
            let post = try #require(EntityID(try await cem.write("A dog bed").id.string))
            try await network.settle()
            let correspondences = try #require(cem.plugin(Posts.self)).correspondences
            func send(_ number: Int, _ text: String) async throws {
                let content = CorrespondenceStatement.request(
                    Self.id(number), to: cem.me.person, post: post,
                    at: ann.clock.wallTime + .milliseconds(number), text: text)
                let statement = try await ann.sign(content.encoded, topic: "posts")
                try await correspondences.received(
                    TopicMessage(
                        topic: "posts", from: ann.me, space: nil,
                        body: CorrespondenceMessage.request(statement, name: nil).encoded))
            }
            for _ in 0..<5 { try await send(1, "Hello") }
            try await send(2, "Hello again")
            let messages = try await cem.call(PostMessageCommands.messages).messages
            #expect(messages.map { $0.text?.string } == ["Hello again"])
        }
    }

    @Test func `a request that another person signed, or about a post of another, is not shown`()
        async throws
    {
        try await TestNetwork.with { network in
            let people = try await network.town("Ann", "Ben", "Cem")
            let (ann, ben, cem) = (people[0], people[1], people[2])
            let post = try await cem.write("A dog bed")
            let others = try await ben.write("A leash")
            try await network.settle()
            let correspondences = try #require(cem.plugin(Posts.self)).correspondences
            func statement(_ post: Post, by host: TestHost, to other: TestHost) async throws
                -> [UInt8]
            {
                let content = CorrespondenceStatement.request(
                    Self.id(7), to: other.me.person,
                    post: try #require(EntityID(post.id.string)),
                    at: host.clock.wallTime, text: "Hello")
                return try await host.sign(content.encoded, topic: "posts")
            }
            func show(_ statement: [UInt8], from peer: Peer) async throws -> Int {
                // One request of a person is checked in a minute.
                try await network.skip(seconds: 60)
                try await correspondences.received(
                    TopicMessage(
                        topic: "posts", from: peer, space: nil,
                        body: CorrespondenceMessage.request(statement, name: nil).encoded))
                return try await cem.call(PostMessageCommands.messages).messages.count
            }
            let mine = try await statement(post, by: ann, to: cem)
            #expect(try await show(mine, from: ben.me) == 0)
            let forged = Array(mine.dropLast()) + [mine[mine.count - 1] ^ 1]
            #expect(try await show(forged, from: ann.me) == 0)
            #expect(try await show(statement(others, by: ann, to: cem), from: ann.me) == 0)
            #expect(try await show(statement(post, by: ann, to: ben), from: ann.me) == 0)
            let drop = try await ann.sign(
                CorrespondenceStatement.request(
                    Self.id(7), to: cem.me.person,
                    post: try #require(EntityID(post.id.string)), at: ann.clock.wallTime,
                    text: "Hello"
                ).encoded, topic: "matching")
            #expect(try await show(drop, from: ann.me) == 0)
            #expect(try await show(mine, from: ann.me) == 1)
        }
    }
}
