import Identity
import Links
import NodeTestSupport
import PeerLink
import Synchronization
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Tests strangers who ask a node again and again to dial them.
@Suite(.serialized, .timeLimit(.minutes(3))) struct DialBackFloodTests {
    @Test func `strangers who ask without a pause are each dialled once`() async throws {
        let victim = try await RunningNode.start()
        var askers: [Asker] = []
        for _ in 0..<DialPlan.strangersPerAddressMax {
            askers.append(try await Asker.greeted(by: victim))
        }
        let results = try await withThrowingTaskGroup(
            of: [DialResult].self, returning: [DialResult].self
        ) { group in
            for asker in askers {
                group.addTask { try await asker.results(ofQuestions: 100) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        // Each question has an answer, and most of them the one for "not tried".
        #expect(results.count == askers.count * 100)
        #expect(results.count { $0 == .reached } == askers.count)
        #expect(results.count { $0 == .notTried } == askers.count * 99)
        #expect(await eventually { askers.allSatisfy { $0.dialsCount == 1 } })
        for asker in askers { asker.close() }
        try await victim.remove()
    }

    @Test func `a stranger who links again for each question is dialled a few times a minute`()
        async throws
    {
        let victim = try await RunningNode.start()
        let begun = ContinuousClock.now
        var (results, dials): ([DialResult], Int) = ([], 0)
        for _ in 0..<40 {
            let asker = try await Asker.greeted(by: victim)
            results += try await asker.results(ofQuestions: 1)
            dials += asker.dialsCount
            asker.close()
            // The node accepts few connections a second from one address.
            try await Task.sleep(for: .milliseconds(100))
        }
        let minutes = Int(begun.duration(to: .now) / .seconds(60)) + 2
        let permitted = results.count { $0 == .reached }
        #expect(results.count == 40)
        #expect(permitted <= minutes * DialBudget.dialBacksPerMinuteMax && dials <= permitted)
        #expect(permitted < 40)
        try await victim.remove()
    }
}

/// A stranger who asks to be dialled, and counts the connections that follow.
private final class Asker: Sendable {
    private let peer: HostilePeer
    private let listener: LinkListener
    private let dials = Mutex(0)
    private let counting = Mutex<Task<Void, Never>?>(nil)

    /// The connections that reached TLS.
    var dialsCount: Int { dials.withLock { $0 } }

    static func greeted(by victim: RunningNode) async throws -> Asker {
        let (key, person) = try HostilePeer.stranger()
        let endpoint = try LinkEndpoint(key: key.privateKey, logger: .quiet)
        let listener = try await endpoint.listen(host: "0.0.0.0", port: 0)
        return Asker(try await HostilePeer.dial(victim.port, as: key, person), listener)
    }

    private init(_ peer: HostilePeer, _ listener: LinkListener) {
        (self.peer, self.listener) = (peer, listener)
        let task = Task { [weak self] in
            for await link in listener.links {
                self?.dials.withLock { $0 += 1 }
                link.close(because: .closed)
            }
        }
        counting.withLock { $0 = task }
    }

    /// Asks several times without waiting in between, and returns the answers.
    func results(ofQuestions count: Int) async throws -> [DialResult] {
        for nonce in 0..<count {
            try await peer.send(.dialBack(nonce: UInt64(nonce), port: listener.port))
        }
        var results: [DialResult] = []
        _ = await peer.messages { message in
            if case .dialResult(_, let result) = message { results.append(result) }
            return results.count == count
        }
        return results
    }

    func close() {
        peer.close()
        counting.withLock { $0?.cancel() }
    }
}
