import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

/// The properties that hold for every loss, delay and kill.
@Suite struct DropInterleavingTests {
    /// A course of events: the times of presses, the answers, and the times of kills.
    private struct Course {
        let pressAt: [Int]
        let answerAt: [Int]
        let answers: [DropAnswer]
        let kill: (index: Int, at: Int)?

        init(_ generator: inout SeededGenerator, withKill: Bool) {
            pressAt = [0, generator.number(0...5)]
            answerAt = [generator.number(1...40), generator.number(1...40)]
            answers = (0..<2).map { _ in generator.chance(80) ? .accept : .decline }
            kill = withKill ? (generator.number(0...1), generator.number(0...45)) : nil
        }
    }

    private func isOver(_ phase: DropPhase) -> Bool { !phase.isActive }

    /// Plays a course to its end.
    private func play(_ course: Course, on pair: inout Pair) throws {
        for second in 0..<150 {
            for index in 0...1 where pair.sides[index].isAlive {
                if course.pressAt[index] == second, course.kill?.at ?? .max > second {
                    try pair.press(index)
                }
                let session = pair.sides[index].session
                if second >= course.answerAt[index], session.phase == .deciding,
                    session.myAnswer == nil
                {
                    if course.answers[index] == .accept {
                        try pair.accept(index)
                    } else {
                        try pair.decline(index)
                    }
                }
            }
            if let kill = course.kill, kill.at == second { pair.kill(kill.index) }
            pair.pass(seconds: 1)
            try check(pair, second, course)
        }
    }

    /// Checks the properties that hold at every moment.
    private func check(_ pair: Pair, _ second: Int, _ course: Course) throws {
        for side in pair.sides where side.session.phase == .mates { #expect(pair.areMates) }
        let codes = pair.sides.compactMap(\.session.checkCode)
        if codes.count == 2, pair.sides[0].session.id == pair.sides[1].session.id {
            #expect(codes[0] == codes[1])
        }
        if let kill = course.kill, second >= kill.at + 30 {
            let left = pair.phases[1 - kill.index]
            #expect(
                left != .finding && left != .exchanging && left != .deciding,
                "\(left) at \(second), killed at \(kill.at)")
        }
    }

    @Test(arguments: 1...400)
    func `after loss, repetition and delay both sides agree at the next contact`(_ seed: UInt64)
        throws
    {
        var generator = SeededGenerator(seed: seed)
        var pair = Pair(seed: seed)
        pair.weather = (
            generator.number(0...30), generator.number(0...20), generator.number(0...30)
        )
        let course = Course(&generator, withKill: false)
        try play(course, on: &pair)
        pair.meet()
        pair.meet()
        #expect(pair.phases.allSatisfy(isOver))
        let areMates = pair.areMates
        #expect((pair.phases[0] == .mates) == areMates, "seed \(seed): \(pair.phases)")
        #expect((pair.phases[1] == .mates) == areMates, "seed \(seed): \(pair.phases)")
        if areMates { #expect(course.answers == [.accept, .accept]) }
    }

    @Test(arguments: 1...400)
    func `within 30 s of a kill at any step the other side shows failed or waiting`(
        _ seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var pair = Pair(seed: seed)
        pair.weather = (
            generator.number(0...30), generator.number(0...20), generator.number(0...30)
        )
        let course = Course(&generator, withKill: true)
        try play(course, on: &pair)
        for index in 0...1 { pair.restart(index) }
        pair.meet()
        pair.meet()
        // Two sides are mates only after both accept; an edge without the other is removed after a
        // day.
        if pair.areMates { #expect(course.answers == [.accept, .accept]) }
        for side in pair.sides where side.session.phase == .mates { #expect(pair.areMates) }
    }

    @Test func `two sides that accept over a reliable network always become mates`() throws {
        for seed: UInt64 in 1...100 {
            var pair = Pair(seed: seed)
            try pair.press(0)
            try pair.press(1)
            pair.pass(seconds: 2)
            try pair.accept(0)
            try pair.accept(1)
            pair.pass(seconds: 1)
            #expect(pair.phases == [.mates, .mates], "seed \(seed)")
        }
    }

    @Test func `two sides that accept become mates with 30 of 100 messages lost`() throws {
        for seed: UInt64 in 1...200 {
            var pair = Pair(seed: seed)
            pair.weather = (30, 20, 30)
            try pair.press(0)
            try pair.press(1)
            pair.pass(seconds: 25)
            try #require(pair.phases == [.deciding, .deciding], "seed \(seed): \(pair.phases)")
            try pair.accept(0)
            try pair.accept(1)
            pair.pass(seconds: 20)
            #expect(pair.phases == [.mates, .mates], "seed \(seed)")
        }
    }
}
