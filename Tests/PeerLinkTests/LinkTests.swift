import Crypto
import Links
import NIOCore
import Records
import Testing

@testable import PeerLink

@Suite(.timeLimit(.minutes(1))) struct LinkTests {
    private let ann = TestDevice()
    private let bob = TestDevice()

    @Test func `two devices link and each knows the other's key`() async throws {
        let pair = try await LinkedPair(dialler: ann.endpoint(), acceptor: bob.endpoint())
        #expect(pair.dialled.remoteDevice == pair.accepted.ownDevice)
        #expect(pair.accepted.remoteDevice == pair.dialled.ownDevice)
        #expect(pair.dialled.remoteDevice.bytes == Array(bob.key.publicKey.rawRepresentation))
        #expect(pair.dialled.isDialled)
        #expect(!pair.accepted.isDialled)
        #expect(pair.dialled.remoteAddress == pair.listener.address)
        #expect(pair.accepted.remoteAddress == pair.dialled.localAddress)
        await pair.close()
    }

    @Test func `frames of every size go both ways in order`() async throws {
        let pair = try await LinkedPair(dialler: ann.endpoint(), acceptor: bob.endpoint())
        let sent = [0, 1, 5, 16 * 1024, 100_000, Limits.frameBytesMax - 1].map { count in
            Frame(type: UInt8(count % 251), payload: [UInt8](repeating: 7, count: count))
        }
        async let ahead: Void = pair.dialled.send(sent)
        async let back: Void = pair.accepted.send(sent)
        var (there, here) = (
            pair.accepted.frames.makeAsyncIterator(), pair.dialled.frames.makeAsyncIterator()
        )
        for frame in sent {
            #expect(await there.next() == frame)
            #expect(await here.next() == frame)
        }
        try await ahead
        try await back
        await pair.close()
    }

    @Test func `a frame one byte over the limit is not sent and the link stays open`() async throws
    {
        let pair = try await LinkedPair(dialler: ann.endpoint(), acceptor: bob.endpoint())
        let tooLong = Frame(
            type: 1, payload: [UInt8](repeating: 0, count: Limits.frameBytesMax))
        await #expect(
            throws: LinkFault.frameTooLong(
                bytes: Limits.frameBytesMax + 1, limit: Limits.frameBytesMax)
        ) { try await pair.dialled.send(tooLong) }
        let short = Frame(type: 2, payload: [3])
        try await pair.dialled.send(short)
        var frames = pair.accepted.frames.makeAsyncIterator()
        #expect(await frames.next() == short)
        await pair.close()
    }

    @Test func `after the first frame none arrives until HELLO is accepted`() async throws {
        let pair = try await LinkedPair(
            dialler: ann.endpoint(), acceptor: bob.endpoint(), acceptsHello: false)
        let hello = Frame(type: 1, payload: [1])
        let large = Frame(
            type: 2, payload: [UInt8](repeating: 2, count: Limits.helloFrameBytesMax * 2))
        try await pair.dialled.send([hello, large])
        var frames = pair.accepted.frames.makeAsyncIterator()
        #expect(await frames.next() == hello)
        pair.accepted.helloAccepted(isKnown: false)
        #expect(await frames.next() == large)
        await pair.close()
    }

    @Test func `the frames sent before a link was closed still arrive`() async throws {
        let pair = try await LinkedPair(dialler: ann.endpoint(), acceptor: bob.endpoint())
        let last = (0..<20).map { Frame(type: $0, payload: [UInt8](repeating: $0, count: 5000)) }
        try await pair.dialled.send(last)
        pair.dialled.close(because: .replaced)
        var received: [Frame] = []
        for await frame in pair.accepted.frames { received.append(frame) }
        #expect(received.map(\.type) == last.map(\.type))
        #expect(received.allSatisfy { $0.payload.count == 5000 })
        #expect(await pair.dialled.closed == .replaced)
        #expect(await pair.accepted.closed == .closed)
        await pair.close()
    }

    @Test func `only the first reason to close counts`() async throws {
        let pair = try await LinkedPair(dialler: ann.endpoint(), acceptor: bob.endpoint())
        pair.dialled.close(because: .refused)
        pair.dialled.close(because: .replaced)
        #expect(await pair.dialled.closed == .refused)
        await #expect(throws: LinkFault.refused) {
            try await pair.dialled.send(Frame(type: 1, payload: []))
        }
        await pair.close()
    }

    @Test func `a link whose reader stops reading is closed`() async throws {
        let pair = try await LinkedPair(dialler: ann.endpoint(), acceptor: bob.endpoint())
        try await pair.dialled.send(Frame(type: 1, payload: []))
        for await _ in pair.accepted.frames { break }
        #expect(await pair.accepted.closed == .cancelled)
        #expect(await pair.dialled.closed == .closed)
        await pair.close()
    }

    @Test func `a link is closed when the task that reads it is cancelled`() async throws {
        let pair = try await LinkedPair(dialler: ann.endpoint(), acceptor: bob.endpoint())
        let frames = pair.accepted.frames
        let reader = Task { for await _ in frames {} }
        reader.cancel()
        #expect(await pair.accepted.closed == .cancelled)
        await pair.close()
    }

    @Test func `two devices that dial at once agree on one link`() async throws {
        let (annEnd, bobEnd) = (try ann.endpoint(), try bob.endpoint())
        let annListener = try await annEnd.listen(host: "127.0.0.1", port: 0)
        let bobListener = try await bobEnd.listen(host: "127.0.0.1", port: 0)
        async let fromAnn = annEnd.dial(bobListener.address, expecting: bobEnd.device)
        async let fromBob = bobEnd.dial(annListener.address, expecting: annEnd.device)
        let annLinks = [try await fromAnn, try await annListener.next()]
        let bobLinks = [try await fromBob, try await bobListener.next()]

        let annBoot = Boot(id: .zero, startCount: 8)
        let bobBoot = Boot(id: .zero, startCount: 3)
        let annKeeps = survivor(annLinks, boot: bobBoot)
        let bobKeeps = survivor(bobLinks.reversed(), boot: annBoot)
        let lowerDialled = annEnd.device < bobEnd.device
        #expect(annKeeps.isDialled == lowerDialled)
        #expect(bobKeeps.isDialled != lowerDialled)
        #expect(annKeeps.localAddress == bobKeeps.remoteAddress)

        for link in annLinks + bobLinks { link.close(because: .closed) }
        for link in annLinks + bobLinks { _ = await link.closed }
        await annListener.close()
        await bobListener.close()
    }

    private func survivor(_ links: [Link], boot: Boot) -> Link {
        LinkChoice(existing: links[0].claim(boot: boot), new: links[1].claim(boot: boot)) == .new
            ? links[1] : links[0]
    }
}
