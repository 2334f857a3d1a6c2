import PluginKit
import Records
import Testing

@testable import Posts

/// Every interleaving of two sides over a channel that loses, repeats and delays, with kills and
/// weeks that pass. States are visited once; after each, the two sides meet and must agree.
@Suite struct CorrespondenceInterleavingTests {
    private typealias World = CorrespondenceWorld

    /// Visits every state. Returns their number, and that of states in which something stands.
    private func explore(_ start: World) -> (all: Int, standing: Int) {
        var standing = 0
        var known: Set<World> = [start]
        var waiting = [start]
        while let world = waiting.popLast() {
            for step in world.steps {
                var next = world
                next.perform(step)
                if let lost = lost(world, step, next) {
                    Issue.record("\(lost) by \(step)")
                    return (known.count, standing)
                }
                guard known.insert(next).inserted else { continue }
                guard known.count <= Self.statesMax else {
                    Issue.record("more than \(Self.statesMax) states")
                    return (known.count, standing)
                }
                if !next.standing.isEmpty { standing += 1 }
                waiting.append(next)
                if let fault = fault(after: next) {
                    Issue.record("\(fault) after \(step)")
                    return (known.count, standing)
                }
            }
        }
        return (known.count, standing)
    }

    private static let statesMax = 60_000

    /// Returns the reason why the sides do not agree after the next contact.
    private func fault(after before: World) -> String? {
        var world = before
        world.meet()
        if !before.standing.isSubset(of: world.standing) { return "a contact ended what stood" }
        for index in 0...1 {
            if world.open(index) != world.standing {
                return "side \(index) shows \(world.open(index)), not \(world.standing)"
            }
            if world.sides[index].session.facts.held.contains(where: { !$0.isMine && !$0.stands }) {
                return "an acceptance of side \(index) is open"
            }
            if world.sides[index].ends.values.contains(false) {
                return "an end of side \(index) is untold"
            }
        }
        let waiting = (0...1).map { index in
            world.sides[index].session.facts.held.contains(where: \.isWaiting)
        }
        if waiting[0], waiting[1] { return "both asked, and none is accepted" }
        if waiting.contains(true), !world.standing.isEmpty {
            return "a request waits beside an open conversation"
        }
        return nil
    }

    /// Returns the reason why something does not stand any more that nobody ended.
    ///
    /// One loss is permitted. If both asked, and one took their request back and accepted the
    /// other's, an old copy of the request that was taken back is accepted by itself when it
    /// arrives late, in place of the other. On one link, messages arrive in order.
    private func lost(_ before: World, _ step: World.Step, _ after: World) -> String? {
        if step == .end(0) || step == .end(1) || step == .week { return nil }
        if case .deliver(let sent) = step, case .request(let id) = sent.letter,
            before.sides[sent.from].ends[id] != nil
        {
            return nil
        }
        return before.standing.isSubset(of: after.standing) ? nil : "what stood was lost"
    }

    private static let courses: [(name: String, world: World)] = [
        ("one asks, sides are killed", World(kills: 2)),
        ("one asks, the other declines, a side is killed", World(declines: [0, 1], kills: 1)),
        ("one asks and ends, a side is killed", World(ends: [1, 0], kills: 1)),
        ("one asks, the other ends, a side is killed", World(ends: [0, 1], kills: 1)),
        ("one asks, both end", World(ends: [1, 1])),
        ("one asks twice, ends once", World(asks: [2, 0], accepts: [0, 2], ends: [1, 0])),
        ("one asks twice, the other ends", World(asks: [2, 0], accepts: [0, 2], ends: [0, 1])),
        ("one asks, a week passes, a side is killed", World(kills: 1, weeks: 1)),
        ("both ask, a side is killed", World(asks: [1, 1], kills: 1)),
        ("both ask, one ends", World(asks: [1, 1], ends: [1, 0])),
        ("both ask, the other ends", World(asks: [1, 1], ends: [0, 1])),
        ("both ask, one declines", World(asks: [1, 1], declines: [1, 0])),
        ("both ask, the other declines", World(asks: [1, 1], declines: [0, 1])),
        ("both ask, a week passes", World(asks: [1, 1], weeks: 1)),
    ]

    @Test(arguments: courses.indices)
    func `both sides agree after the next contact, whatever happened`(_ index: Int) {
        let (name, world) = Self.courses[index]
        let counts = explore(world)
        #expect(counts.all > 10, "\(name)")
        #expect(counts.standing > 0, "\(name)")
    }
}
