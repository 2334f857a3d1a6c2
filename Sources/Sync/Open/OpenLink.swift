internal import Records

/// The state of one link in the exchange of an open space.
struct OpenLink: Sendable {
    /// A question that the peer has not answered.
    struct Asked: Sendable {
        let subject: OpenQuestion.Subject
        let deadline: Duration
        /// Whether the deadline passed, so that another link may have been asked.
        var isLate = false
        /// The bytes that were spent for the answer.
        let spentBytes: Int
    }

    /// The progress of reading the pages of the peer's offer.
    enum Scan: Hashable, Sendable {
        case idle
        /// The next page is to be asked for.
        case due(after: LogName?)
        /// A page was asked for.
        case asked
    }

    /// This side's channel number of the space.
    let channel: UInt64
    /// The digest of the peer's last offer; nil until the peer names the space.
    var remoteDigest: Bytes16?
    /// The digest that the peer was told last.
    var toldDigest: Bytes16
    /// The logs that changed and were not told.
    var untold: Set<LogName> = []
    /// When these, or the digest, are told.
    var tellingDue: Duration?
    var missing = MissingLogs()
    /// The questions that the peer has not answered, oldest first.
    var asked: [Asked] = []
    var scan = Scan.idle
    /// The logs that were read since the first page.
    var scannedCount = 0
    /// Whether the peer may offer something that is not remembered.
    var isTruncated = false
    /// When all pages may be read again, if something is not remembered.
    var nextScan: Duration = .zero
    var scanPause = OpenLimits.scanPauseMin
    /// When all pages are read again because of a log that waited for a time on an earlier link.
    var rescanDue: Duration?
    /// Whether the peer brought as much of unknown authors as may be stored.
    var isFull = false
    /// The questions that were not answered as hoped. Links with fewer are asked first.
    var failures = 0
    /// The allowances for what this side asks for, reads and answers.
    var allowances: Allowances
    /// The questions of the peer, oldest first.
    var questions: [OpenQuestion.Subject] = []
    /// Whether the first of these is being read from the disk.
    var isReading = false
    /// The authors whose records the peer was told, each with a hash of the record.
    var toldAuthors: [PersonID: Int] = [:]

    /// The allowances of a device, which outlast its link.
    struct Allowances: Sendable {
        var pieces = RateAllowance(
            unitsPerMinute: OpenLimits.piecesPerMinute, burst: .seconds(60))
        var bytes = RateAllowance(
            unitsPerMinute: OpenLimits.pieceBytesPerMinute, burst: .seconds(60))
        var reading = RateAllowance(
            unitsPerMinute: OpenLimits.offeredLogsReadPerMinute, burst: .seconds(60))
        var telling = RateAllowance(
            unitsPerMinute: OpenLimits.offeredLogsToldPerMinute, burst: .seconds(30))
        var answers = RateAllowance(
            unitsPerMinute: OpenLimits.answersPerMinute, burst: .seconds(4))
        var answerBytes = RateAllowance(
            unitsPerMinute: OpenLimits.answerBytesPerMinute, burst: .seconds(16))

        /// Whether the link may be asked for a further piece.
        func mayAsk(now: Duration) -> Bool { pieces.isOpen(now: now) && bytes.isOpen(now: now) }
        /// When it may be asked for one.
        var askOpening: Duration { max(pieces.opening, bytes.opening) }
        /// When the next of its questions may be answered.
        var answerOpening: Duration { max(answers.opening, answerBytes.opening) }
    }

    /// Whether a further question may be asked.
    var hasRoomToAsk: Bool { remoteDigest != nil && asked.count < OpenLimits.questionsMax }

    /// Forgets the logs that wait for a time, so that others can be remembered. They are found
    /// again by asking for the pages later.
    /// - Returns: these logs.
    mutating func forgetPostponed() -> [LogName] {
        let forgotten = missing.forgetPostponed()
        if !forgotten.isEmpty { isTruncated = true }
        return forgotten
    }

    /// Reads the peer's offer from the first page on, unless that is under way.
    mutating func beginScan() {
        guard scan == .idle else { return }
        scan = .due(after: nil)
        scannedCount = 0
        isTruncated = false
        rescanDue = nil
    }
}

/// The part of a link's state that is remembered after its end.
struct PartedLink: Sendable {
    var allowances: OpenLink.Allowances
    /// The digests of both sides, if nothing that the peer offered was left to ask for.
    var exchanged: Exchanged?

    struct Exchanged: Sendable {
        let here: Bytes16
        let there: Bytes16
        /// Counts how often room or the retained people changed; see ``OpenExchange``.
        let roomRevision: Int
        /// When a log that waited is due.
        let due: Duration?
    }
}
