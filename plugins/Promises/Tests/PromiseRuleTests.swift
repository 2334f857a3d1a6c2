import PluginKit
import TestSupport
import Testing

@testable import Promises

/// What follows from the numbers alone: phases, lateness, ranks, titles, distances.
@Suite struct PromiseRuleTests {
    private static let atMs: Int64 = 1_900_000_000_000

    @Test(arguments: [
        (-1801, PromisePhase.scheduled), (-1800, .tracking), (0, .tracking), (10_799, .tracking),
        (10_800, .past),
    ])
    func `a promise is tracked from half an hour before to three hours after`(
        _ seconds: Int, _ phase: PromisePhase
    ) {
        let nowMs = Self.atMs + Int64(seconds) * 1000
        #expect(PromisePhase(atMs: Self.atMs, nowMs: nowMs) == phase)
    }

    @Test func `a phase begins with its millisecond and no earlier`() {
        #expect(PromisePhase(atMs: Self.atMs, nowMs: Self.atMs - 1_800_001) == .scheduled)
        #expect(PromisePhase(atMs: Self.atMs, nowMs: Self.atMs + 10_799_999) == .tracking)
        for (atMs, nowMs) in [(Int64.min, Int64.max), (Int64.max, Int64.min)] {
            #expect(PromisePhase(atMs: atMs, nowMs: nowMs) == (atMs < nowMs ? .past : .scheduled))
        }
    }

    @Test(
        arguments: [
            (-1000, .early(ms: 1000), 1), (-1, .early(ms: 1), 0), (0, .onTime(lateMs: 0), 0),
            (59_000, .onTime(lateMs: 59_000), -59), (59_999, .onTime(lateMs: 59_999), -59),
            (60_000, .late(ms: 60_000), -60), (60_001, .late(ms: 60_001), -60),
        ] as [(Int64, Lateness, Int64)])
    func `lateness turns at the time and a minute after it`(
        _ afterMs: Int64, _ lateness: Lateness, _ earlySeconds: Int64
    ) {
        let arrivedMs = Self.atMs + afterMs
        #expect(Lateness(atMs: Self.atMs, arrivedMs: arrivedMs, nowMs: arrivedMs) == lateness)
        #expect(lateness.isLate == (afterMs >= 60_000))
        #expect(lateness.earlySeconds == earlySeconds)
    }

    @Test func `who has not come is late only once the promise is past`() {
        let pastMs = Self.atMs + 10_800_000
        #expect(Lateness(atMs: Self.atMs, arrivedMs: nil, nowMs: pastMs - 1) == .open)
        #expect(Lateness(atMs: Self.atMs, arrivedMs: nil, nowMs: pastMs) == .noShow)
        #expect(Lateness.noShow.isLate && !Lateness.open.isLate)
    }

    @Test func `an arrival before sharing begins or after the end is none`() {
        let pastMs = Self.atMs + 10_800_000
        for arrivedMs in [0, -1, Self.atMs - 1_800_001, pastMs, Int64.max] {
            #expect(Lateness(atMs: Self.atMs, arrivedMs: arrivedMs, nowMs: pastMs) == .noShow)
        }
        #expect(Lateness.counted(Self.atMs - 1_800_000, atMs: Self.atMs) != nil)
        #expect(Lateness.counted(pastMs - 1, atMs: Self.atMs) != nil)
    }

    @Test func `every arrival has exactly one verdict, and later is never better`() {
        var generator = SeededGenerator(seed: 11)
        let order = ["early", "onTime", "late", "noShow"]
        for _ in 0..<2000 {
            let times = (0..<2).map { _ in
                Self.atMs + Int64(generator.number(0...13_000_000)) - 1_800_000
            }.sorted()
            let verdicts = times.compactMap { arrivedMs in
                let lateness = Lateness(
                    atMs: Self.atMs, arrivedMs: arrivedMs, nowMs: Self.atMs + 20_000_000)
                return order.firstIndex(of: lateness.word)
            }
            #expect(verdicts.count == 2 && verdicts[0] <= verdicts[1])
        }
    }

