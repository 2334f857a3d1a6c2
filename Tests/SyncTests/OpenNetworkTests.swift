import Records
import TestSupport
import Testing

@testable import Sync

/// Tests that whatever an honest link offers and the allowances permit arrives, however links come
/// and go and whatever others do.
@Suite struct OpenNetworkTests {
    /// A chain through the honest nodes and further links at random.
    private func relink(_ network: inout OpenNetwork, honest: [Int]) {
        for (one, other) in zip(honest, honest.dropFirst()) { network.link(one, other) }
        let last = network.nodes.count - 1
        for _ in network.nodes {
            network.link(network.chance.number(0...last), network.chance.number(0...last))
        }
    }

    private func live(_ network: inout OpenNetwork, honest: [Int], rounds: Int) {
        relink(&network, honest: honest)
        for round in 0..<rounds {
            if let author = honest.randomElement(using: &network.chance) { network.post(author) }
            let pairs = network.links.keys.sorted { ($0.low, $0.high) < ($1.low, $1.high) }
            if let pair = pairs.randomElement(using: &network.chance), round % 3 == 0 {
                network.cut(pair.low, pair.high)
            }
            if round % 5 == 0 { relink(&network, honest: honest) }
            let pause = Duration.milliseconds(network.chance.number(0...700))
            network.run(until: network.now + pause)
        }
        relink(&network, honest: honest)
    }

    private func expectAll(
        _ network: OpenNetwork, honest: [Int], _ seed: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for author in honest {
            let log = OpenFixture.log(author)
            let whole = network.nodes[author].logs[log]
            for node in honest {
                #expect(
                    network.nodes[node].logs[log] == whole,
                    "seed \(seed): the log of \(author) at \(node)",
                    sourceLocation: sourceLocation)
            }
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `every post arrives, whatever links are cut`(seed: UInt64) {
        var network = OpenNetwork(9, seed: seed)
        let honest = Array(0..<9)
        live(&network, honest: honest, rounds: 120)
        network.run(until: network.now + .seconds(40))
        expectAll(network, honest: honest, seed)
        #expect(network.nodes.allSatisfy { $0.refusedCount == 0 }, "seed \(seed)")
        let counts = network.nodes.flatMap { $0.arrivals.values.flatMap(\.values) }
        let average = Double(counts.reduce(0, +)) / Double(counts.count)
        #expect(average < 1.3, "seed \(seed): each batch arrived \(average) times")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `every post within the allowance arrives when it refills`(seed: UInt64) {
        var network = OpenNetwork(6, seed: seed)
        network.batchesPerMinute = 10
        let honest = Array(0..<6)
        live(&network, honest: honest, rounds: 150)
        // About 25 posts each, in a minute.
        let before = network.now
        network.run(until: before + .seconds(400))
        expectAll(network, honest: honest, seed)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `every post of honest nodes arrives among liars`(seed: UInt64) {
        var network = OpenNetwork(12, seed: seed)
        let liars = [1, 4, 7, 10]
        for (node, lie) in zip(liars, OpenNetwork.Lie.allCases) { network.nodes[node].lie = lie }
        let honest = (0..<12).filter { !liars.contains($0) }
        live(&network, honest: honest, rounds: 120)
        network.run(until: network.now + .seconds(300))
        expectAll(network, honest: honest, seed)
        for node in honest {
            let exchange = network.nodes[node].exchange
            #expect(exchange.links.values.allSatisfy { $0.missing.count <= 2048 }, "seed \(seed)")
            #expect(exchange.underWay.count <= OpenLimits.piecesAtOnceMax, "seed \(seed)")
        }
    }
}
