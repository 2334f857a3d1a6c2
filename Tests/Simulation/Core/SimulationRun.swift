internal import Foundation
internal import TestSupport

/// The run of one seed.
package struct SimulationRun: Sendable {
    /// The seed.
    package let seed: UInt64
    /// The counts of observed events.
    package let tally: Tally
    /// The hash over all events.
    package let trace: String
    /// The drawn parameters in one line.
    package let mix: String
    /// The broken promise, or nil.
    package let violation: Violation?

    /// Runs a seed; see ``Stage/play(seed:hours:directory:isTraced:)``.
    /// - Parameter executor: the executor of the caller and of the replicas.
    init(
        seed: UInt64, hours: Double, directory: String, isTraced: Bool,
        on executor: any SerialExecutor
    ) async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let world = try World(
            seed: seed, directory: directory, isTraced: isTraced, executor: executor)
        var violation: Violation?
        do {
            try await world.live(milliseconds: Int64(hours * 3_600_000))
        } catch let found as Violation {
            violation = found
        }
        self.seed = seed
        self.violation = violation
        mix = world.mix.text
        tally = world.tally
        trace = world.trace.digest
    }
}

extension World {
    /// The time after the last fault within which all replicas must be equal.
    static let recoveryMilliseconds: Int64 = 60_000

    /// The same if a liar floods or hoards: what is refused of the liar's logs is sent again at
    /// growing intervals, which delays the logs of that liar alone.
    var recoveryMilliseconds: Int64 {
        World.recoveryMilliseconds * (mix.hasRefusedLogs ? 10 : 1)
    }

    /// Runs all rounds: faults, their end, then the comparison.
    func live(milliseconds: Int64) async throws {
        for node in nodes.indices where !nodes[node].isAbsent { try await start(node) }
        for one in nodes.indices {
            for other in nodes.indices where other > one {
                plan(.dial(one, other), within: 0...5000)
            }
        }
        planMates()
        try await foundGroups()
        plan(.releaseDue, after: 60_000)
        if mix.hasLiar { plan(.lie, within: 10_000...60_000) }
        if !mix.floods.isEmpty {
            plan(.flood, after: Int64(floodChance.number(10_000...120_000)))
        }
        if !mix.hoards.isEmpty {
            plan(.hoard, after: Int64(hoardChance.number(5000...60_000)))
        }
        if mix.photoCount > 0 { plan(.photo(.tend), after: 5000) }
        if mix.photoCount > 0, mix.hasLiar { plan(.photo(.pry), after: 20_000) }
        let round = max(milliseconds / Int64(mix.roundCount), recoveryMilliseconds * 2)
        planDevices(until: round - recoveryMilliseconds)
        for number in 1...mix.roundCount {
            let end = Int64(number) * round
            planRound(until: end - recoveryMilliseconds)
            isCalm = false
            try await makeRoomShort()
            try await run(until: end - recoveryMilliseconds)
            try await calm()
            try await run(until: end)
            try await compareWhileShort()
            try await compareAll(isAllDue: !mix.isClockWild && !mix.mayDifferUntilDue)
        }
        try await letAllBecomeDue()
        let isSlow = mix.hasHeldGrants || mix.hasRefusedLogs || mix.hasHeldCuts
        try await run(until: now + World.recoveryMilliseconds * (isSlow ? 10 : 1))
        try await compareAll(isAllDue: true)
        try await rebuildAll()
        try await checkErased()
        try await checkPhotos()
        guard tally["edits"] > 0, tally["comparisons"] > 0 else {
            throw Violation(.alive, "nothing was written or compared")
        }
    }

    private func planMates() {
        for one in society.people.indices {
            for other in society.people.indices where other > one {
                guard chance.chance(mix.matesShare) else { continue }
                if chance.chance(60) {
                    befriend(one, other)
                } else {
                    plan(.befriend(one, other), within: 0...1_000_000)
                }
            }
        }
    }

    /// Plans the events until a time.
    private func planRound(until end: Int64) {
        let span = 0...Int(max(end - now - 1, 1))
        func scatter(_ count: Int, _ event: (inout SeededGenerator) -> Event) {
            for _ in 0..<count { plan(event(&chance), within: span) }
        }
        let last = nodes.count - 1
        scatter(mix.editCount / mix.roundCount) { .edit($0.number(0...last)) }
        scatter(mix.governCount / mix.roundCount) { _ in .govern }
        scatter(mix.eraseCount) { .erase($0.number(0...last)) }
        scatter(mix.cutCount) { _ in .fault(.cut) }
        scatter(mix.partitionCount) { _ in .fault(.part) }
        scatter(mix.crashCount) { .fault(.crash(isOnceStored: $0.chance(40))) }
        scatter(mix.clockJumpCount) { _ in .fault(.setClock) }
        for _ in 0..<mix.photoCount {
            plan(
                .photo(.post(photoChance.number(0...last))),
                after: Int64(photoChance.number(span)))
        }
        for _ in 0..<mix.restoreCount {
            let node = chance.number(0...last)
            let first = chance.number(span)
            plan(.fault(.storeCopy(node)), after: Int64(first))
            plan(
                .fault(.restore(node, isWhole: chance.chance(50))), within: first...span.upperBound)
        }
    }
}
