internal import Records

/// The content that one person's links may be answered with, all together: a number of bytes at
/// once, and then a number per second. A request for content that is not here costs something too.
public struct ContentAllowance: Hashable, Sendable {
    /// The bytes per second of content that members share (32 MiB).
    public static let bytesPerSecond = 32 * 1024 * 1024
    /// The bytes per second of content of open spaces (4 MiB).
    public static let openBytesPerSecond = 4 * 1024 * 1024
    /// The time whose bytes are permitted at once.
    public static let burst: Duration = .seconds(2)
    /// The bytes that each answer costs besides its content: a look into the tables and at a file.
    public static let answerBytes = 16 * 1024
    /// The number of requests of one link that may wait for their answers.
    public static let requestsMax = 16

    /// The time until which what was sent is paid for.
    private var paid: Duration = .zero

    private let bytesPerSecond: Int

    /// Creates an allowance that is whole.
    public init(bytesPerSecond: Int = ContentAllowance.bytesPerSecond) {
        self.bytesPerSecond = bytesPerSecond
    }

    /// Charges for one answer with a piece.
    /// - Returns: how long to wait first.
    public mutating func spend(uptime: Duration) -> Duration {
        let cost = Limits.blobPieceBytes + ContentAllowance.answerBytes
        let time = Duration.seconds(1) * cost / bytesPerSecond
        paid = max(paid, uptime - ContentAllowance.burst) + time
        return max(.zero, paid - uptime)
    }
}
