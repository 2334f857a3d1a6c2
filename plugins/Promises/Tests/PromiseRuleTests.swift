import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// The rules that depend on numbers alone: phases, lateness, ranks, titles, distances.
@Suite struct PromiseRuleTests {
    private static let at = Timestamp(milliseconds: 1_900_000_000_000)

    @Test(arguments: [
        (-1801, PromisePhase.scheduled), (-1800, .tracking), (0, .tracking), (10_799, .tracking),
        (10_800, .past),
    ])
    func `a promise is tracked from half an hour before to three hours after`(
        _ seconds: Int, _ phase: PromisePhase
    ) {
        #expect(PromisePhase(at: Self.at, now: Self.at + .seconds(seconds)) == phase)
    }

    @Test func `a phase begins exactly at its millisecond`() {
        for (afterMs, phase) in [
            (-1_800_001, PromisePhase.scheduled), (10_799_999, .tracking),
        ] {
            #expect(PromisePhase(at: Self.at, now: Self.at + .milliseconds(afterMs)) == phase)
        }
        let ends = [Int64.min, .max].map { Timestamp(milliseconds: $0) }
        #expect(PromisePhase(at: ends[0], now: ends[1]) == .past)
        #expect(PromisePhase(at: ends[1], now: ends[0]) == .scheduled)
    }

    @Test(
        arguments: [
            (.seconds(-1), .early(by: .seconds(1)), 1),
            (.milliseconds(-1), .early(by: .milliseconds(1)), 0),
            (.zero, .onTime(lateBy: .zero), 0), (.seconds(59), .onTime(lateBy: .seconds(59)), -59),
            (.milliseconds(59_999), .onTime(lateBy: .milliseconds(59_999)), -59),
            (.seconds(60), .late(by: .seconds(60)), -60),
            (.milliseconds(60_001), .late(by: .milliseconds(60_001)), -60),
        ] as [(Duration, Lateness, Int)])
    func `lateness changes at the time and a minute after it`(
        _ after: Duration, _ lateness: Lateness, _ earlySeconds: Int
    ) {
        let arrived = Self.at + after
        #expect(Lateness(at: Self.at, arrived: arrived, now: arrived) == lateness)
        #expect(lateness.isLate == (after >= .seconds(60)))
        #expect(lateness.earlySeconds == earlySeconds)
    }

    @Test func `a person who has not come is late only once the promise is past`() {
        let past = Self.at + .seconds(10_800)
        let before = past - .milliseconds(1)
        #expect(Lateness(at: Self.at, arrived: nil, now: before) == .open)
        #expect(Lateness(at: Self.at, arrived: nil, now: past) == .noShow)
        #expect(Lateness.noShow.isLate && !Lateness.open.isLate)
    }

    @Test func `an arrival before sharing begins or after the end does not count`() {
        let (start, past) = (Self.at - .seconds(1800), Self.at + .seconds(10_800))
        let ends = [0, -1, Int64.max].map { Timestamp(milliseconds: $0) }
        for arrived in ends + [start - .milliseconds(1), past] {
            #expect(Lateness(at: Self.at, arrived: arrived, now: past) == .noShow)
        }
        #expect(Lateness.counted(start, at: Self.at) == start)
        #expect(Lateness.counted(past - .milliseconds(1), at: Self.at) != nil)
    }

    @Test func `every arrival has exactly one lateness, and a later one is never better`() {
        var generator = SeededGenerator(seed: 11)
        let order = [PromiseLateness.early, .onTime, .late, .noShow]
        for _ in 0..<2000 {
            let times = (0..<2).map { _ in
                Self.at - .seconds(1800) + .milliseconds(generator.number(0...13_000_000))
            }.sorted()
            let verdicts = times.compactMap { arrived in
                let lateness = Lateness(
                    at: Self.at, arrived: arrived, now: Self.at + .seconds(20_000))
                return order.firstIndex(of: lateness.kind)
            }
            #expect(verdicts.count == 2 && verdicts[0] <= verdicts[1])
        }
    }

    @Test func `each whole percent kept has one title, and a higher percent no lower title`() {
        let order = PromiseTitle.allCases
        var last = order.startIndex
        for percent in 0...100 {
            let index = order.firstIndex(of: PromiseTitle(keptPercent: Double(percent))) ?? -1
            #expect(index >= max(last, 1))
            last = index
        }
        #expect(PromiseTitle(keptPercent: nil) == .newcomer)
    }

