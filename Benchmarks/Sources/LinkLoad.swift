import Identity
import Links
import Logging
import PeerLink
import PluginKit
import Records
import Sync

/// Keeps idle links of mates' devices to a node. One person may have few links, so each visitor is
/// another person.
struct LinkLoad {
    let household: Household
    let port: UInt16

    /// Opens `count` links, reports this, and keeps them until the input ends.
    func run(count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let mate = try Mate(number)
                let endpoint = try LinkEndpoint(
                    key: mate.key.privateKey, logger: Logger(label: "visitor"))
                let link = try await endpoint.dial(
                    LinkAddress(host: "127.0.0.1", port: port), expecting: household.first.id)
                group.addTask { try await Visit(of: mate, to: household, link).hold() }
                // A node accepts a limited number of connections per second.
                try await Task.sleep(for: .milliseconds(100))
            }
            Output.line("linked")
            while readLine() != nil {}
            group.cancelAll()
        }
    }
}

/// A visitor's link, whose replica equals the node's.
private struct Visit {
    let mate: Mate
    let link: Link
    let nonce: Bytes16
    /// The spaces that a node shares with a mate.
    let spaces: [SpaceID]

    init(of mate: Mate, to household: Household, _ link: Link) {
        self.mate = mate
        self.link = link
        let (me, other) = (household.record.person, mate.record.person)
        spaces = [SpaceDescriptor.between(me, other), .card(me), .card(other)].map(\.id)
        var generator = SystemRandomNumberGenerator()
        nonce = SignedWorkload.nonce(Int(generator.next() >> 1))
    }

    func hold() async throws {
        var frames = link.frames.makeAsyncIterator()
        try await send(.hello(hello))
        guard let first = await frames.next(), case .hello(let theirs) = try message(first) else {
            throw LinkFault.closed
        }
        link.helloAccepted(isKnown: false)
        var session = SyncSession(localNonce: nonce, remoteNonce: theirs.nonce)
        while let frame = await frames.next() {
            try await answer(try message(frame), of: theirs.nonce, &session)
        }
    }

    private func answer(
        _ message: Message, of theirNonce: Bytes16, _ session: inout SyncSession
    ) async throws {
        if case .ping(let nonce) = message {
            try await send(.pong(nonce: nonce, wallTime: hello.wallTime))
        }
        var effects: [SyncSession.Effect] = []
        if case .have(let have) = message {
            effects += session.share(
                spaces.compactMap { space in
                    let token = Token(space, sender: theirNonce, receiver: nonce)
                    return have.entries.first { $0.token == token }.map {
                        SharedSpace(space: space, digest: $0.digest, logs: [])
                    }
                })
        }
        effects += try session.receive(message)
        for case .send(let message) in effects { try await send(message) }
    }

    private var hello: Hello {
        Hello(
            bootID: nonce, startCount: 1, replicaEpoch: nonce, nonce: nonce,
            wallTime: BenchReplica.wallTime, port: 1, person: ClaimedPersonRecord(mate.record))
    }

    private func message(_ frame: Frame) throws -> Message {
        try Message(type: frame.type, payload: frame.payload, sender: link.remoteDevice)
    }

    private func send(_ message: Message) async throws {
        let payload = message.payload(sender: link.ownDevice)
        try await link.send(Frame(type: message.type, payload: payload))
    }
}
