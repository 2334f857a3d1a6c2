import Identity
import Links
import Node
import NodeTestSupport
import PeerLink
import Records
import Testing

@testable import Sync

/// Tests pushes that are short on the wire and long in memory: an operation that accepts a role is
/// one byte and decodes to 64. The victim is a separate process, so that its memory can be
/// measured.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PushFloodTests {
    /// The frames that each peer pushes.
    private static let framesCount = 48

    @Test func `pushes on channels that name nothing are answered and not decoded`() async throws {
        let victim = try await Victim.start()
        let before = await victim.settledMiB()
        var highest = before
        var peers: [HostilePeer] = []
        for _ in 0..<4 {
            let (key, person) = try HostilePeer.stranger()
            let peer = try await HostilePeer.dial(victim.port, as: key, person)
            let push = try Self.push(of: key.id, channel: 77)
            for _ in 0..<Self.framesCount {
                try await peer.link.send(push)
                highest = max(highest, victim.residentMiB)
            }
            #expect(try await peer.answers(to: []).contains(.none(channel: 77)))
            peers.append(peer)
        }
        highest = max(highest, victim.residentMiB)
        // A frame is 256 KiB, and its operations are 16 MiB.
        #expect(highest - before < 48, "from \(before) to \(highest) MiB")
        for peer in peers { peer.close() }
        try await victim.remove()
    }

    @Test func `pieces of neighbourhoods that nobody joined are answered and not decoded`()
        async throws
    {
        let victim = try await Victim.start()
        let before = await victim.settledMiB()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(victim.port, as: key, person)
        // The bytes after the channel are those of no piece, so decoding one would end the link.
        let payload = [77] + [UInt8](repeating: 0xff, count: 200_000)
        for _ in 0..<Self.framesCount {
            try await peer.link.send(Frame(type: 31, payload: payload))
        }
        #expect(try await peer.answers(to: []).contains(.none(channel: 77)))
        let highest = await victim.settledMiB()
        #expect(highest - before < 48, "from \(before) to \(highest) MiB")
        peer.close()
        try await victim.remove()
    }

    @Test func `a mate's pushes are counted by their decoded memory`() async throws {
        let mate = try await HostileMate.capture()
        let victim = try await mate.victimAsProcess()
        let before = await victim.settledMiB()
        var highest = before
        let peer = try await HostilePeer.dial(
            victim.port, as: mate.identity.key, mate.identity.person)
        try await peer.announce([mate.pair.id])
        let push = try Self.push(of: mate.me, channel: 0)
        for _ in 0..<Self.framesCount {
            // Signatures that do not verify end the link after a while.
            guard (try? await peer.link.send(push)) != nil else { break }
            highest = max(highest, victim.residentMiB)
        }
        for _ in 0..<20 {
            highest = max(highest, victim.residentMiB)
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(highest - before < 128, "from \(before) to \(highest) MiB")
        peer.close()
        #expect(await victim.shrinks(to: before + 48))
        try await victim.remove()
        mate.removeHome()
    }

    @Test func `a push right behind the announcement of its channel is stored`() async throws {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let peer = try await HostilePeer.dial(
            mate.victim.port, as: mate.identity.key, mate.identity.person)
        let have = Message.have(
            Have(
                round: .announcement,
                entries: [.init(token: peer.token(mate.pair.id), digest: Bytes16.zero)]))
        let push = Message.push(Push(channel: 0, run: try mate.run([HostileMate.harmless])))
        // One write, so that both frames are read before the announcement is handled.
        try await peer.link.send(
            [have, push].map { Frame(type: $0.type, payload: $0.payload(sender: mate.me)) })
        _ = try await peer.answers(to: [])
        #expect(try await mate.pairCounts().batches == before.batches + 1)
        try await mate.end()
    }

    @Test
    func `a malformed push ends the link if its channel is shared, and is not read otherwise`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        let malformed: [UInt8] = [0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
        try await peer.link.send(Frame(type: 4, payload: [99] + malformed))
        #expect(try await peer.answers(to: []).contains(.none(channel: 99)))
        try await peer.link.send(Frame(type: 4, payload: [0] + malformed))
        #expect(await peer.messages { _ in false }.last == .bye(.fault))
        try await mate.end()
    }

    /// Returns a frame of nearly the maximum length. Its operations need 64 times as much memory.
    static func push(of device: DeviceID, channel: UInt64) throws -> Frame {
        let accepts = [Operation](
            repeating: Operation(control: .accept), count: Limits.batchOperationsMax)
        let body = BatchBody(accepts)
        let batches = (0..<63).map {
            Run.Link(stamp: Stamp(HostilePeer.now() + .milliseconds($0)), body: body)
        }
        let run = Run(
            log: LogName(device: device), firstNumber: 1, epoch: 0, batches: batches,
            signature: try DeviceKey().sign([]))
        let message = Message.push(Push(channel: channel, run: run))
        return Frame(type: message.type, payload: message.payload(sender: device))
    }
}
