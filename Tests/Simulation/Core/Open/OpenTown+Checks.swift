internal import Foundation
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

// The promises about an open space.
extension OpenTown {
    /// Lives through the plan: people meet and post, and then some posts are timed.
    func live() async throws -> OpenTownResult {
        var result = OpenTownResult(plan: plan)
        let cpuBefore = OpenTown.cpuSeconds
        do {
            try await meet()
            for _ in 0..<plan.postsPerNode {
                for node in residents.indices {
                    try await run(until: now + Int64(chance.number(1...20)))
                    try await post(node)
                }
            }
            let liarsTime = Int64(plan.liarMinutes) * 60_000
            try await run(until: now + (plan.liarCount > 0 ? liarsTime : 30_000))
            for _ in 0..<OpenTownPlan.probeCount {
                let reach = try await probe()
                result.slowestReach = max(result.slowestReach, reach)
            }
            try await run(until: now + 60_000)
            try await checkAll(&result)
        } catch let found as Violation {
            result.violation = found
        }
        result.cpuPerNode = (OpenTown.cpuSeconds - cpuBefore) / Double(residents.count)
        result.bytesPerNode = residents.reduce(0) { $0 + $1.bytes } / residents.count
        result.tally = tally
        return result
    }

    /// The processor time of this process, in seconds.
    private static var cpuSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Lets somebody post.
    /// - Returns: the time until every node that must have the post has it, in milliseconds.
    private func probe() async throws -> Int64 {
        let author = chance.number(0...residents.count - 1)
        let start = now
        let number = try await post(author)
        let log = residents[author].log
        try await run(until: now + OpenTownPlan.reachMax + 5000)
        var slowest: Int64 = 0
        for node in residents.indices where mustHave(author, at: node) {
            guard let time = reached(log, number, at: node) else {
                throw Violation(.reaching, "node \(node) has no post of \(author)")
            }
            slowest = max(slowest, time - start)
        }
        guard slowest <= OpenTownPlan.reachMax || plan.liarCount > 0 else {
            throw Violation(.reaching, "a post of \(author) took \(slowest) ms")
        }
        return slowest
    }

    /// When a node had a batch, or a later one of the same log.
    private func reached(_ log: LogName, _ number: UInt64, at node: Int) -> Int64? {
        residents[node].reached[log]?.filter { $0.key >= number }.values.min()
    }

    /// Whether a node must have an author's posts: everybody's if there are no liars, and otherwise
    /// at least those of mates.
    private func mustHave(_ author: Int, at node: Int) -> Bool {
        plan.liarCount == 0 || author == node || residents[node].retained.contains(author)
            || residents[node].links[author] != nil
    }

    private func checkAll(_ result: inout OpenTownResult) async throws {
        var (here, all) = (0, 0)
        for author in residents.indices {
            guard let whole = offered(residents[author].log, at: author) else { continue }
            for node in residents.indices {
                let own = residents[node].exchange.offered(residents[author].log)
                all += 1
                if own == whole { here += 1 }
                guard own == whole || !mustHave(author, at: node) else {
                    throw Violation(
                        .reaching,
                        "node \(node) has \(own?.high ?? 0) of \(whole.high) posts of \(author)")
                }
            }
        }
        for node in residents.indices { try await checkLinks(node) }
        result.honestShare = Double(here) / Double(max(all, 1))
        let counts = residents.flatMap { $0.arrivals.values.flatMap(\.values) }
        result.arrivals = Double(counts.reduce(0, +)) / Double(max(counts.count, 1))
        guard !counts.isEmpty, tally["posts"] > 0 else {
            throw Violation(.alive, "nothing was posted, or nothing arrived")
        }
        guard result.arrivals <= OpenTownPlan.arrivalsMax else {
            throw Violation(.onceRead, "each batch arrived \(result.arrivals) times")
        }
    }

    /// Checks what a node stores and remembers.
    func checkBounds(_ node: Int) async throws {
        let resident = residents[node]
        try check(try await use(at: node), at: node)
        guard resident.exchange.isBounded else {
            throw Violation(.bounded, "node \(node) remembers too much of offers")
        }
    }

    func use(at node: Int) async throws -> OpenUse {
        guard let use = await residents[node].replica.use(of: space, wallTime: wallTime) else {
            throw Violation(.alive, "an open space is closed")
        }
        return use
    }

    private func check(_ use: OpenUse, at node: Int) throws {
        tally.count("bounds checked")
        guard use.bytes <= Limits.openSpaceBytesMax, use.records <= Limits.openSpaceRecordsMax,
            use.unknownLogs <= Limits.openSpaceLogsMax
        else {
            throw Violation(
                .bounded,
                "node \(node) stores \(use.bytes) bytes, \(use.records) records and "
                    + "\(use.unknownLogs) unknown logs")
        }
    }

    // MARK: - Shares

    /// Checks that a piece that one link brought took nothing from another share within its part.
    func checkShares(
        _ node: Int, from sender: PersonID, _ before: OpenUse, _ after: OpenUse
    ) throws {
        try check(after, at: node)
        let (old, new) = (shares(before, at: node, sender), shares(after, at: node, sender))
        let part = OpenShare.part(of: after, count: new.count)
        for (name, share) in old where name != .link(sender) && share.isWithin(part) {
            guard let kept = new[name], kept >= share else {
                throw Violation(
                    .shared,
                    "node \(node): \(name) lost \(share) for \(sender.suffix), "
                        + "kept \(String(describing: new[name])) of a part of \(part)")
            }
            tally.count("shares kept")
        }
    }

    private func shares(
        _ use: OpenUse, at node: Int, _ sender: PersonID
    ) -> [OpenShare.Name: OpenShare] {
        let mates = residents[node].retained.map(person(of:))
        let linked = residents[node].linked.union(mates).union([sender])
        return use.bringers.reduce(into: [:]) { shares, brought in
            let name: OpenShare.Name =
                linked.contains(brought.key) ? .link(brought.key) : .former
            shares[name, default: OpenShare()].add(brought.value)
        }
    }

    /// Checks that a node has whatever honest people wrote of what each honest link offers, unless
    /// that link has brought its share.
    private func checkLinks(_ node: Int) async throws {
        let full = try await use(at: node).fullBringers
        for peer in residents[node].links.keys where peer < residents.count {
            guard !full.contains(person(of: peer)) else {
                tally.count("links with their share")
                continue
            }
            tally.count("links below their share")
            for author in residents.indices {
                guard let there = residents[peer].exchange.offered(residents[author].log),
                    residents[node].exchange.offered(there.log).map({ $0.high < there.high })
                        ?? true
                else { continue }
                throw Violation(
                    .shared, "node \(node) has not what \(peer) offers of \(author)")
            }
        }
    }
}

extension Stage {
    /// Lives through a town.
    /// - Parameter directory: the directory for the nodes' files, which is removed afterwards.
    /// - Throws: errors that are not about the exchange or the replica.
    package func live(_ plan: OpenTownPlan, directory: String) async throws -> OpenTownResult {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await OpenTown(plan, directory: directory, on: executor).live()
    }
}
