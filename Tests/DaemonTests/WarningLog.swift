import Logging
import Synchronization

/// Keeps log messages of the level warning or above.
final class WarningLog: Sendable {
    private let kept = Mutex<[String]>([])

    var warnings: [String] { kept.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: WarningLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard event.level >= .warning else { return }
            log.kept.withLock { $0.append("\(event.message)") }
        }
    }
}
