import Identity
import Links
import Logging
import PeerLink
import PluginKit
import Records
import Sync

/// Keeps idle links of the household's other devices to a node.
struct LinkLoad {
    let household: Household
    let port: UInt16

    /// Opens `count` links, reports this, and keeps them until the input ends.
    func run(count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for key in household.visitors.prefix(count) {
                let endpoint = try LinkEndpoint(
                    key: key.privateKey, logger: Logger(label: "visitor"))
                let link = try await endpoint.dial(
                    LinkAddress(host: "127.0.0.1", port: port), expecting: household.first.id)
                group.addTask { try await Visit(household, link).hold() }
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
    let household: Household
    let link: Link
    let nonce: Bytes16

    init(_ household: Household, _ link: Link) {
        self.household = household
        self.link = link
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
            try await answer(try message(frame), &session)
        }
    }

    private func answer(_ message: Message, _ session: inout SyncSession) async throws {
        if case .ping(let nonce) = message {
            try await send(.pong(nonce: nonce, wallTime: hello.wallTime))
        }
        var effects: [SyncSession.Effect] = []
        if case .have(let have) = message {
            let person = household.record.person
            let spaces = [SpaceDescriptor.own(person), .card(person)]
            effects += session.share(
                zip(spaces, have.entries).map {
                    SharedSpace(space: $0.id, digest: $1.digest, logs: [])
                })
        }
        effects += try session.receive(message)
        for case .send(let message) in effects { try await send(message) }
    }

    private var hello: Hello {
        Hello(
            bootID: nonce, startCount: 1, replicaEpoch: nonce, nonce: nonce,
            wallTime: BenchReplica.wallTime, port: 1, person: ClaimedPersonRecord(household.record))
    }

    private func message(_ frame: Frame) throws -> Message {
        try Message(type: frame.type, payload: frame.payload, sender: link.remoteDevice)
    }

    private func send(_ message: Message) async throws {
        let payload = message.payload(sender: link.ownDevice)
        try await link.send(Frame(type: message.type, payload: payload))
    }
}
