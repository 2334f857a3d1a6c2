internal import Links
internal import PluginKit
internal import Records
internal import Sync

/// One link after both HELLOs, with the session that runs over it.
struct ActiveLink: Sendable {
    /// Tells links apart that one device had after another.
    let id: UInt64
    let link: any DeviceLink
    let peer: Peer
    /// What the peer said of itself.
    let hello: Hello
    let boot: Boot
    let outbox: Outbox
    /// When the link began, in milliseconds since 1970.
    let sinceMilliseconds: Int64
    /// The peer's clock minus this one's, in milliseconds.
    let clockOffsetMilliseconds: Int64
    /// The dial target that led here, or nil where the peer dialled.
    let targetKey: String?
    var session: SyncSession
    /// Messages and batches of the peer's that were refused.
    var faultsCount = 0
    /// Messages to this device, and to a space, that were taken in the present second.
    var directAllowance = MessageAllowance()
    var ephemeralAllowance = MessageAllowance()
    /// When digests are asked next, in time since the node's start, and the pause after that.
    var nextDigestQuestion: Duration = .zero
    var digestPause: Duration = ActiveLink.digestPauseMin
    var lastPing: Duration = .zero
    var directCounter: UInt64 = 0
    /// What the peer announces, as it said over this link.
    var presence: Presence?
    /// Whether this side is dialling the peer because it asked; one attempt at a time.
    var isDialledBack = false

    /// What the last audit with the peer shows.
    var audit = AuditFindings()
    /// How many ranges the peer may still have hashed.
    var auditAllowance = AuditAllowance()
    /// The logs that the peer names another batch of.
    var forks = NamedForks()
    /// Person records that the peer brought and that are of no use yet.
    var records = WaitingRecords()

    /// Refused messages and batches before the link ends.
    static let faultsMax = 16
    /// The first pause before equality is asked for, and the longest.
    static let digestPauseMin: Duration = .milliseconds(500)
    static let digestPauseMax: Duration = .seconds(30)
    /// How often a quiet link is tried.
    static let pingEvery: Duration = .seconds(15)

    /// When a ping or a question for digests is due, in time since the node's start.
    var tendingDue: Duration { min(lastPing + ActiveLink.pingEvery, nextDigestQuestion) }
}

/// How many messages that are never stored a peer may send: a second's worth at a time. Direct
/// ones and those to a space are counted each by themselves.
struct MessageAllowance: Sendable {
    /// Messages per second.
    static let perSecondMax = 20

    private var second: Int64 = 0
    private var takenCount = 0

    /// Takes one, or says that the second is used up.
    mutating func take(uptime: Duration) -> Bool {
        let now = uptime.components.seconds
        if now != second { (second, takenCount) = (now, 0) }
        takenCount += 1
        return takenCount <= MessageAllowance.perSecondMax
    }
}
