import Links
import NIOCore
import Node
import NodeTestSupport
import Synchronization
import Testing

@testable import PeerLink

/// Tests floods of connections that never introduce themselves, while a mate dials.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SilentSocketTests {
    /// The fewest connections that the attacker opens from each address. It goes on until the mate
    /// is linked.
    private static let perAddressMin = 500
    /// The connections that may be open at a time, of each address.
    private static let openPerAddressMax = 100
    private static let addresses = (2...5).map { "127.0.0.\($0)" }
    /// The longest time until a mate is linked, over all attempts, beyond the time by which this
    /// process itself was late: it opens the connections, beside other suites.
    private static let linkedWithin = Duration.seconds(20)

    /// Nothing, the first byte of a TLS record, or the start of a handshake.
    @Test(arguments: [[], [22], [22, 3, 1, 0x40, 0, 1, 0, 0x3F]] as [[UInt8]])
    func `a mate gets in while silent connections from four addresses are opened without pause`(
        bytes: [UInt8]
    ) async throws {
        let mate = try await HostileMate.capture()
        let victim = try await mate.victimAsProcess()
        let socketsBefore = victim.socketsCount
        let flood = Flood(port: victim.port, bytes: bytes)
        async let flooding: Void = flood.run(
            from: Self.addresses, countMin: Self.perAddressMin, openMax: Self.openPerAddressMax)
        // All 64 places were taken long before.
        _ = await flood.hasTried(500)
        var attemptsCount = 0
        var link: Link?
        var highest = 0
        let lateness = Task { await Self.lateness() }
        let took = await ContinuousClock().measure {
            while link == nil, attemptsCount < 5 {
                attemptsCount += 1
                link = try? await Attacker.greeted(
                    by: victim.port, as: (mate.identity.key, mate.identity.person),
                    from: "127.0.0.9"
                ).link
                highest = max(highest, victim.socketsCount)
            }
        }
        lateness.cancel()
        let late = await lateness.value
        #expect(link != nil, "shut out \(attemptsCount) times")
        #expect(
            took - late <= Self.linkedWithin,
            "\(took) in \(attemptsCount) attempts, \(late) late")
        // Each place is one socket; a few more may be on their way out.
        #expect(highest - socketsBefore < 64 + 64, "\(highest) sockets")
        flood.end()
        await flooding
        #expect(await eventually { victim.socketsCount < socketsBefore + 4 })
        try await victim.remove()
        mate.removeHome()
    }

    /// Returns by how much the tasks of this process were late in all, until the task is cancelled.
    private static func lateness() async -> Duration {
        let pause = Duration.milliseconds(20)
        var late = Duration.zero
        while !Task.isCancelled {
            late +=
                await ContinuousClock().measure { try? await Task.sleep(for: pause) } - pause
        }
        return max(.zero, late)
    }
}

/// Connections that are opened without pause and never make it to a HELLO.
private final class Flood: Sendable {
    private let port: UInt16
    private let bytes: [UInt8]
    private let triedCount = Atomic<Int>(0)
    private let isToEnd = Atomic<Bool>(false)

    init(port: UInt16, bytes: [UInt8]) {
        (self.port, self.bytes) = (port, bytes)
    }

    /// Ends the flood once each address has opened its fewest connections.
    func end() { isToEnd.store(true, ordering: .releasing) }

    /// Waits until this many connections were tried.
    func hasTried(_ count: Int) async -> Bool {
        await eventually { triedCount.load(ordering: .relaxed) >= count }
    }

    /// Opens at least `countMin` connections from each address, until ``end()``. The last
    /// `openMax` of them stay open until then.
    func run(from addresses: [String], countMin: Int, openMax: Int) async {
        await withDiscardingTaskGroup { group in
            for address in addresses {
                group.addTask {
                    await self.run(from: address, countMin: countMin, openMax: openMax)
                }
            }
        }
    }

    private func run(from address: String, countMin: Int, openMax: Int) async {
        var open: [any Channel] = []
        var count = 0
        while count < countMin || !isToEnd.load(ordering: .acquiring) {
            if let channel = try? await Attacker.silence(to: port, from: address) {
                if !bytes.isEmpty { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
                open.append(channel)
            }
            count += 1
            triedCount.add(1, ordering: .relaxed)
            if open.count > openMax { open.removeFirst().close(promise: nil) }
        }
        for channel in open { channel.close(promise: nil) }
    }
}
