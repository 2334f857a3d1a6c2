import Links
import PeerLink
import Records
import Testing

@testable import Sync

/// Tests peers that ask for answers and never read them. The victim is a separate process, so that
/// its memory can be measured.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PingFloodTests {
    /// The memory by which the victim may grow, in MiB. One of the four links cost more when each
    /// answer was a separate write.
    private static let growthMiBMax = 48

    @Test func `four peers that ping and never read cost little, and their memory is returned`()
        async throws
    {
        let victim = try await Victim.start()
        let before = await victim.settledMiB()
        var attackers: [Attacker] = []
        for _ in 0..<4 {
            attackers.append(try await Attacker.greeted(by: victim.port, isNarrow: true))
        }
        var highest = before
        for round in 0..<250 {
            // Slowly enough that the answers leave the node's queues for the sockets' queues.
            for attacker in attackers {
                let nonces = UInt64(round) * 100..<UInt64(round + 1) * 100
                // A link may have ended, since its peer never reads.
                try? await attacker.link.send(nonces.map { attacker.frame(of: .ping(nonce: $0)) })
            }
            try await Task.sleep(for: .milliseconds(80))
            highest = max(highest, victim.residentMiB)
        }
        #expect(highest - before < Self.growthMiBMax, "from \(before) to \(highest) MiB")
        // The victim still answers, on its local API and on a new link from elsewhere.
        _ = try await victim.status()
        let other = try await Attacker.greeted(by: victim.port, from: "127.0.0.9")
        for attacker in attackers + [other] { attacker.link.close(because: .closed) }
        #expect(
            await victim.shrinks(to: before + Self.growthMiBMax / 2),
            "from \(before) to \(victim.residentMiB) MiB")
        try await victim.remove()
    }
}
