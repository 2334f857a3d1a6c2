internal import Identity
internal import Links
internal import PluginKit
internal import Records
internal import Sync

/// One link after both HELLOs, with the session that runs over it.
struct ActiveLink: Sendable {
    /// Distinguishes successive links with one device.
    let id: UInt64
    let link: any DeviceLink
    let peer: Peer
    /// The HELLO that the peer sent.
    let hello: Hello
    /// The checked entries of the HELLO's person record: those that list the device.
    let listing: PersonRecord
    let boot: Boot
    let outbox: Outbox
    /// The time the link began.
    let since: Timestamp
    /// The peer's clock minus this one's.
    let clockOffset: Duration
    /// The dial target of this link, or nil if the peer dialled.
    let targetKey: String?
    var session: SyncSession
    /// The record of this person in the HELLO that was sent; nil if it was not the whole one.
    var toldRecord: ClaimedPersonRecord?
    /// Whether the peer may lack this person's present record: it received only those entries that
    /// list this device, or has dropped the record, or the record has changed since.
    var owesRecord = false
    /// The trouble that ends the link, once one of the two sides has named it.
    var trouble: ConnectionTrouble?
    /// The number of the peer's messages and batches that were refused.
    var faultsCount = 0
    /// The allowances for messages to this device, and to a space, in the current second.
    var directAllowance = MessageAllowance()
    var ephemeralAllowance = MessageAllowance()
    /// The time of the next digest question, since the node's start, and the pause after it.
    var nextDigestQuestion: Duration = .zero
    var digestPause: Duration = ActiveLink.digestPauseMin
    var lastPing: Duration = .zero
    var directCounter: UInt64 = 0
    /// The fields that the peer announces over this link.
    var announced: AnnouncedFields?
    /// Limits the rate at which changes of these fields are published.
    var announcedAllowance = MessageAllowance()
    /// Limits how often this side dials the peer because it asks.
    var dialBack = DialBackPace()
    /// The time that this side has paused for the messages that it handles now, because their
    /// person's allowances were used up.
    var owed: Duration = .zero

    /// The part of this link in coming back by recovery words, on either side.
    var recovery = RecoveryOnLink()
    /// The part of this link in adding a device, on either side.
    var joining = JoiningOnLink()
    /// The requests for content that wait for their person's allowance.
    var contentRequests: [ContentRequest] = []

    /// Whether the peer, a former mate, was found to lack the end of the mateship.
    var isReminded = false

    /// The findings of the last audit with the peer.
    var audit = AuditFindings()
    /// The logs for which the peer names a different batch.
    var forks = NamedForks()
    /// The peer's acknowledgements that are not stored yet.
    var acknowledgements = PendingAcknowledgements()
    /// Person records from the peer that are not yet usable.
    var records = WaitingRecords()

    /// The number of refused messages and batches at which the link ends.
    static let faultsMax = 16
    /// The first pause between digest questions, and the longest.
    static let digestPauseMin: Duration = .milliseconds(500)
    static let digestPauseMax: Duration = .seconds(30)
    /// The longest pause for the messages that are handled together, if their person's links hold
    /// more than ``owingBytesMax``; then the link ends.
    static let owedMax: Duration = .seconds(3)
    /// The memory for received messages that a person's links may hold during longer pauses, in
    /// bytes.
    static let owingBytesMax = 1024 * 1024
    /// The interval between pings on a quiet link.
    static let pingEvery: Duration = .seconds(15)

    /// The protocol version spoken with the peer.
    var version: UInt8 { hello.commonVersion ?? Hello.spoken.lowerBound }

    /// When a ping or a question for digests is due, in time since the node's start.
    var tendingDue: Duration { min(lastPing + ActiveLink.pingEvery, nextDigestQuestion) }

    /// Decides what is due on this link.
    /// - Returns: whether a ping is due, and the question for digests if one is due.
    mutating func tend(now: Duration) -> (isPingDue: Bool, question: [SyncSession.Effect]?) {
        let isPingDue = now - lastPing >= ActiveLink.pingEvery
        if isPingDue { lastPing = now }
        guard now >= nextDigestQuestion else { return (isPingDue, nil) }
        nextDigestQuestion = now + digestPause
        digestPause = min(digestPause * 2, ActiveLink.digestPauseMax)
        return (isPingDue, session.askDigests(onlyUnknown: true))
    }
}

/// Limits the messages that a peer may send and that are never stored: a second's worth at a time.
/// Messages to a device and messages to a space are counted separately.
struct MessageAllowance: Sendable {
    /// Messages per second.
    static let perSecondMax = 20

    private var second: Int64 = 0
    private var permittedCount = 0

    /// Counts one message and returns true, or returns false if the second is used up.
    mutating func permitMessage(uptime: Duration) -> Bool {
        let now = uptime.components.seconds
        if now != second { (second, permittedCount) = (now, 0) }
        permittedCount += 1
        return permittedCount <= MessageAllowance.perSecondMax
    }
}
