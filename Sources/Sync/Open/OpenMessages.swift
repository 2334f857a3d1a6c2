public import Identity
public import Records

/// Logs of an open space that the sender has: those that changed, or a page of all of them.
public struct Offer: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The digest of everything that the sender offers now.
    public var digest: Bytes16
    /// The logs that the message names.
    public var part: Part
    /// The logs, in ascending order of their names; at most ``Limits/vectorLogsMax``.
    public var logs: [OfferedLog]

    /// The logs that an offer names.
    public enum Part: UInt8, Hashable, Sendable {
        /// Logs that changed; nobody asked for them.
        case changes = 0
        /// The answer to a question for a page: the logs after it are on further pages.
        case page = 1
        /// The answer to a question for a page: no log comes after it.
        case lastPage = 2
    }

    /// Creates an offer from its fields.
    public init(channel: UInt64, digest: Bytes16, part: Part, logs: [OfferedLog]) {
        self.channel = channel
        self.digest = digest
        self.part = part
        self.logs = logs
    }
}

/// A question about an open space. A side answers in the order of the questions.
public struct OpenQuestion: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The subject of the question.
    public var subject: Subject

    /// The subjects of questions.
    public enum Subject: Hashable, Sendable {
        /// The page of the offer that begins after a log, or the first one.
        case page(after: LogName?)
        /// A piece of a log, and the record of its author's person if that is not here. The record
        /// comes only with batches after a number: a side that asks for batches before others has
        /// it.
        case piece(LogAsk, isRecordWanted: Bool)
    }

    /// Creates a question from its fields.
    public init(channel: UInt64, subject: Subject) {
        self.channel = channel
        self.subject = subject
    }
}

/// A piece of a log of an open space: the answer to a question for it.
public struct Passed: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The record of the author's person; nil if the receiver was told.
    public var record: ClaimedPersonRecord?
    /// The hash of the batch before the run; ``BatchHash/none`` before number 1.
    public var previous: BatchHash
    /// The batches.
    public var run: Run

    /// Creates an answer from its fields.
    public init(channel: UInt64, record: ClaimedPersonRecord?, previous: BatchHash, run: Run) {
        self.channel = channel
        self.record = record
        self.previous = previous
        self.run = run
    }

    /// The piece as a replica stores it.
    public var piece: PassedRun {
        PassedRun(record: record?.encoded, previous: previous, run: run)
    }
}

/// The answer to a question for a piece of a log if the sender has no such batches.
public struct NotPassed: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The log.
    public var log: LogName

    /// Creates an answer from its fields.
    public init(channel: UInt64, log: LogName) {
        self.channel = channel
        self.log = log
    }
}

extension Limits {
    /// The longest answer that a question for a piece may ask for, in bytes of the encoded run.
    public static let passedBytesMax = 64 * 1024
}
