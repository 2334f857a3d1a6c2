/// The size of a simulated town: people in a café who joined one open space, and liars among them.
package struct OpenTownPlan: Sendable {
    /// The number of honest nodes, each of its own person.
    package let nodeCount: Int
    /// The number of liars besides.
    package let liarCount: Int
    /// The keys of each liar, each of its own person.
    package let keysPerLiar: Int
    /// The posts of each honest person before the ones whose way is timed.
    package let postsPerNode: Int
    /// The minutes in which liars act before posts are timed.
    package let liarMinutes: Int
    /// The seed of all randomness.
    package let seed: UInt64

    package init(
        nodeCount: Int, liarCount: Int = 0, keysPerLiar: Int = 0, postsPerNode: Int = 2,
        liarMinutes: Int = 3, seed: UInt64 = 1
    ) {
        self.nodeCount = nodeCount
        self.liarCount = liarCount
        self.keysPerLiar = keysPerLiar
        self.postsPerNode = postsPerNode
        self.liarMinutes = liarMinutes
        self.seed = seed
    }

    /// The mates that each person is linked with.
    static let matesPerNode = 3
    /// The other people that a node links with at most, strangers and people met.
    static let othersMax = 8
    /// The latency of a message, in milliseconds.
    static let latency = 5...80
    /// The time that a node needs to store a piece, in milliseconds.
    static let storing: Int64 = 3
    /// The posts whose way is timed.
    static let probeCount = 5
    /// The time within which a post reaches everybody, in milliseconds.
    static let reachMax: Int64 = 10_000
    /// The number of times that a node may receive a batch, on average.
    static let arrivalsMax = 3.0
}

/// The measurements of a town.
package struct OpenTownResult: Sendable {
    /// The plan.
    package let plan: OpenTownPlan
    /// The time until the slowest timed post had reached every honest node, in milliseconds.
    package var slowestReach: Int64 = 0
    /// The number of times that an honest node received a batch, on average.
    package var arrivals = 0.0
    /// The processor time of the process for each honest node, in seconds.
    package var cpuPerNode = 0.0
    /// The bytes of frames that an honest node sent and received, on average.
    package var bytesPerNode = 0
    /// The share of the posts of honest people that every honest node has.
    package var honestShare = 0.0
    /// The counts of events.
    package var tally = Tally()
    /// The broken promise, or nil.
    package var violation: Violation?

    init(plan: OpenTownPlan) { self.plan = plan }

    /// The result in one line.
    package var text: String {
        let numbers = [
            "nodes=\(plan.nodeCount)", "liars=\(plan.liarCount)", "keys=\(plan.keysPerLiar)",
            "reach=\(slowestReach)ms", "arrivals=\(rounded(arrivals))",
            "cpu=\(rounded(cpuPerNode))s", "bytes=\(bytesPerNode)",
            "share=\(rounded(honestShare))",
        ]
        return numbers.joined(separator: " ") + " | " + tally.text
    }

    private func rounded(_ number: Double) -> String {
        let thousandths = (number * 1000).rounded() / 1000
        return "\(thousandths)"
    }
}
