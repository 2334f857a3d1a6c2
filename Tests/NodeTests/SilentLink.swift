import Identity
import Links
import PluginKit
import Records

@testable import Node
@testable import Sync

/// A link over which nothing is received.
struct SilentLink: DeviceLink {
    let ownDevice: DeviceID
    let remoteDevice: DeviceID
    var isDialled = false
    var remoteAddress: LinkAddress?
    /// Receives what is sent.
    var receiver: @Sendable (Frame) -> Void = { _ in }
    let frames = AsyncStream<Frame> { $0.finish() }
    var closed: LinkFault { get async { .closed } }

    func send(_ frame: Frame) async throws(LinkFault) { receiver(frame) }
    func helloAccepted(isKnown: Bool) {}
    func close(because fault: LinkFault) {}
}

extension ActiveLink {
    /// Makes a link with the first device of a new person, over which nothing is received.
    /// - Parameters:
    ///   - host: the address from which the peer comes.
    ///   - offset: the peer's clock minus this one's.
    ///   - versions: the protocol versions that the peer speaks; all by default.
    ///   - claim: the record of the peer's HELLO; that of the new person by default.
    ///   - receiver: receives what is sent.
    static func silent(
        id: UInt64, on device: DeviceID = DeviceIDs.one, host: String? = nil,
        isDialled: Bool = false, targetKey: String? = nil, offset: Duration = .zero,
        person: PersonID? = nil, key: DeviceKey = DeviceKey(),
        versions: ClosedRange<UInt8> = Hello.spoken, claim: ClaimedPersonRecord? = nil,
        receiver: @escaping @Sendable (Frame) -> Void = { _ in }
    ) throws -> ActiveLink {
        var generator = SystemRandomNumberGenerator()
        let record = try PersonRecord(
            founding: FoundingRecord(
                firstDevice: key.id, recoveryKey: RecoveryWords(using: &generator).key.publicKey),
            firstDevice: key)
        let random = SystemRandom()
        var hello = Hello(
            bootID: random.nonce(), startCount: 1, replicaEpoch: random.nonce(),
            nonce: random.nonce(), wallTime: .min, port: 9,
            person: claim ?? ClaimedPersonRecord(record))
        hello.versions = versions
        return ActiveLink(
            id: id,
            link: SilentLink(
                ownDevice: device, remoteDevice: key.id, isDialled: isDialled,
                remoteAddress: host.map { LinkAddress(host: $0, port: 40_000) },
                receiver: receiver),
            peer: Peer(device: key.id, person: person ?? record.person), hello: hello,
            listing: record,
            boot: Boot(id: hello.bootID, startCount: 1), outbox: Outbox(), since: .min,
            clockOffset: offset, targetKey: targetKey,
            session: SyncSession(localNonce: random.nonce(), remoteNonce: hello.nonce))
    }
}
