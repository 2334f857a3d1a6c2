import Crypto
import Links
import NIOCore
import NIOPosix
import NIOSSL
import Records
import Testing

@testable import PeerLink

@Suite(.timeLimit(.minutes(1))) struct PeerIdentityTests {
    private let ann = TestDevice()
    private let bob = TestDevice()

    @Test func `a certificate depends on its key alone and contains it`() throws {
        let one = try ann.certificate().certificate
        let other = try ann.certificate().certificate
        #expect(try one.toDERBytes() == other.toDERBytes())
        #expect(DeviceID(certificate: one)?.bytes == Array(ann.key.publicKey.rawRepresentation))
    }

    @Test func `another device than the one dialled is refused`() async throws {
        let bobEnd = try bob.endpoint()
        let wanted = try TestDevice().endpoint().device
        let listener = try await bobEnd.listen(host: "127.0.0.1", port: 0)
        await #expect(throws: LinkFault.wrongDevice(expected: wanted, found: bobEnd.device)) {
            try await ann.endpoint().dial(listener.address, expecting: wanted)
        }
        await listener.close()
    }

    @Test func `a device that dials its own key learns that it reached itself`() async throws {
        let annEnd = try ann.endpoint()
        let listener = try await annEnd.listen(host: "127.0.0.1", port: 0)
        let link = try await annEnd.dial(listener.address, expecting: nil)
        #expect(link.remoteDevice == link.ownDevice)
        link.close(because: .ownDevice)
        await listener.close()
    }

    @Test func `a device without a certificate is not admitted`() async throws {
        let listener = try await ann.endpoint().listen(host: "127.0.0.1", port: 0)
        let anonymous = try await RawPeer.dial(listener.port, .makeClientConfiguration())
        try await anonymous.closeFuture.get()
        try await expectNobodyBefore(bob, at: listener)
    }

    @Test func `a device with TLS 1_2 is not admitted`() async throws {
        let listener = try await ann.endpoint().listen(host: "127.0.0.1", port: 0)
        var old = TLSConfiguration.link(
            try TestDevice().certificate(), goodbye: .seconds(1), serves: false)
        old.minimumTLSVersion = .tlsv12
        old.maximumTLSVersion = .tlsv12
        let dialler = try await RawPeer.dial(listener.port, old)
        try await dialler.closeFuture.get()
        try await expectNobodyBefore(bob, at: listener)
    }

    @Test func `a device with an older TLS is not dialled`() async throws {
        var old = TLSConfiguration.link(
            try bob.certificate(), goodbye: .seconds(1), serves: true)
        old.minimumTLSVersion = .tlsv12
        old.maximumTLSVersion = .tlsv12
        try await expectHandshakeFails(with: old)
    }

    @Test(arguments: ForeignCertificate.allCases)
    func `a certificate with another kind of key is not admitted`(foreign: ForeignCertificate)
        async throws
    {
        let listener = try await ann.endpoint().listen(host: "127.0.0.1", port: 0)
        let dialler = try await RawPeer.dial(
            listener.port, foreign.configuration(serves: false))
        try await dialler.closeFuture.get()
        try await expectNobodyBefore(bob, at: listener)
    }

    @Test(arguments: ForeignCertificate.allCases)
    func `a device with another kind of key is not dialled`(foreign: ForeignCertificate)
        async throws
    {
        try await expectHandshakeFails(with: foreign.configuration(serves: true))
    }

    @Test(arguments: ForeignCertificate.allCases)
    func `the fault for another kind of key names it`(foreign: ForeignCertificate) throws {
        let check = PeerCheck(own: try ann.endpoint().device, expected: nil)
        #expect(throws: LinkFault.notEd25519) { try check.device(of: [foreign.certificate()]) }
        #expect(throws: LinkFault.notEd25519) { try check.device(of: []) }
    }

    /// Expects that the honest device is the first one admitted, so that all before it were
    /// refused.
    private func expectNobodyBefore(_ honest: TestDevice, at listener: LinkListener) async throws {
        let link = try await honest.endpoint().dial(listener.address, expecting: nil)
        let first = try await listener.next()
        #expect(first.remoteDevice == link.ownDevice)
        link.close(because: .closed)
        _ = await link.closed
        await listener.close()
    }

    private func expectHandshakeFails(with configuration: TLSConfiguration) async throws {
        let context = try NIOSSLContext(configuration: configuration)
        let server = try await RawPeer.serve { channel in
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }
        let annEnd = try ann.endpoint()
        let fault = await #expect(throws: LinkFault.self) {
            try await annEnd.dial(server.linkAddress, expecting: nil)
        }
        guard case .handshakeFailed = fault else {
            Issue.record("refused for another reason: \(String(describing: fault))")
            return
        }
        try await server.close()
    }
}
