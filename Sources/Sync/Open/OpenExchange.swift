public import Records

/// The exchange of one open space over all links of a node, as a value: messages, local changes
/// and time go in, the effects to perform come out. It contains no clock, socket, disk, task or
/// randomness.
///
/// Each side offers its logs, and the other asks for the pieces that it wants, when it wants them.
/// Nothing is sent unasked. A log is asked for over one link at a time, so a batch arrives once.
///
/// For example, Ann, Ben and Cho are linked with each other. Ann posts and offers her log to both.
/// Ben asks Ann for it and stores it. He offers it to Cho only, and Cho has asked Ann already.
///
/// ```swift
/// var exchange = OpenExchange(space: id, digest: offer.digest, logs: offer.logs)
/// exchange.linkBegan(ben, channel: channel)
/// perform(exchange.named(ben, digest: theirs, now: now))  // asks for the first page
/// perform(try exchange.receive(message, from: ben, now: now))
/// perform(exchange.advance(now: now))  // at ``nextWake(after:)``, at the latest
/// ```
public struct OpenExchange: Sendable {
    /// An action that is requested. Effects are performed in order.
    public enum Effect: Hashable, Sendable {
        /// Sends a message to a linked device.
        case send(DeviceID, Message)
        /// Reads a piece of a log for a device that asked for it, then calls
        /// ``OpenExchange/answer(_:with:of:now:)``.
        case read(DeviceID, LogAsk)
        /// Stores a piece from a device, tells the changes to
        /// ``OpenExchange/change(_:gone:digest:now:)``, and then calls
        /// ``OpenExchange/stored(_:from:_:now:)``.
        case store(DeviceID, LogAsk, PassedRun)
        /// The device passed something that it was not asked for. It counts like a refused run.
        case refused(DeviceID)
    }

    /// The result of storing a piece.
    public enum Outcome: Hashable, Sendable {
        /// It is stored, as far as it was new.
        case stored
        /// The author's allowance is used up. No device is asked for the log before a time of the
        /// same clock as `now`.
        case overAllowance(until: Duration)
        /// The device's person brought as much of unknown authors as may be stored from them.
        case noShare
        /// The space or the disk is full.
        case noRoom
        /// All of it has expired, up to this number.
        case expired(through: UInt64)
        /// It does not continue what is here, and does not take its place.
        case gap
        /// A batch or the author's record was refused.
        case refused
    }

    /// A log that is being asked for or stored.
    struct UnderWay: Sendable {
        let device: DeviceID
        /// The last number that the device offered.
        let high: UInt64
        var isStoring = false
    }

    /// A time before which no link is asked for a log.
    typealias Wait = WaitingLogs.Wait

    /// The space.
    public let space: SpaceID
    var book: OfferBook
    var links: [DeviceID: OpenLink] = [:]
    /// The linked devices in the order of their turns.
    private(set) var order: [DeviceID] = []
    private var turn = 0
    /// Whether a log was offered to the queues of all links during a turn.
    private var isOfferedElsewhere = false
    var underWay: [LogName: UnderWay] = [:]
    var waits = WaitingLogs()
    /// The lowest numbers of logs that are not completed with earlier batches, because these
    /// expired or made room. Batches for which there was no room are not among these: another link
    /// may have room for them.
    var floors: [LogName: UInt64] = [:]
    private var retained: Set<DeviceID> = []
    /// Rises when something that was not stored for lack of room may be stored.
    private var roomRevision = 0
    private var parted: [DeviceID: PartedLink] = [:]
    private var partedOrder: [DeviceID] = []

    /// Creates the exchange of a space without links.
    /// - Parameters:
    ///   - digest: the digest of what is here.
    ///   - logs: the logs that are here.
    public init(space: SpaceID, digest: Bytes16, logs: [OfferedLog]) {
        self.space = space
        book = OfferBook(digest: digest, logs: logs)
    }

    /// The digest of what this side offers, for HAVE.
    public var digest: Bytes16 { book.digest }

    /// Returns what this side offers of a log; nil if nothing of it is here.
    public func offered(_ log: LogName) -> OfferedLog? { book[log] }

    /// Whether a linked device named the space, so that it asks for what is offered.
    public func isShared(with device: DeviceID) -> Bool { links[device]?.remoteDigest != nil }

