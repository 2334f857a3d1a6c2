import struct Foundation.Date
import Identity
import Links
import Logging
import PeerLink
import PluginKit
import Records

@testable import Sync

/// A peer that encodes the protocol by hand and can send any message.
final class HostilePeer: Sendable {
    let key: DeviceKey
    let person: PersonRecord
    let link: Link
    let mine: Hello
    let theirs: Hello
    private let received: AsyncStream<Message>
    private let reading: Task<Void, Never>

    /// Creates a person that no node knows.
    static func stranger() throws -> (DeviceKey, PersonRecord) {
        let key = DeviceKey()
        var generator = SystemRandomNumberGenerator()
        let words = RecoveryWords(using: &generator)
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: words.key.publicKey)
        return (key, try PersonRecord(founding: founding, firstDevice: key))
    }

    /// Dials a node and sends a valid HELLO.
    static func dial(
        _ port: UInt16, as key: DeviceKey, _ person: PersonRecord, startCount: UInt64 = 1_000_000,
        versions: ClosedRange<UInt8> = Hello.spoken, ahead: Duration = .zero,
        claiming claim: ClaimedPersonRecord? = nil
    ) async throws -> HostilePeer {
        let link = try await raw(port, as: key)
        var mine = hello(person, startCount: startCount, versions: versions)
        mine.wallTime = mine.wallTime + ahead
        if let claim { mine.person = claim }
        try await link.send(
            Frame(type: 1, payload: Message.hello(mine).payload(sender: key.id)))
        var frames = link.frames.makeAsyncIterator()
        guard let frame = await frames.next(),
            case .hello(let theirs) = try Message(
                type: frame.type, payload: frame.payload, sender: link.remoteDevice)
        else { throw LinkFault.closed }
        link.helloAccepted(isKnown: false)
        return HostilePeer(key, person, link, mine, theirs, frames)
    }

    /// Opens a TLS link without sending a message.
    static func raw(_ port: UInt16, as key: DeviceKey) async throws -> Link {
        var logger = Logger(label: "hostile")
        logger.logLevel = .critical
        return try await LinkEndpoint(key: key.privateKey, logger: logger)
            .dial(LinkAddress(host: "127.0.0.1", port: port), expecting: nil)
    }

    static func hello(
        _ person: PersonRecord, startCount: UInt64 = 1_000_000,
        versions: ClosedRange<UInt8> = Hello.spoken
    ) -> Hello {
        Hello(
            versions: versions, bootID: nonce(), startCount: startCount, replicaEpoch: nonce(),
            nonce: nonce(),
            wallTime: now(), port: 9, person: ClaimedPersonRecord(person))
    }

    static func now() -> Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    private static func nonce() -> Bytes16 {
        Bytes16(prefixOf: DeviceKey().id.raw)
    }

    private init(
        _ key: DeviceKey, _ person: PersonRecord, _ link: Link, _ mine: Hello, _ theirs: Hello,
        _ frames: sending LinkFrames.AsyncIterator
    ) {
        self.key = key
        self.person = person
        self.link = link
        self.mine = mine
        self.theirs = theirs
        let (stream, continuation) = AsyncStream.makeStream(of: Message.self)
        received = stream
        let remote = link.remoteDevice
        var frames = frames
        reading = Task { @concurrent in
            while let frame = await frames.next() {
                if let message = try? Message(
                    type: frame.type, payload: frame.payload, sender: remote)
                {
                    continuation.yield(message)
                }
            }
            continuation.finish()
        }
    }

    func send(_ message: Message) async throws {
        try await link.send(Frame(type: message.type, payload: message.payload(sender: key.id)))
    }

    /// Returns this side's token of a space.
    func token(_ space: SpaceID) -> Token {
        Token(space, sender: mine.nonce, receiver: theirs.nonce)
    }

    /// Announces spaces, which become the channels 0, 1, 2 …
    func announce(_ spaces: [SpaceID]) async throws {
        let entries = spaces.map { Have.Entry(token: token($0), digest: Bytes16.zero) }
        try await send(.have(Have(round: .announcement, entries: entries)))
    }

    /// Returns the messages up to the first match, including it, or all messages if the link ends
    /// before.
    func messages(until isLast: (Message) -> Bool) async -> [Message] {
        var messages: [Message] = []
        for await message in received {
            messages.append(message)
            if isLast(message) { break }
        }
        return messages
    }

    /// Returns the node's answers to messages, up to its answer to a ping sent after them.
    func answers(to messages: [Message]) async throws -> [Message] {
        let mark = UInt64.random(in: 1...UInt64.max)
        for message in messages { try await send(message) }
        try await send(.ping(nonce: mark))
        let all = await self.messages { message in
            if case .pong(mark, _) = message { true } else { false }
        }
        return all.filter {
            switch $0 {
            case .pong, .ping, .presence, .announced: false
            default: true
            }
        }
    }

    func close() { link.close(because: .closed) }
}
