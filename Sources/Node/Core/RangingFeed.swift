internal import PluginKit

/// The provider of measurements: which one it is, who asks for measurements, and what it measured.
struct RangingFeed: Sendable {
    /// The provider and its state.
    private(set) var provider = RangingProvider.none
    /// The plugins that ask for measurements.
    var questions = RangingQuestions()
    /// The linked devices and their newest measurements.
    private(set) var table = RangeTable()
    /// The number of the present run, so that late news of an earlier one is ignored.
    private(set) var turn: UInt64 = 0
    private var source: (any RangingSource)?
    private var running: Task<Void, Never>?
    private var changes: AsyncStream<RangingChange>.Continuation?

    /// The provider to start, if it neither runs nor has ended.
    var waiting: (any RangingSource)? { provider.state == .resting ? source : nil }

    /// Switches to another provider.
    mutating func turn(to choice: RangingChoice, _ source: (any RangingSource)?) {
        stop()
        self.source = source
        table.forgetMeasurements()
        provider = RangingProvider(choice: choice, state: source == nil ? .off : .resting)
    }

    /// Begins a run.
    /// - Returns: the changes for the provider, those that led to the present links first.
    mutating func begin() -> AsyncStream<RangingChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RangingChange.self, bufferingPolicy: .bufferingNewest(RangingLimits.waitingMax))
        for change in table.changes { continuation.yield(change) }
        changes = continuation
        turn += 1
        provider.state = .measuring
        return stream
    }

    /// Keeps the task of the run, to cancel it later.
    mutating func follow(_ task: Task<Void, Never>) { running = task }

    /// Ends the run, or lets a provider that has ended be started again. One that failed stays
    /// failed until a provider is chosen again.
    mutating func stop() {
        guard source != nil, provider.state != .resting else { return }
        if case .failed = provider.state { return }
        finish(as: .resting)
    }

    /// Records that the run ended by itself.
    mutating func finish(as state: RangingProvider.State) {
        running?.cancel()
        changes?.finish()
        (running, changes) = (nil, nil)
        turn += 1
        provider.state = state
    }

    /// Adds a device that was linked.
    mutating func link(_ device: DeviceID) {
        table.link(device)
        changes?.yield(.linked(device))
    }

    /// Removes a device whose link was lost.
    mutating func unlink(_ device: DeviceID) {
        table.unlink(device)
        changes?.yield(.lost(device))
    }

    /// Receives a token of another device's provider.
    mutating func receive(token: [UInt8], from device: DeviceID) {
        guard table.record(token: token, from: device) else { return }
        changes?.yield(.token(token, from: device))
    }

    /// Receives a report of the provider.
    /// - Returns: the measurement; nil for a report that is none, which is counted.
    mutating func receive(_ report: RangeReport, now: Duration) -> RangeMeasurement? {
        do { return try table.receive(report, now: now) } catch {
            provider.refusedCount += 1
            provider.lastRefusal = error
            return nil
        }
    }
}