    /// Whether what is remembered of links, logs and devices is within ``OpenLimits``.
    public var isBounded: Bool {
        underWay.count <= OpenLimits.piecesAtOnceMax + links.count * OpenLimits.questionsMax
            && waits.count <= OpenLimits.waitingLogsMax
            && parted.count <= OpenLimits.partedDevicesMax
            && links.values.allSatisfy { link in
                link.missing.count <= OpenLimits.missingLogsMax
                    && link.asked.count <= OpenLimits.questionsMax
                    && link.questions.count <= OpenLimits.questionsMax
                    && link.toldAuthors.count <= OpenLimits.toldAuthorsMax
            }
    }

    /// The logs whose authors are over their allowance, with the time at which more is read.
    public var overAllowance: [LogName: Duration] {
        waits.overAllowance
    }

    // MARK: - Links

    /// Records that a link began and that HAVE named the space to the peer.
    /// - Parameter channel: this side's channel number of the space on the link.
    public mutating func linkBegan(_ device: DeviceID, channel: UInt64) {
        if links[device] == nil { order.append(device) }
        links[device] = OpenLink(
            channel: channel, toldDigest: book.digest,
            allowances: parted[device]?.allowances ?? OpenLink.Allowances())
    }

    /// Processes the naming of the space by the peer's HAVE. The pages of its offer are read if
    /// they may contain something new.
    public mutating func named(_ device: DeviceID, digest: Bytes16, now: Duration) -> [Effect] {
        guard links[device] != nil else { return [] }
        if links[device]?.remoteDigest != nil { forgetPeer(device) }
        links[device]?.remoteDigest = digest
        if let last = parted[device]?.exchanged, isCurrent(last, digest, now) {
            links[device]?.rescanDue = last.due
        } else if digest != book.digest {
            links[device]?.beginScan()
        }
        // What changed since HAVE was sent.
        if links[device]?.untold.isEmpty == false { links[device]?.tellingDue = now }
        return pump(now: now)
    }

    /// Processes that the peer does not share the space any more.
    public mutating func unnamed(_ device: DeviceID, now: Duration) -> [Effect] {
        guard links[device] != nil else { return [] }
        forgetPeer(device)
        return pump(now: now)
    }

    /// Processes the end of a link.
    public mutating func linkEnded(_ device: DeviceID, now: Duration) -> [Effect] {
        guard let link = links[device] else { return [] }
        remember(PartedLink(allowances: link.allowances, exchanged: exchanged(device)), of: device)
        forgetPeer(device)
        links[device] = nil
        order.removeAll { $0 == device }
        return pump(now: now)
    }

    /// Whether all that a peer with this digest offers was asked for on its last link, and nothing
    /// has changed on either side.
    private func isCurrent(
        _ last: PartedLink.Exchanged, _ digest: Bytes16, _ now: Duration
    ) -> Bool {
        last.here == book.digest && last.there == digest && last.roomRevision == roomRevision
            && last.due.map { now < $0 } ?? true
    }

    /// Returns the digests of both sides if nothing that a peer offers is left to ask for now.
    private func exchanged(_ device: DeviceID) -> PartedLink.Exchanged? {
        guard let link = links[device], let there = link.remoteDigest, link.scan == .idle,
            !link.isTruncated || link.isFull, link.missing.isAllPostponed
        else { return nil }
        return PartedLink.Exchanged(
            here: book.digest, there: there, roomRevision: roomRevision,
            due: [link.missing.nextDue, link.rescanDue].compactMap(\.self).min())
    }

    private mutating func remember(_ link: PartedLink, of device: DeviceID) {
        if parted[device] == nil { partedOrder.append(device) }
        parted[device] = link
        guard partedOrder.count > OpenLimits.partedDevicesMax else { return }
        parted[partedOrder.removeFirst()] = nil
    }

    /// Forgets what a peer offered, what it was asked for and what it asked for.
    private mutating func forgetPeer(_ device: DeviceID) {
        guard let link = links[device] else { return }
        var next = OpenLink(
            channel: link.channel, toldDigest: link.toldDigest, allowances: link.allowances)
        next.untold = link.untold
        links[device] = next
        var lost = Set(link.missing.logs)
        for (log, piece) in underWay where piece.device == device && !piece.isStoring {
            underWay[log] = nil
            lost.insert(log)
        }
        for log in lost.sorted() { offerElsewhere(log) }
    }

    // MARK: - Local changes

