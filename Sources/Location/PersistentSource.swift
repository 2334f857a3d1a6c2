internal import Synchronization

/// A source that is started again after growing pauses whenever it fails.
public struct PersistentSource: Sendable {
    /// The first pause before a failed source is started again.
    public static let pauseMin = Duration.seconds(1)
    /// The longest pause.
    public static let pauseMax = Duration.seconds(60)

    private let source: any LocationSource
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Wraps a source.
    /// - Parameter sleep: waits this long, or throws when the task is cancelled.
    public init(
        _ source: any LocationSource, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.source = source
        self.sleep = sleep
    }

    /// Reports until the source ends, fails permanently, or the task is cancelled.
    /// - Parameters:
    ///   - report: receives the source's reports.
    ///   - away: receives the reason for a temporary failure.
    /// - Throws: ``LocationFault`` if retrying cannot help, and `CancellationError`.
    public func run(
        _ report: @escaping @Sendable (LocationReport) async -> Void,
        away: @escaping @Sendable (LocationFault) async -> Void
    ) async throws {
        var pause = PersistentSource.pauseMin
        while true {
            let answered = Answered()
            do {
                try await source.run { received in
                    answered.set()
                    await report(received)
                }
                return
            } catch let fault as LocationFault where fault.canRecover {
                try Task.checkCancellation()
                // A source that has answered was available until now, and may be available again
                // soon.
                if answered.isTrue { pause = PersistentSource.pauseMin }
                await away(fault)
            }
            try await sleep(pause)
            pause = min(pause * 2, PersistentSource.pauseMax)
        }
    }
}

/// Whether a source has reported anything.
private final class Answered: Sendable {
    private let state = Atomic(false)

    var isTrue: Bool { state.load(ordering: .relaxed) }

    func set() { state.store(true, ordering: .relaxed) }
}
