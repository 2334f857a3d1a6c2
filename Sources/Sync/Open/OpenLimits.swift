/// The limits of the exchange of one open space.
public enum OpenLimits {
    /// The questions to one link that may be unanswered. A side that gets a further one ends the
    /// link.
    public static let questionsMax = 4
    /// The pieces of logs that are asked for or being stored at a time, of all links.
    public static let piecesAtOnceMax = 32
    /// The time after which another link is asked for a piece. The answer is accepted when it
    /// comes.
    public static let answerMax: Duration = .seconds(5)
    /// The pieces that one link is asked for per minute, those of a minute at once.
    public static let piecesPerMinute = 600
    /// The bytes of batches that one link is asked for per minute, those of a minute at once. The
    /// last piece may go beyond them.
    public static let pieceBytesPerMinute = 4 * 1024 * 1024
    /// The logs that are read from the offers of one link per minute, those of a minute at once.
    /// Changes above it are not read, and found again by asking for the pages later.
    public static let offeredLogsReadPerMinute = 16_384
    /// The logs that a message counts as at least.
    public static let offerMessageLogs = 16
    /// The logs that one link is told per minute: half as many as it reads.
    public static let offeredLogsToldPerMinute = offeredLogsReadPerMinute / 2
    /// The time for which changes are collected before they are offered.
    public static let tellingPause: Duration = .milliseconds(200)
    /// The time after which a new digest alone is told.
    public static let digestPause: Duration = .seconds(5)
    /// The logs that are missing here and remembered for one link that offers them. Further ones
    /// are found again by asking for the pages later.
    public static let missingLogsMax = 2048
    /// The logs that one reading of all pages may name; more than a space may have records.
    public static let scannedLogsMax = 65_536
    /// The shortest time between two readings of all pages of one link's offer, if something that
    /// it offers could not be remembered.
    public static let scanPauseMin: Duration = .seconds(60)
    /// The longest such time, after readings that brought nothing.
    public static let scanPauseMax: Duration = .seconds(600)
    /// The time after which a link that did not answer in time is asked for the same log again.
    public static let silencePause: Duration = .seconds(30)
    /// The time after which a log is asked for again that had expired, or for which the space had
    /// no room.
    public static let refusalPause: Duration = .seconds(3600)
    /// The logs, of all links, for which a time is remembered before which they are not asked for.
    public static let waitingLogsMax = 8192
    /// The same for the logs that one device brought. Further ones wait on its link alone, for
    /// ``refusalPause``.
    public static let waitingLogsPerDeviceMax = waitingLogsMax / 16
    /// The longest time for which a log is not asked for, whatever the dates of its batches: all
    /// that was stored has expired by then.
    public static let waitMax: Duration = .seconds(31 * 86_400)
    /// The questions of one link that are answered per minute, those of 4 seconds at once.
    public static let answersPerMinute = 32 * 60
    /// The bytes that one link is answered with per minute, those of 16 seconds at once.
    public static let answerBytesPerMinute = 256 * 1024 * 60
    /// The devices whose last offers and allowances are remembered after their links end.
    public static let partedDevicesMax = 1024
    /// The authors for whom it is remembered that a link was told their records.
    public static let toldAuthorsMax = 1024
}