    /// Processes changes of what is here: batches that were written or stored, and batches that
    /// expired or made room.
    /// - Parameters:
    ///   - changed: the changed logs.
    ///   - gone: the logs of which nothing is here any more.
    ///   - digest: the digest of the result.
    public mutating func change(
        _ changed: [OfferedLog], gone: [LogName], digest: Bytes16, now: Duration
    ) -> [Effect] {
        for offered in changed {
            if let old = book[offered.log], offered.low > old.low {
                floors[offered.log] = offered.low
            }
        }
        for log in gone { floors[log] = nil }
        book.update(changed, gone: gone, digest: digest)
        for device in order { update(device, changed, gone: gone, now: now) }
        return pump(now: now)
    }

    private mutating func update(
        _ device: DeviceID, _ changed: [OfferedLog], gone: [LogName], now: Duration
    ) {
        guard var link = detach(device) else { return }
        for offered in changed {
            let theirs = link.missing[offered.log]
            if let theirs {
                // A piece that did not continue the log may do so now.
                if position(for: theirs) == nil {
                    link.missing.remove(offered.log)
                } else {
                    _ = link.missing.insert(theirs, ofKnown: isRetained(theirs.log))
                }
            }
            if theirs?.covers(offered) ?? false {
                link.untold.remove(offered.log)
            } else {
                link.untold.insert(offered.log)
            }
        }
        link.untold.subtract(gone)
        if !link.untold.isEmpty {
            let due = now + OpenLimits.tellingPause
            link.tellingDue = link.tellingDue.map { min($0, due) } ?? due
        } else if link.toldDigest != book.digest, link.tellingDue == nil {
            link.tellingDue = now + OpenLimits.digestPause
        }
        links[device] = link
    }

    /// Sets the devices whose logs are stored whatever strangers bring, and asked for before those
    /// of strangers: those of this person, of mates and of people met.
    public mutating func retain(_ devices: Set<DeviceID>, now: Duration) -> [Effect] {
        guard devices != retained else { return [] }
        let more = devices.subtracting(retained)
        retained = devices
        for device in order { links[device]?.missing.prefer(devices) }
        guard !more.isEmpty else { return [] }
        // Their batches that made room before they were known are welcome now.
        let completed = floors.filter { !more.contains($0.key.device) }
        let isMoreWanted = completed.count < floors.count
        floors = completed
        roomRevision += 1
        for device in order where isMoreWanted || links[device]?.isFull ?? false {
            links[device]?.beginScan()
        }
        return pump(now: now)
    }

    /// Processes that room was made: batches expired or were removed, so that links that brought
    /// their share may be asked again.
    public mutating func madeRoom(now: Duration) -> [Effect] {
        roomRevision += 1
        for device in order { links[device]?.isFull = false }
        return pump(now: now)
    }

    // MARK: - What is missing

    /// Returns what to ask a peer for; nil if nothing that it offers is missing here.
    func position(for offer: OfferedLog) -> LogAsk.Position? {
        guard let own = book[offer.log] else { return .after(0, prefix: 0) }
        if offer.high > own.high || offer.high == own.high && offer.prefix != own.prefix {
            // Batches in between are at no peer that offers this, so it is read like a new log.
            return offer.low > own.high + 1
                ? .after(0, prefix: 0) : .after(own.high, prefix: own.prefix)
        }
        guard offer.low < own.low, own.low > floors[offer.log] ?? 0 else { return nil }
        return .before(own.low)
    }

    /// Whether a log is asked for before those of strangers.
    func isRetained(_ log: LogName) -> Bool { retained.contains(log.device) }

    /// Whether a log is charged to the link that brings it.
    func isUnknown(_ log: LogName) -> Bool {
        book[log] == nil && !retained.contains(log.device)
    }

    /// Lets other links be asked for a log.
    mutating func offerElsewhere(_ log: LogName) {
        isOfferedElsewhere = true
        for device in order { links[device]?.missing.enqueue(log) }
    }

    // MARK: - Turns

    /// Asks as many questions as may be asked now, link by link in turn.
    mutating func pump(now: Duration) -> [Effect] {
        var effects: [Effect] = []
        var idleCount = 0
        while idleCount < order.count {
            turn = (turn + 1) % order.count
            isOfferedElsewhere = false
            let effect = nextQuestion(to: order[turn], now: now)
            if let effect { effects.append(effect) }
            // A link that was passed over may be asked for what this one gave up.
            idleCount = effect == nil && !isOfferedElsewhere ? idleCount + 1 : 0
        }
        return effects
    }
}

extension OfferedLog {
    /// Whether a peer that offers this has everything of another state of the log.
    func covers(_ other: OfferedLog) -> Bool {
        low <= other.low
            && (high > other.high || high == other.high && prefix == other.prefix)
    }
}