    @Test func `every share that can be kept lies in the range of exactly one title`() {
        // The ranges that the rules list, half-open; the last one is closed.
        let ranges: [(Range<Double>, PromiseTitle)] = [
            (0..<1, .plankton), (1..<31, .inchworm), (31..<51, .truant), (51..<71, .halfAndHalf),
            (71..<81, .ordinary), (81..<91, .guardian), (91..<96, .friendsFavourite),
            (96..<100.nextUp, .saint),
        ]
        for past in 1...300 {
            for late in 0...past {
                let standing = Standing(pastCount: past, lateCount: late)
                let fitting = ranges.filter { $0.0.contains(standing.keptPercent ?? -1) }
                #expect(fitting.map(\.1) == [standing.title], "\(late) of \(past)")
            }
        }
        for edge in ranges.map(\.0.lowerBound) where edge > 0 {
            #expect(PromiseTitle(keptPercent: edge) != PromiseTitle(keptPercent: edge.nextDown))
        }
    }

    @Test(arguments: [
        (0, PromiseTitle.plankton), (0.99, .plankton), (1, .inchworm), (30.5, .inchworm),
        (31, .truant),
        (50.9, .truant), (51, .halfAndHalf), (70.9, .halfAndHalf), (71, .ordinary),
        (80.9, .ordinary), (81, .guardian), (90.5, .guardian), (91, .friendsFavourite),
        (95.9, .friendsFavourite), (96, .saint), (100, .saint),
    ])
    func `a title begins with its percent`(_ percent: Double, _ title: PromiseTitle) {
        #expect(PromiseTitle(keptPercent: percent) == title)
    }

    @Test func `the percent kept counts past promises without lateness`() {
        #expect(Standing(pastCount: 0, lateCount: 0).keptPercent == nil)
        #expect(Standing(pastCount: 4, lateCount: 1).keptPercent == 75)
        #expect(Standing(pastCount: 3, lateCount: 3).title == .plankton)
        for past in 1...60 {
            for late in 0...past {
                let percent = Standing(pastCount: past, lateCount: late).keptPercent ?? -1
                #expect((0...100).contains(percent))
            }
        }
    }

    @Test func `ranks follow arrival and then key, in any order of receipt`() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            let count = generator.number(0...8)
            let people = (0..<count).compactMap { _ in PersonID(bytes: generator.bytes(32)) }
            // There are few different moments, so that many arrivals share one.
            let arrivals = people.map {
                ($0, Timestamp(milliseconds: Int64(generator.number(0...3))))
            }
            let ranking = Ranking(Dictionary(arrivals, uniquingKeysWith: { one, _ in one }))
            let again = Ranking(
                Dictionary(arrivals.reversed(), uniquingKeysWith: { one, _ in one }))
            #expect(ranking == again)
            #expect(people.compactMap(ranking.rank).sorted() == (0..<count).map { $0 + 1 })
            for (one, oneTime) in arrivals {
                for (other, otherTime) in arrivals where (oneTime, one) < (otherTime, other) {
                    let ranks = [one, other].map { ranking.rank(of: $0) ?? 0 }
                    #expect(ranks[0] < ranks[1])
                }
            }
        }
    }

    @Test func `the first three get a medal`() {
        #expect((1...4).map { PromiseMedal(rank: $0) } == [.gold, .silver, .bronze, nil])
        #expect(
            [1, 2, 3, 4, 11, 12, 13, 21, 102].map(Ranking.ordinal) == [
                "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd",
            ])
    }

    @Test(arguments: [
        (37.5667700, 126.9780, false), (37.5667697, 126.9780, true), (37.5665, 126.9783, true),
        (37.5665, 126.9784, false),
    ])
    func `a person nearer than 30 m has arrived`(
        _ latitude: Double, _ longitude: Double, _ hasArrived: Bool
    ) throws {
        let destination = try Point(latitude: 37.5665, longitude: 126.9780)
        let point = try Point(latitude: latitude, longitude: longitude)
        #expect(Approach(from: nil, at: point, to: destination).hasArrived == hasArrived)
    }

    @Test func `progress is the part of the way that is done, between 0 and 1`() throws {
        let destination = try Point(latitude: 0, longitude: 0)
        let start = try Point(latitude: 0, longitude: 0.02)
        let half = try Point(latitude: 0, longitude: 0.01)
        let beyond = try Point(latitude: 0, longitude: 0.05)
        #expect(abs(Approach(from: start, at: half, to: destination).progress - 0.5) < 1e-9)
        #expect(Approach(from: start, at: beyond, to: destination).progress == 0)
        #expect(Approach(from: start, at: destination, to: destination).progress == 1)
        #expect(Approach(from: destination, at: half, to: destination).progress == 1)
        #expect(Approach(from: nil, at: half, to: destination).progress == 0)
    }
}
