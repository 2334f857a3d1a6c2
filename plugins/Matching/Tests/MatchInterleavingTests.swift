import PluginKit
import Records
import Testing

@testable import Matching

/// Every interleaving of two sides over a channel that loses, repeats and delays, with kills, after
/// which the facts are read at once or later, and of a third person who asks.
///
/// States are visited once. A state holds every message that was ever sent, up to six of each side,
/// and any of them may arrive next.
@Suite struct MatchInterleavingTests {
    /// The number of states that were visited, and of those in which a match stands.
    private typealias Counts = (all: Int, standing: Int)

    /// Visits every state, and checks each step and the next contact after each state.
    private func explore(
        _ start: MatchWorld, statesMax: Int,
        _ check: (MatchWorld, MatchWorld.Step, MatchWorld) -> String?
    ) -> Counts {
        var standing = 0
        var known: Set<MatchWorld> = [start]
        var waiting = [start]
        var settled: Set<Settled> = []
        while let world = waiting.popLast() {
            for step in world.steps {
                var next = world
                next.perform(step)
                if let fault = check(world, step, next) {
                    Issue.record("\(fault) by \(step)")
                    return (known.count, standing)
                }
                guard known.insert(next).inserted else { continue }
                guard known.count <= statesMax else {
                    Issue.record("more than \(statesMax) states")
                    return (known.count, standing)
                }
                if !next.standing(of: 0).isEmpty { standing += 1 }
                waiting.append(next)
                if settled.insert(Settled(next)).inserted, let fault = agreementFault(after: next) {
                    Issue.record("\(fault) after \(step)")
                    return (known.count, standing)
                }
            }
        }
        return (known.count, standing)
    }

    /// The state that a contact starts from: all messages on their way are lost.
    private struct Settled: Hashable {
        let sides: [MatchWorld.Side]
        let third: MatchWorld.Third

        init(_ world: MatchWorld) {
            sides = world.sides.map { side in
                var side = side
                (side.sentCount, side.pressesLeft, side.answersLeft) = (0, 0, 0)
                (side.cancelsLeft, side.declinesLeft, side.withdrawsLeft) = (0, 0, 0)
                return side
            }
            third = world.third
        }
    }

    /// Returns the reason why the sides do not agree after the next contact.
    private func agreementFault(after before: MatchWorld) -> String? {
        var world = before
        world.meet()
        for index in 0...1 {
            if let lost = lost(of: index, before, world) { return lost }
            let session = world.sides[index].session
            let standing = world.standing(of: index)
            if standing.count > 1 { return "two matches stand for side \(index)" }
            let shown = session.held.flatMap { $0.stands ? $0.id : nil }
            if shown != standing.first { return "side \(index) shows \(shown as Any)" }
            // With the other side nothing is left open; the third person is not there.
            if let held = session.held, held.person == MatchWorld.people[1 - index].person,
                !held.stands
            {
                return "side \(index) still waits"
            }
        }
        let others = (0...1).map { index in
            world.sides[index].session.held.flatMap { held in
                held.person == MatchWorld.people[1 - index].person ? held.id : nil
            }
        }
        return others[0] == others[1] ? nil : "the sides show different matches"
    }

    /// Returns the reason why a match does not stand any more that nobody ended.
    private func lost(of index: Int, _ before: MatchWorld, _ after: MatchWorld) -> String? {
        guard let old = before.standing(of: index).first,
            !after.standing(of: index).contains(old)
        else { return nil }
        return "a standing match of side \(index) was lost"
    }