    @Test func `each whole percent kept has one title, and more is never a lower one`() {
        let order = Title.allCases
        var last = order.startIndex
        for percent in 0...100 {
            let index = order.firstIndex(of: Title(keptPercent: Double(percent))) ?? -1
            #expect(index >= max(last, 1))
            last = index
        }
        #expect(Title(keptPercent: nil) == .newcomer)
    }

    @Test func `every share that can be kept lies in the range of exactly one title`() {
        // As the rules give them, half-open; the last one closed.
        let ranges: [(Range<Double>, Title)] = [
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
            #expect(Title(keptPercent: edge) != Title(keptPercent: edge.nextDown))
        }
    }

    @Test(arguments: [
        (0, Title.plankton), (0.99, .plankton), (1, .inchworm), (30.5, .inchworm), (31, .truant),
        (50.9, .truant), (51, .halfAndHalf), (70.9, .halfAndHalf), (71, .ordinary),
        (80.9, .ordinary), (81, .guardian), (90.5, .guardian), (91, .friendsFavourite),
        (95.9, .friendsFavourite), (96, .saint), (100, .saint),
    ])
    func `a title begins with its percent`(_ percent: Double, _ title: Title) {
        #expect(Title(keptPercent: percent) == title)
    }

    @Test func `what is kept is what was not late, of what is past`() {
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

    @Test func `ranks are the order of arrival and then of keys, whatever the order of telling`() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            let count = generator.number(0...8)
            let people = (0..<count).compactMap { _ in PersonID(bytes: generator.bytes(32)) }
            // Few different moments, so that many share one.
            let arrivals = people.map { ($0, Int64(generator.number(0...3))) }
            let ranking = Ranking(Dictionary(arrivals, uniquingKeysWith: { one, _ in one }))
            let again = Ranking(
                Dictionary(arrivals.reversed(), uniquingKeysWith: { one, _ in one }))
            #expect(ranking == again)
            #expect(people.compactMap(ranking.rank).sorted() == (0..<count).map { $0 + 1 })
            for (one, oneMs) in arrivals {
                for (other, otherMs) in arrivals where (oneMs, one) < (otherMs, other) {
                    let ranks = [one, other].map { ranking.rank(of: $0) ?? 0 }
                    #expect(ranks[0] < ranks[1])
                }
            }
        }
    }

    @Test func `the first three get a medal`() {
        #expect((1...4).map { Medal(rank: $0) } == [.gold, .silver, .bronze, nil])
        #expect([1, 2, 3, 4, 11, 12, 13, 21, 102].map(Ranking.ordinal) == [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd",
        ])
    }

    @Test(arguments: [
        (37.5667700, 126.9780, false), (37.5667697, 126.9780, true), (37.5665, 126.9783, true),
        (37.5665, 126.9784, false),
    ])
    func `who is nearer than 30 m has arrived`(
        _ latitude: Double, _ longitude: Double, _ hasArrived: Bool
    ) throws {
        let place = try Point(latitude: 37.5665, longitude: 126.9780)
        let point = try Point(latitude: latitude, longitude: longitude)
        #expect(Approach(from: nil, at: point, to: place).hasArrived == hasArrived)
    }

    @Test func `progress is what is done of the way, between nothing and all`() throws {
        let place = try Point(latitude: 0, longitude: 0)
        let start = try Point(latitude: 0, longitude: 0.02)
        let half = try Point(latitude: 0, longitude: 0.01)
        let beyond = try Point(latitude: 0, longitude: 0.05)
        #expect(abs(Approach(from: start, at: half, to: place).progress - 0.5) < 1e-9)
        #expect(Approach(from: start, at: beyond, to: place).progress == 0)
        #expect(Approach(from: start, at: place, to: place).progress == 1)
        #expect(Approach(from: place, at: half, to: place).progress == 1)
        #expect(Approach(from: nil, at: half, to: place).progress == 0)
    }

    @Test func `a span of time is told in two units`() {
        let texts = [-5, 59_999, 60_000, 3_600_000, 5_400_000, 86_400_000, 180_000_000].map {
            DurationText.text(ms: $0)
        }
        #expect(
            texts == [
                "a moment", "a moment", "1 min", "1 h", "1 h 30 min", "1 day", "2 days 2 h",
            ])
    }
}
