import ControlAPI
import Daemon
import FeaturesAPI
import Foundation
import Identity
import Links
import Location
import Logging
import Node
import PluginKit
import Replica
import WalkLogAPI

/// A walk of six hours with a location in each second, recorded by the product's node: its memory
/// after each hour, and what it wrote. The node's clock runs 240 times as fast as the system's.
struct WalkMeasure {
    let directory: String

    static let pace = 240
    private static let hoursCount = 6

    func run() async throws -> JSONValue {
        let home = Home(directory)
        let identity = try NodeIdentity.load(from: home)
        let logger = Logger(label: "walk") { _ in SwiftLogNoOpLogHandler() }
        let settings = try NodeSettings(home: home, usesAvahi: false)
        let clock = FastClock(pace: Self.pace)
        let real = try Surroundings.real(of: identity.key, settings, logger)
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let node = try Node(
            settings: settings, identity: identity, plugins: Bench.plugins,
            surroundings: Surroundings(
                transport: real.transport, discovery: nil, clock: clock, random: real.random,
                receiver: { _, _ in Walker(clock: clock) }, photos: real.photos, logger: logger),
            stopRequest: stopRequest)
        let listener = try await real.transport.listen(port: 0)
        try await node.prepare(port: listener.port)
        let running = Task { await node.run(listener: listener) }
        let measured = try await record(NodeService(node: node), clock)
        await node.stop(listener: listener)
        running.cancel()
        await running.value
        try await node.replica.close()
        return measured
    }

    /// Records the walk, which ends by itself after six hours.
    private func record(_ node: NodeService, _ clock: FastClock) async throws -> JSONValue {
        try await node.call(LocationCommands.source, ["source": "gpsd"])
        try await clock.sleep(for: .seconds(600))
        let before = try ProcessCost.now()
        let began = clock.uptime
        try await node.call(WalkLogCommands.start)
        var memory = [before.memoryMebibytes]
        var journalBytes = 0
        for hour in 1...Self.hoursCount {
            // The last look is a minute before the end, while there is a journal.
            let at = Duration.seconds(hour * 3600 - (hour == Self.hoursCount ? 60 : 0))
            try await clock.sleep(for: began + at - clock.uptime)
            memory.append(try ProcessCost.now().memoryMebibytes)
            journalBytes = try journalLength()
        }
        var walk: RecordedWalk?
        while walk == nil {
            try await clock.sleep(for: .seconds(10))
            walk = try await node.call(WalkLogCommands.list).walks.first
        }
        let after = try ProcessCost.now()
        guard let measures = walk?.measures else { throw BenchFault.usage("walk DIRECTORY") }
        return [
            "memoryMebibytes": .array(memory.map { .number($0) }),
            "memoryMebibytesAfter": .number(after.memoryMebibytes),
            "memoryMebibytesMax": .number(after.memoryMebibytesMax),
            "writtenBytes": .integer(after.writtenBytes - before.writtenBytes),
            "journalBytes": .integer(Int64(journalBytes)),
            "processorSeconds": .number(after.processorSeconds - before.processorSeconds),
            "pointsCount": .integer(Int64(measures.pointsCount.value)),
            "elapsedSeconds": .integer(Int64(measures.elapsedSeconds.value)),
            "distanceMetres": .number(measures.distanceMetres.value),
            "walkedMetres": .number(Walker.metres(seconds: measures.pointsCount.value - 1)),
        ]
    }

    private func journalLength() throws -> Int {
        let path = directory + "/journal-walklog"
        return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}

extension NodeService {
    /// Performs a command as the local API does.
    @discardableResult
    fileprivate func call<Request, Answer>(
        _ command: Command<Request, Answer>, _ values: [String: JSONValue] = [:]
    ) async throws -> Answer {
        let arguments = try Arguments(checking: values, against: command.declaration)
        return try await perform(command.declaration, arguments).decoded()
    }
}

/// Clocks that run a number of times as fast as the system's.
private struct FastClock: NodeClock {
    let pace: Int
    private let system = SystemClock()
    private let began = SystemClock().wallTime

    init(pace: Int) { self.pace = pace }

    var wallTime: Timestamp { began + uptime }
    var uptime: Duration { system.uptime * pace }

    func sleep(for duration: Duration) async throws {
        try await system.sleep(for: max(.zero, duration / pace))
    }
}

/// A receiver that reports a location in each second, 5.2 m north of the last and to and fro, so
/// that each becomes a point and few can be left out of a picture.
private struct Walker: LocationSource {
    let clock: FastClock

    private static let northMetres = 5.2
    private static let bendMetres = 30.0
    private static let bendSeconds = 40.0
    private static let metresPerDegree = Point.earthRadiusMetres * .pi / 180

    func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
        let (began, started) = (clock.uptime, clock.wallTime)
        for second in 0... {
            try Task.checkCancellation()
            let left = began + .seconds(second) - clock.uptime
            if left > .zero { try await clock.sleep(for: left) }
            let fix = Fix(
                point: Self.point(second: second), accuracyMetres: 5,
                at: started + .seconds(second))
            await report(.fix(fix))
        }
    }

    private static func point(second: Int) -> Point {
        let north = Double(second) * northMetres / metresPerDegree
        let east = bendMetres * sin(Double(second) / bendSeconds) / metresPerDegree
        guard let point = try? Point(latitude: 37.5 + north, longitude: 127 + east) else {
            preconditionFailure("six hours of walking stay north of the equator")
        }
        return point
    }

    /// Returns the length of so many seconds of the way.
    static func metres(seconds: Int) -> Double {
        (0..<max(0, seconds)).reduce(0) {
            $0 + point(second: $1).distanceMetres(to: point(second: $1 + 1))
        }
    }
}
