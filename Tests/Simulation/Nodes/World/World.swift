internal import Foundation
internal import Logging
internal import Synchronization
internal import TestSupport

/// What all nodes of one simulation share.
final class World: Sendable {
    let seed: UInt64
    let time: VirtualTime
    let trace: EventTrace
    let network: SimulatedNetwork
    /// Where the homes are; in memory, and gone at the end.
    let directory: String
    private let found = Mutex<[String]>([])
    private let tally = Mutex<[String: Int]>([:])

    /// A world whose homes are in a directory, or in one of its own in memory.
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

    /// The true time, in milliseconds since 1970.
    var nowMs: Int64 { SimulatedClock.beginning + time.milliseconds }

    /// Removes the homes.
    func remove() { try? FileManager.default.removeItem(atPath: directory) }

    /// Something is not as it must be.
    func violated(_ what: String) {
        let line = "at \(time.milliseconds) ms: \(what)"
        trace.note("VIOLATION \(what)")
        found.withLock { $0.append(line) }
    }

    /// Counts something that happened, so that a simulation in which nothing does is noticed.
    func count(_ what: String) { tally.withLock { $0[what, default: 0] += 1 } }

    /// Whether a device may have signed two batches with one number, through no fault of its node.
    var isForked: Bool { tally.withLock { $0["restores"] != nil } }

    /// What happened how often, as words.
    var counts: String {
        tally.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
    }

    /// All that was not as it must be.
    var violations: [String] { found.withLock { $0 } }
}

/// Takes what one run of a node logs: it is part of the trace, and an error is a violation.
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
        let isForgiven = world.isForked && event.message.description == "two batches with one number"
        if event.level >= .error, !isForgiven { world.violated(text) } else {
            world.trace.note(text)
        }
    }
}
