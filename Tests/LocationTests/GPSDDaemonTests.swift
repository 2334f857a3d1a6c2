import Foundation
import Glibc
import Location
import NIOCore
import NIOPosix
import Testing

@testable import GPSD

/// Tests a real gpsd, which gets a recording from gpsfake, or nothing.
@Suite(
    .serialized,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsfake"),
        "gpsfake, of the package gpsd-clients, is not installed"))
struct GPSDDaemonTests {
    /// The reports of a source.
    private enum Heard: Equatable {
        case searching
        case fix(Fix)
        case away
        /// An event of the test itself: it has waited long enough.
        case waited
    }

    @Test(.timeLimit(.minutes(2)))
    func `a receiver is heard, lost while it is away, and heard again`() async throws {
        let directory = NSTemporaryDirectory() + "waggle-gps-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let recording = directory + "/standing.nmea"
        try Self.recording.write(toFile: recording, atomically: true, encoding: .ascii)
        let port = try await Self.freePort()
        let (heard, hearing) = AsyncStream.makeStream(of: Heard.self)
        let source = PersistentSource(GPSDSource(host: "127.0.0.1", port: port)) { pause in
            try await Task.sleep(for: min(pause, .seconds(1)))
        }
        let listener = Task {
            try await source.run(
                { report in
                    if case .fix(let fix) = report { hearing.yield(.fix(fix)) }
                }, away: { _ in hearing.yield(.away) })
        }
        defer { listener.cancel() }
        var events = heard.makeAsyncIterator()
        for _ in 0..<2 {
            let receiver = try Self.play(recording, port: port)
            defer { Self.end(receiver) }
            // A receiver knows its location before it knows the time.
            let timed = await Self.next(&events) { heard in
                if case .fix(let fix) = heard { fix.at != nil } else { false }
            }
            guard case .fix(let fix)? = timed else { throw LocationFault.lost }
            let city = try Point(latitude: 37.5665, longitude: 126.978)
            #expect(fix.point.distanceMetres(to: city) < 1)
            let time = try #require(fix.at)
            #expect((1_777_626_000_000...1_777_626_009_000).contains(time.milliseconds))
            #expect(fix.accuracyMetres != nil)
            Self.end(receiver)
            #expect(await Self.next(&events) { $0 == .away } == .away)
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/gpsd"),
            "gpsd is not installed"), .timeLimit(.minutes(1)))
    func `a gpsd without a receiver is not lost until it has ended`() async throws {
        let control = NSTemporaryDirectory() + "waggle-gpsd-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: control) }
        let port = try await Self.freePort()
        let gpsd = try Self.start("/usr/sbin/gpsd", ["-N", "-F", control, "-S", "\(port)"])
        defer { Self.end(gpsd) }
        let (heard, hearing) = AsyncStream.makeStream(of: Heard.self)
        let source = PersistentSource(
            GPSDSource(host: "127.0.0.1", port: port, silenceMax: .seconds(6))
        ) { _ in try await Task.sleep(for: .milliseconds(100)) }
        let listener = Task {
            try await source.run(
                { report in if report == .searching { hearing.yield(.searching) } },
                // It cannot be reached before it listens, which is expected here.
                away: { fault in if fault == .lost { hearing.yield(.away) } })
        }
        defer { listener.cancel() }
        var events = heard.makeAsyncIterator()
        #expect(await events.next(isolation: nil) == .searching)
        // Two limits, during which it has nothing to report.
        try await Task.sleep(for: .seconds(12))
        hearing.yield(.waited)
        #expect(await events.next(isolation: nil) == .waited)
        Self.end(gpsd)
        #expect(await events.next(isolation: nil) == .away)
    }

    private static func next(
        _ events: inout AsyncStream<Heard>.Iterator, where isWanted: (Heard) -> Bool
    ) async -> Heard? {
        while let event = await events.next(isolation: nil) {
            if isWanted(event) { return event }
        }
        return nil
    }

    private static func freePort() async throws -> Int {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        try await server.close()
        return port
    }

    private static func play(_ recording: String, port: Int) throws -> Process {
        try start(
            "/usr/bin/gpsfake", ["-n", "-q", "-P", "\(port)", "-c", "0.1", recording],
            temporary: URL(filePath: recording).deletingLastPathComponent().path)
    }

    /// Starts a program that makes its temporary files, such as the socket of gpsfake, in a
    /// directory.
    private static func start(
        _ program: String, _ arguments: [String], temporary: String = NSTemporaryDirectory()
    ) throws -> Process {
        let process = Process()
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": temporary]) { _, new in new }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Ends gpsd, or gpsfake and the gpsd it started; each is its own process group.
    private static func end(_ process: Process) {
        guard process.isRunning else { return }
        kill(-process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ten seconds without movement, as a receiver reports them.
    private static let recording = (0..<10).map { second in
        let time = "09000\(second).00"
        return sentence("GPGGA,\(time),3733.990,N,12658.680,E,1,08,0.9,30.0,M,20.0,M,,")
            + sentence("GPRMC,\(time),A,3733.990,N,12658.680,E,0.0,0.0,010526,,,A")
    }.joined()

    private static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(UInt8(0), ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n"
    }
}
