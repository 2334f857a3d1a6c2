internal import Synchronization

/// A source that is asked again, after growing pauses, whenever it goes away.
public struct PersistentSource: Sendable {
    /// The first pause before a source that went away is asked again, and the longest.
    public static let pauseMin = Duration.seconds(1)
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

    /// Reports until the source ends, is of no use, or the task is cancelled.
    /// - Parameters:
    ///   - report: takes what the source says.
    ///   - away: takes why the source is away for now.
    /// - Throws: ``LocationFault`` of which trying again cannot help, and `CancellationError`.
    public func run(
        _ report: @escaping @Sendable (LocationReport) async -> Void,
        away: @escaping @Sendable (LocationFault) async -> Void
    ) async throws {
        var pause = PersistentSource.pauseMin
        while true {
            let answered = Answered()
            do {
                try await source.run { said in
                    answered.note()
                    await report(said)
                }
                return
            } catch let fault as LocationFault where fault.canRecover {
                try Task.checkCancellation()
                // Who answered at all went away just now, and may be back at once.
                if answered.isTrue { pause = PersistentSource.pauseMin }
                await away(fault)
            }
            try await sleep(pause)
            pause = min(pause * 2, PersistentSource.pauseMax)
        }
    }
}

/// Whether a source said anything.
private final class Answered: Sendable {
    private let state = Atomic(false)

    var isTrue: Bool { state.load(ordering: .relaxed) }

    func note() { state.store(true, ordering: .relaxed) }
}
