/// Measurements that were recorded, played at their own pace each time the provider begins.
///
/// A line of the file is one report, with the time since the beginning:
///
///     {"seconds": 0.1, "device": "…64 digits…", "distanceMetres": 0.12, "uncertaintyMetres": 0.02}
///     {"seconds": 0.2, "device": "…64 digits…", "direction": [0, 0, 1], "ageSeconds": 0.05}
public struct RecordedRanging: RangingSource {
    private let reports: [(after: Duration, report: RangeReport)]
    private let uptime: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    private struct Line: RangingLine {
        let seconds: Double
        let device: String
        let distanceMetres: Double?
        let direction: [Double]?
        let uncertaintyMetres: Double?
        let ageSeconds: Double?
    }

    /// Reads a recording. The measured values are not checked here: they are those of a provider.
    /// - Parameters:
    ///   - uptime: a clock that never goes backwards.
    ///   - sleep: waits this long, or throws when the task is cancelled.
    /// - Throws: ``RangingFileFault``.
    public init(
        lines bytes: [UInt8], uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) throws(RangingFileFault) {
        let lines = try RangingLines.read(bytes, as: Line.self)
        reports = lines.map { after, device, line in
            let report = RangeReport(
                device: device, distanceMetres: line.distanceMetres, direction: line.direction,
                uncertaintyMetres: line.uncertaintyMetres, ageSeconds: line.ageSeconds ?? 0)
            return (after, report)
        }
        self.uptime = uptime
        self.sleep = sleep
    }

    /// Reports each measurement at its time, then returns.
    public func run(
        _ changes: AsyncStream<RangingChange>, _ tell: @Sendable (RangingNews) async -> Void
    ) async throws {
        let began = uptime()
        for (after, report) in reports {
            // The time is computed from the start, so that long sleeps do not add up.
            let left = began + after - uptime()
            try Task.checkCancellation()
            if left > .zero { try await sleep(left) }
            await tell(.measured(report))
        }
    }
}
