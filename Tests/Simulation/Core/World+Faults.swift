internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

// The faults of nodes and the network, and their end.
extension World {
    /// Lets a fault happen to a random node.
    func befall(_ fault: Fault) async throws {
        guard !isCalm else { return }
        switch fault {
        case .cut:
            if let link = links.keys.sorted().randomElement(using: &chance) { cut(link) }
        case .part: part()
        case .unite: unite()
        case .crash(let isOnceStored):
            let node = chance.number(0...nodes.count - 1)
            if isOnceStored {
                nodes[node].crashesOnceStored = true
            } else {
                try crash(node)
            }
        case .storeCopy(let node):
            guard nodes[node].replica != nil else { return }
            try nodes[node].home.storeCopy()
            trace.record(now, "copy \(node)")
        case .restore(let node, let isWhole): try await restore(node, isWhole: isWhole)
        case .setClock:
            let node = chance.number(0...nodes.count - 1)
            nodes[node].clockOffset = drawOffset()
            tally.count("clock jumps")
            trace.record(now, "clock \(node) \(nodes[node].clockOffset)")
        }
    }

    // MARK: The network

    /// Divides the network: into halves, one node from all others, or one direction between two.
    private func part() {
        let all = Array(nodes.indices)
        var lost: [(Int, Int)] = []
        switch chance.number(0...2) {
        case 0:
            let half = Set(all.filter { _ in chance.chance(50) })
            for from in all {
                for to in all where half.contains(from) != half.contains(to) {
                    lost.append((from, to))
                }
            }
        case 1:
            let one = chance.number(0...nodes.count - 1)
            for other in all where other != one { lost += [(one, other), (other, one)] }
        default:
            let one = chance.number(0...nodes.count - 1)
            for other in all where other != one { lost.append((one, other)) }
        }
        block(lost)
    }

    /// Divides one node from all others.
    func isolate(_ node: Int) {
        block(nodes.indices.filter { $0 != node }.flatMap { [(node, $0), ($0, node)] })
    }

    /// Ends the traffic in some directions for a while.
    private func block(_ lost: [(Int, Int)]) {
        for (from, to) in lost { blocked.insert(from * 16 + to) }
        tally.count("partitions")
        trace.record(now, "partition \(blocked.sorted())")
        // A link without received frames ends after 45 s.
        for link in links.keys.sorted() {
            guard let ends = links[link]?.ends,
                isBlocked(ends[0].node, ends[1].node) || isBlocked(ends[1].node, ends[0].node)
            else { continue }
            for end in [0, 1] { plan(.learnOfCut(link: link, end: end), within: 20_000...45_000) }
        }
        plan(.fault(.unite), within: 5000...600_000)
    }

    private func unite() {
        blocked = []
        trace.record(now, "united")
        flushStalled()
    }

    // MARK: Nodes

    /// Ends a node at once. Only data on its disk survives.
    func crash(_ node: Int) throws {
        guard nodes[node].replica != nil else { return }
        nodes[node].replica = nil
        try nodes[node].home.crash()
        tally.count("crashes")
        trace.record(now, "crash \(node)")
        abandonLinks(of: node)
        plan(.restart(node), within: isCalm ? 0...1000 : 100...120_000)
    }

    private func abandonLinks(of node: Int) {
        for link in nodes[node].links.values.sorted() {
            guard let end = links[link]?.end(of: node) else { continue }
            links[link]?.ends[end].isOpen = false
            cut(link)
            if links[link]?.ends.allSatisfy({ !$0.isOpen }) ?? false { links[link] = nil }
        }
        nodes[node].links = [:]
        nodes[node].content = ContentFetching()
        nodes[node].isLookDue = true
    }

    /// Starts a node with its present files.
    func start(_ node: Int) async throws {
        guard nodes[node].replica == nil else { return }
        let person = nodes[node].person
        let replica = try nodes[node].home.open(
            nodes[node].key, seed: chance.next(), quota, on: executor)
        nodes[node].replica = replica
        tally.count("starts")
        trace.record(now, "start \(node) \(replica.startCount.inDatabase)")
        try await checkDurable(node)
        for other in society.people { try await replica.learn(other.record) }
        if let joined = nodes[node].joined { try await replica.learn(joined) }
        if mix.photoCount > 0 { try await replica.reconcileContent(wallTime: wall(node)) }
        let me = society.people[person].id
        for space in [SpaceDescriptor.own(me), .card(me)] { try await replica.open(space) }
        for group in nodes[node].groups.keys.sorted(by: { $0.id < $1.id }) {
            try await replica.open(group)
        }
        try await refreshGroups(node)
        if mix.changesDevices { try await endRemovedLogs(node) }
    }

