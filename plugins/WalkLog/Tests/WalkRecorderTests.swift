import PluginKit
import Records
import Testing
import WalkLogAPI

@testable import WalkLog

@Suite struct WalkRecorderTests {
    private let start = Timestamp(milliseconds: 1_900_000_000_000)

    private func recorder(uptime: Duration = .zero) -> WalkRecorder {
        WalkRecorder(WalkBeginning(recording: .zero, started: start), uptime: uptime)
    }

    /// Returns a fix some ten-millionths of a degree north of a gate; 450 are 5.004 m.
    private func fix(_ north: Int, second: Int, accuracy: Double? = nil) throws -> Fix {
        Fix(
            point: try Point(latitude: 37.5 + Double(north) / 1e7, longitude: 127),
            accuracyMetres: accuracy, at: start + .seconds(second))
    }

    /// Records a fix at its own second of uptime.
    private func receive(
        _ north: Int, second: Int, accuracy: Double? = nil, in recorder: inout WalkRecorder
    ) throws -> Bool {
        recorder.receive(
            try fix(north, second: second, accuracy: accuracy), uptime: .seconds(second),
            wallTime: start + .seconds(second)) != nil
    }

    @Test func `a walk begins without distance, and its first fix adds none`() throws {
        var walk = recorder()
        #expect(walk.distanceMetres == 0 && walk.points.isEmpty)
        #expect(try receive(0, second: 1, in: &walk))
        #expect(walk.distanceMetres == 0 && walk.points.count == 1)
    }

    @Test func `a fix less than 5 m away is no point, and one of 5 m is`() throws {
        var walk = recorder()
        #expect(try receive(0, second: 1, in: &walk))
        // 449 are 4.993 m.
        #expect(try !receive(449, second: 5, in: &walk))
        #expect(try receive(450, second: 6, in: &walk))
        #expect((5.0...5.01).contains(walk.distanceMetres))
    }

    @Test func `a fix with an accuracy of 50 m is a point, and one of more is not`() throws {
        var walk = recorder()
        #expect(try !receive(0, second: 1, accuracy: 50.01, in: &walk))
        #expect(try receive(0, second: 1, accuracy: 50, in: &walk))
    }

    @Test func `a step at 12 metres per second counts, and a faster one is a spike`() throws {
        var walk = recorder()
        #expect(try receive(0, second: 0, in: &walk))
        // 1079 are 11.998 m and 1080 are 12.009 m, in one second.
        #expect(try !receive(1080, second: 1, in: &walk))
        #expect(walk.spikesCount == 1 && walk.distanceMetres == 0)
        #expect(try receive(1079, second: 1, in: &walk))
        #expect(walk.spikesCount == 1 && walk.points.count == 2)
    }

