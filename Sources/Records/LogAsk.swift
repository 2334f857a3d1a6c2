/// A question for a piece of one log of an open space.
public struct LogAsk: Hashable, Sendable {
    /// The log, as the peer offered it.
    public let log: LogName
    /// The batches that are asked for.
    public let position: Position
    /// The maximum length of the encoded run, in bytes. The shortest run that can be proven is
    /// passed even if it is longer.
    public let bytesMax: Int

    /// The batches of a log that are asked for.
    public enum Position: Hashable, Sendable {
        /// The batches after a number; the prefix is of that batch's hash at the asker. 0 asks for
        /// the first batches that the peer has, whatever their numbers.
        case after(UInt64, prefix: UInt64)
        /// The batches directly before a number.
        case before(UInt64)
    }

    /// Creates a question from its parts.
    public init(log: LogName, position: Position, bytesMax: Int) {
        self.log = log
        self.position = position
        self.bytesMax = bytesMax
    }
}
