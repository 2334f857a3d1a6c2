internal import Foundation
internal import Logging
internal import Records
internal import Synchronization
internal import TestSupport

/// The shared state of all nodes of one simulation.
final class World: Sendable {
    let seed: UInt64
    let time: VirtualTime
    let trace: EventTrace
    let network: SimulatedNetwork
    /// The directory of the homes, which is in memory and removed at the end.
    let directory: String
    private let found = Mutex<[String]>([])
    private let tally = Mutex<[String: Int]>([:])

    /// Creates a world whose homes are in a directory, by default one in memory.
    init(seed: UInt64, homes: String?, isVerbose: Bool) throws {
        self.seed = seed
        time = VirtualTime()
        trace = EventTrace(time, isVerbose: isVerbose)
        network = SimulatedNetwork(seed: seed &* 31 &+ 7, time: time, trace: trace)
        let base = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        directory =
            "\(homes ?? base)/waggle-sim-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    /// The true time.
    var now: Timestamp { SimulatedClock.beginning + time.now }

    /// Removes the homes.
    func remove() { try? FileManager.default.removeItem(atPath: directory) }

    /// Records a violation.
    func violated(_ what: String) {
        let line = "at \(time.milliseconds) ms: \(what)"
        trace.record("VIOLATION \(what)")
        found.withLock { $0.append(line) }
    }

    /// Counts an event, so that an inactive simulation is noticed.
    func count(_ what: String) { tally.withLock { $0[what, default: 0] += 1 } }

    /// Whether a device may have signed two batches with one number without a fault of its node.
    var isForked: Bool { tally.withLock { $0["restores"] != nil } }

    /// Whether a changed program has written more walk requests than a person can.
    var hasForgedWalks: Bool { tally.withLock { $0["forged walks"] != nil } }

    /// The counts of events as text.
    var counts: String {
        tally.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
    }

    /// All violations.
    var violations: [String] { found.withLock { $0 } }
}

/// Receives the log of one run of a node: it is part of the trace, and an error is a violation.
struct SimulatedLog: LogHandler {
    let world: World
    let name: String
    let isAlive: @Sendable () -> Bool

    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard isAlive() else { return }
        let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        let text = "\(name) says: \(event.message) \(details)"
        let isForgiven =
            world.isForked && event.message.description == "two batches with one number"
        if event.level >= .error, !isForgiven {
            world.violated(text)
        } else {
            world.trace.record(text)
        }
    }
}