    /// Checks the properties of every step.
    private func stepFault(
        _ before: MatchWorld, _ step: MatchWorld.Step, _ after: MatchWorld
    ) -> String? {
        for index in 0...1 {
            if after.standing(of: index).count > 1 { return "two matches stand for \(index)" }
            let old = before.standing(of: index).first
            if let old, let new = after.standing(of: index).first, new != old {
                return "a standing match of side \(index) was replaced"
            }
            // The first end of a match that stands is a cancel of one of the two, or of a side that
            // did not learn within two minutes that it stands.
            if ![.cancel(0), .cancel(1)].contains(step), !hasLapsed(before, after),
                let lost = lost(of: index, before, after)
            {
                return lost
            }
            if let end = after.sides[index].session.confirmationEnd, after.now >= end {
                return "a confirmation of side \(index) outlived its two minutes"
            }
            if let held = after.sides[index].session.held, held.stands,
                after.sides[index].facts[held.id] == nil
            {
                return "side \(index) shows a match without its fact"
            }
            if let acceptance = after.sides[index].session.acceptance,
                after.now >= acceptance.end
            {
                return "an acceptance of side \(index) outlived its 60 s"
            }
        }
        return nil
    }

    /// Whether a side gave up a confirmation because its time was over.
    private func hasLapsed(_ before: MatchWorld, _ after: MatchWorld) -> Bool {
        zip(before.sides, after.sides).contains { old, new in
            guard let held = old.session.held, !held.stands, new.session.held != held,
                let end = old.session.confirmationEnd
            else { return false }
            return before.now < end && after.now >= end
        }
    }

    /// The courses that are enumerated, each with everything that may happen in it.
    static let courses: [(name: String, world: MatchWorld)] = [
        ("both ask", MatchWorld()),
        ("one asks, both cancel", MatchWorld(presses: [1, 0], cancels: [1, 1])),
        ("one asks, sides are killed", MatchWorld(presses: [2, 0], kills: 2)),
        (
            "one asks, the other cancels, a side is killed",
            MatchWorld(presses: [1, 0], kills: 1, cancels: [0, 1])
        ),
        (
            "one asks and cancels, a side is killed",
            MatchWorld(presses: [1, 0], kills: 1, cancels: [1, 0])
        ),
        (
            "one asks, minutes pass, a side is killed",
            MatchWorld(presses: [1, 0], kills: 1, minutes: 2)
        ),
        ("both ask, and one cancels", MatchWorld(cancels: [1, 0])),
        ("both ask, and the other cancels", MatchWorld(cancels: [0, 1])),
        ("both ask, and sides are killed", MatchWorld(kills: 2)),
        ("both ask, minutes pass, a side is killed", MatchWorld(kills: 1, minutes: 2)),
        (
            "a third person asks, a side is killed, a minute passes",
            MatchWorld(presses: [1, 0], kills: 1, minutes: 1, hasThird: true)
        ),
        (
            "a third person asks one who answers, and a minute passes",
            MatchWorld(presses: [0, 1], minutes: 1, hasThird: true)
        ),
        ("both ask, and a third person too", MatchWorld(kills: 1, hasThird: true)),
        ("both ask, and one declines", MatchWorld(declines: [1, 0])),
        ("both ask, and the other declines", MatchWorld(declines: [0, 1])),
        ("both ask, and one withdraws", MatchWorld(withdraws: [1, 0])),
        ("both ask, and the other withdraws", MatchWorld(withdraws: [0, 1])),
        (
            "one asks twice and withdraws, the other declines",
            MatchWorld(presses: [2, 0], declines: [0, 1], withdraws: [1, 0])
        ),
        (
            "one asks, a side is killed and reads its facts later",
            MatchWorld(presses: [1, 0], kills: 1, areReadLate: true)
        ),
        (
            "both ask, a side is killed and reads its facts later",
            MatchWorld(kills: 1, areReadLate: true)
        ),
    ]

    @Test(arguments: courses.indices)
    func `both sides agree whatever happens, and one match stands at most`(_ index: Int) {
        let (name, world) = Self.courses[index]
        let counts = explore(world, statesMax: 12_000, stepFault)
        #expect(counts.all > 10, "\(name)")
        #expect(counts.standing > 0, "\(name)")
    }
}