    /// Restores an older copy of a node's files during a short stop.
    private func restore(_ node: Int, isWhole: Bool) async throws {
        nodes[node].replica = nil
        guard try nodes[node].home.restore(isWhole: isWhole) else {
            return try await start(node)
        }
        tally.count("restores")
        trace.record(now, "restore \(node) \(isWhole)")
        abandonLinks(of: node)
        nodes[node].wasRestored = true
        society.restored.insert(nodes[node].device)
        nodes[node].promised = [:]
        nodes[node].merged = [:]
        nodes[node].crashesOnceStored = false
        try await start(node)
        guard let replica = nodes[node].replica else { return }
        var present: Set<BatchHash> = []
        for space in await replica.spaces() {
            let batches = try await batches(in: space.id, of: replica)
            present.formUnion(batches.map(\.hash))
        }
        ledger.endanger(nodes[node].device, present: present)
        // If only the database was restored, the node notices it and asks before it writes. If
        // everything was restored, it writes at once and may fork its log.
        guard replica.startCountsDisagree else {
            nodes[node].wasRestoredUnknowingly = true
            return
        }
        (nodes[node].epoch, nodes[node].isEpochRenewed) = (floodChance.nonce(), true)
        tally.count("restores noticed at once")
        nodes[node].unsettled = Set(ledger.spaces.keys)
    }

    /// Whether a node may write in a space: not while other nodes may have more of its own log.
    func isSettled(_ space: SpaceDescriptor, at node: Int) async throws -> Bool {
        guard nodes[node].unsettled.contains(space.id) else { return true }
        for peer in nodes.indices where peer != node {
            guard spacesShared(by: node, with: peer).contains(space), !nodes[peer].isLiar
            else { continue }
            let link = nodes[node].links[peer].flatMap { links[$0] }
            guard let link, link.cutAt == nil else { return false }
            let session = link.ends[link.end(of: node)].session
            // A removed person receives nothing, and so need not wait.
            let isUnshared =
                session.sharedSpaces.contains(space.id) && !session.commonSpaces.contains(space.id)
            guard session.isInSync(space.id) || isUnshared else { return false }
        }
        nodes[node].unsettled.remove(space.id)
        return true
    }

    /// Checks that a node with a restored database has heard from all its peers.
    /// - Parameter isAllDue: whether no grant is held, so that this applies to groups too.
    func settleAll(_ node: Int, isAllDue: Bool) async throws {
        for space in await nodes[node].replica?.spaces() ?? [] {
            let isSettled = try await isSettled(space.descriptor, at: node)
            let mayDiffer = space.descriptor.kind == .group || mix.mayDifferUntilDue
            guard isSettled || !isAllDue && mayDiffer else {
                throw Violation(
                    .equal, "node \(node) still waits for its own log in \(space.id.suffix)")
            }
        }
        guard let replica = nodes[node].replica, replica.startCountsDisagree,
            nodes[node].unsettled.isEmpty
        else { return }
        try await replica.settleStartCounts()
    }

    // MARK: The end of faults

    /// Ends all faults and starts the stopped nodes.
    func calm() async throws {
        isCalm = true
        trace.record(now, "calm")
        unite()
        for link in links.keys.sorted() {
            guard let ends = links[link]?.ends else { continue }
            let isLiars = ends.contains { nodes[$0.node].isLiar }
            // No protocol recovers the losses of a broken link; it ends, as TLS would end it.
            if mix.quality == .broken || isLiars { cut(link) }
        }
        for node in nodes.indices where nodes[node].replica == nil && !nodes[node].isAbsent {
            try await start(node)
        }
        try await makeRoomInCalm()
        for one in nodes.indices {
            for other in nodes.indices where other > one {
                plan(.dial(one, other), within: 0...2000)
            }
        }
    }
}
