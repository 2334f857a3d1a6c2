import Ranging
import Synchronization
import Testing

/// Recordings and simulated hosts, played on a clock that jumps to the end of each sleep.
@Suite struct RecordedRangingTests {
    private static let one = String(repeating: "11", count: 32)
    private static let two = String(repeating: "22", count: 32)

    /// The time of a playback, and its end.
    private final class Player: Sendable {
        private struct State {
            var now = Duration.zero
            var news: [(at: Duration, report: RangeReport)] = []
        }

        private let state = Mutex(State())
        private let end: Duration

        init(end: Duration = .seconds(60)) { self.end = end }

        var uptime: Duration { state.withLock { $0.now } }
        var news: [(at: Duration, report: RangeReport)] { state.withLock { $0.news } }

        func sleep(_ duration: Duration) throws {
            try state.withLock { state in
                state.now += duration
                if state.now > end { throw CancellationError() }
            }
        }

        func tell(_ news: RangingNews) {
            guard case .measured(let report) = news else { return }
            state.withLock { $0.news.append(($0.now, report)) }
        }
    }

    private func play(_ source: some RangingSource, _ player: Player) async throws {
        let (changes, continuation) = AsyncStream.makeStream(of: RangingChange.self)
        continuation.finish()
        try await source.run(changes) { player.tell($0) }
    }

    private func recording(_ text: String, _ player: Player = Player()) throws -> RecordedRanging {
        try RecordedRanging(
            lines: Array(text.utf8), uptime: { player.uptime }, sleep: { try player.sleep($0) })
    }

    @Test func `a recording is played at its own pace, each time from the beginning`()
        async throws
    {
        let player = Player()
        let source = try recording(
            """
            {"seconds": 0, "device": "\(Self.one)", "distanceMetres": 0.2}

            {"seconds": 0.5, "device": "\(Self.two)", "direction": [0, 0, 1], "ageSeconds": 0.1}
            {"seconds": 29, "device": "\(Self.one)", "distanceMetres": -4, "uncertaintyMetres": 1}
            """, player)
        try await play(source, player)
        #expect(player.news.map(\.at) == [.zero, .milliseconds(500), .seconds(29)])
        #expect(
            player.news.map(\.report) == [
                RangeReport(device: DeviceID(Self.one) ?? .init(raw: .zero), distanceMetres: 0.2),
                RangeReport(
                    device: DeviceID(Self.two) ?? .init(raw: .zero), direction: [0, 0, 1],
                    ageSeconds: 0.1),
                RangeReport(
                    device: DeviceID(Self.one) ?? .init(raw: .zero), distanceMetres: -4,
                    uncertaintyMetres: 1),
            ])
        try await play(source, player)
        #expect(player.news.count == 6 && player.news[3].at == .seconds(29))
    }

    @Test(arguments: [
        ("", RangingFileFault.empty), ("\n  \n", .empty), ("nonsense", .malformed(line: 1)),
        ("[]", .malformed(line: 1)), ("\n{\"seconds\": 1}", .malformed(line: 2)),
        (#"{"seconds": 1e999, "device": "\#(one)"}"#, .malformed(line: 1)),
        (#"{"seconds": "0", "device": "\#(one)"}"#, .malformed(line: 1)),
        (#"{"seconds": 0, "device": "\#(one)", "distanceMetres": NaN}"#, .malformed(line: 1)),
        (#"{"seconds": 0, "device": "1122"}"#, .noDevice(line: 1)),
        (#"{"seconds": -1, "device": "\#(one)"}"#, .wrongTime(line: 1)),
        (#"{"seconds": 86401, "device": "\#(one)"}"#, .wrongTime(line: 1)),
    ]) func `a file that is no recording is refused with its line`(
        text: String, fault: RangingFileFault
    ) {
        #expect(throws: fault) { try recording(text) }
    }

    @Test func `times that fall are refused`() {
        let lines = [2, 1].map { (second: Int) -> String in
            #"{"seconds": \#(second), "device": "\#(Self.one)", "distanceMetres": 1}"#
        }
        #expect(throws: RangingFileFault.wrongTime(line: 2)) {
            try recording(lines.joined(separator: "\n"))
        }
    }

    @Test func `a line has up to 4096 bytes, and one of 1 MB is refused`() throws {
        let start = #"{"seconds": 0, "device": "\#(Self.one)", "distanceMetres": 1, "x": ""#
        let line = { (bytes: Int) -> String in
            start + String(repeating: "x", count: bytes - start.utf8.count - 2) + "\"}"
        }
        _ = try recording(line(RangingLimits.lineBytesMax))
        for bytes in [RangingLimits.lineBytesMax + 1, 1_000_000] {
            #expect(throws: RangingFileFault.lineTooLong(line: 1, bytesMax: 4096)) {
                try recording(line(bytes))
            }
        }
    }

    @Test func `hosts are measured from where they stand and face`() async throws {
        let player = Player(end: .milliseconds(150))
        let lines = """
            {"seconds": 0, "device": "\(Self.one)", "east": 0, "north": 0, "facingDegrees": 90}
            {"seconds": 0, "device": "\(Self.two)", "east": 4, "north": 3}
            {"seconds": 0.1, "device": "\(Self.two)", "east": 0.12, "north": 0}
            """
        let source = try SimulatedRanging(
            lines: Array(lines.utf8), me: try #require(DeviceID(Self.one)),
            uptime: { player.uptime }, sleep: { try player.sleep($0) })
        await #expect(throws: CancellationError.self) { try await play(source, player) }
        let found = try player.news.map { try RangeMeasurement($0.report, now: $0.at) }
        #expect(found.map(\.distanceMetres) == [5, 0.12])
        #expect(abs((found[0].direction?.turnDegrees ?? 0) + 36.87) < 0.01)
        #expect((found[1].direction?.offAxisDegrees ?? 180) < 0.01)
    }
}