    @Test func `a place that is far away counts once a walker can be there`() throws {
        var walk = recorder()
        #expect(try receive(0, second: 0, in: &walk))
        for second in 1...9 { #expect(try !receive(10_000, second: second, in: &walk)) }
        // 111.2 m in ten seconds.
        #expect(try receive(10_000, second: 10, in: &walk))
        #expect(walk.spikesCount == 9)
    }

    @Test func `a source whose clock goes back is measured by this device's clock`() throws {
        var walk = recorder()
        #expect(try receive(0, second: 0, in: &walk))
        let back = try fix(900, second: -3600)
        #expect(
            walk.receive(back, uptime: .seconds(10), wallTime: start + .seconds(10)) != nil)
        #expect(walk.moving == .seconds(10))
        // The same moment again: nobody is at two places at once.
        #expect(
            walk.receive(try fix(0, second: -3600), uptime: .seconds(10), wallTime: start) == nil)
        #expect(walk.spikesCount == 1)
    }

    @Test func `a step at half a metre per second is moving, and a slower one is a rest`() throws {
        var walk = recorder()
        #expect(try receive(0, second: 0, in: &walk))
        #expect(try receive(450, second: 10, in: &walk))
        #expect(walk.moving == .seconds(10))
        #expect(try receive(900, second: 21, in: &walk))
        #expect(walk.moving == .seconds(10))
    }

    @Test func `pauses do not count, and neither does the way during them`() throws {
        var walk = recorder(uptime: .seconds(100))
        _ = try fix(0, second: 100)
        #expect(try receive(0, second: 101, in: &walk))
        #expect(walk.pause(uptime: .seconds(400), wallTime: start) != nil)
        #expect(walk.pause(uptime: .seconds(401), wallTime: start) == nil)
        #expect(try !receive(5000, second: 500, in: &walk))
        #expect(walk.elapsed(uptime: .seconds(900)) == .seconds(300))
        #expect(walk.resume(uptime: .seconds(1000), wallTime: start) != nil)
        #expect(walk.resume(uptime: .seconds(1001), wallTime: start) == nil)
        #expect(try receive(90_000, second: 1001, in: &walk))
        #expect(walk.distanceMetres == 0 && walk.points.last?.startsSegment == true)
        #expect(walk.elapsed(uptime: .seconds(1300)) == .seconds(600))
    }

    @Test func `time ends after 6 hours, and no point is recorded then`() throws {
        let cap = 6 * 60 * 60
        var walk = recorder()
        #expect(try receive(0, second: 0, in: &walk))
        #expect(!walk.isFull(uptime: .milliseconds(cap * 1000 - 1)))
        #expect(try receive(450, second: cap - 1, in: &walk))
        #expect(walk.isFull(uptime: .seconds(cap)))
        #expect(try !receive(900, second: cap, in: &walk))
        #expect(walk.elapsed(uptime: .seconds(cap + 100)) == .seconds(cap))
    }

    @Test func `a track has 21 600 points at most`() throws {
        var walk = recorder()
        for second in 0..<WalkLimits.pointsCountMax {
            let isPoint =
                walk.receive(
                    try fix(second % 2 * 450, second: second), uptime: .zero, wallTime: start)
                != nil
            if !isPoint { Issue.record("fix \(second) is no point") }
        }
        #expect(walk.points.count == WalkLimits.pointsCountMax)
        #expect(try !receive(9000, second: WalkLimits.pointsCountMax, in: &walk))
    }

    @Test func `a recording after a crash has the points and the time of its journal`() throws {
        let beginning = WalkBeginning(
            recording: .zero, started: start, dogs: ["Haru"],
            people: [PersonID(raw: .zero)], request: EntityID(raw: .zero))
        var walk = WalkRecorder(beginning, uptime: .seconds(50))
        var journal = [walk.begun]
        for second in stride(from: 0, through: 40, by: 4) {
            let entry = walk.receive(
                try fix(second * 120, second: second), uptime: .seconds(50 + second),
                wallTime: start + .seconds(second))
            journal.append(try #require(entry))
        }
        #expect(walk.receive(try fix(0, second: 41), uptime: .seconds(91), wallTime: start) == nil)
        journal.append(walk.stayAlive(uptime: .seconds(100), wallTime: start + .seconds(50)))
        var again = try #require(try WalkRecorder(journal: journal.map(\.encoded)))
        #expect(again.beginning == beginning && again.state == .interrupted)
        #expect(again.points == walk.points && again.distanceMetres == walk.distanceMetres)
        #expect(again.moving == walk.moving && again.spikesCount == 1)
        #expect(again.elapsed(uptime: .seconds(9999)) == .seconds(50))
        #expect(again.resume(uptime: .seconds(7), wallTime: start) != nil)
        #expect(again.elapsed(uptime: .seconds(17)) == .seconds(60))
    }

    @Test func `a paused recording is paused after a crash`() throws {
        var walk = recorder()
        let paused = walk.pause(uptime: .seconds(5), wallTime: start)
        let pause = try #require(paused)
        let again = try WalkRecorder(journal: [walk.begun.encoded, pause.encoded])
        #expect(again?.state == .paused && again?.elapsed(uptime: .zero) == .seconds(5))
        #expect(try WalkRecorder(journal: []) == nil)
    }

    @Test func `a journal that is none of a walk is refused`() throws {
        let begun = recorder().begun
        let late = WalkEntry(.alive, elapsed: .seconds(9), at: start, spikesCount: 0)
        let early = WalkEntry(.alive, elapsed: .seconds(8), at: start, spikesCount: 0)
        #expect(throws: WalkJournalFault.noBeginning) {
            try WalkRecorder(journal: [late.encoded])
        }
        #expect(throws: WalkJournalFault.unreadableEntry(index: 2)) {
            try WalkRecorder(journal: [begun.encoded, late.encoded, early.encoded])
        }
        #expect(throws: WalkJournalFault.unreadableEntry(index: 1)) {
            try WalkRecorder(journal: [begun.encoded, begun.encoded])
        }
        #expect(throws: WalkJournalFault.unreadableEntry(index: 1)) {
            try WalkRecorder(journal: [begun.encoded, [9, 9, 9]])
        }
    }

    @Test func `an entry that is cut off or longer is none, and a time over 6 hours is none`() {
        let beginning = WalkBeginning(
            recording: .zero, started: start, dogs: ["Haru"], people: [PersonID(raw: .zero)])
        let bytes = WalkEntry(.begun(beginning), elapsed: .zero, at: start, spikesCount: 0).encoded
        #expect(WalkEntry(decoding: bytes) != nil)
        for count in bytes.indices { #expect(WalkEntry(decoding: Array(bytes[..<count])) == nil) }
        #expect(WalkEntry(decoding: bytes + [0]) == nil)
        let longest = WalkLimits.elapsedMax
        let whole = WalkEntry(.paused, elapsed: longest, at: start, spikesCount: 0)
        #expect(WalkEntry(decoding: whole.encoded) == whole)
        let over = WalkEntry(
            .paused, elapsed: longest + .milliseconds(1), at: start, spikesCount: 0)
        #expect(WalkEntry(decoding: over.encoded) == nil)
    }
}
