internal import Identity
internal import Links
internal import Logging
internal import Records
internal import Replica
internal import Sync

/// Reads logs and sends them on one link. Before each frame of batches, it sends their author's
/// record if the peer may lack that.
///
/// A log is read when its turn comes, so its batches may be newer than messages that wait behind
/// it. For example, Ana's laptop is sending a log to Ben while she removes her phone. The message
/// with the removal waits, but the log now includes the batch that ends the phone's log. If Ben got
/// that batch first, he would pass it on to the phone.
struct LogSender {
    private let link: any DeviceLink
    /// The HELLO that the peer sent.
    private let peer: Hello
    private let outbox: Outbox
    private let node: Node
    /// A digest of the latest record sent to the peer for each person.
    private var told: [PersonID: Bytes16] = [:]
    /// This side's own record as the peer knows it; nil if it changed after HELLO. If HELLO carried
    /// only a part, the rest is sent before the first log.
    private var ownRecord: PersonRecord?
    private var sent: [LogInSpace: Sent] = [:]

    private struct LogInSpace: Hashable {
        let space: SpaceID
        let log: LogName
    }

    /// The range of a log that was sent last: after the first number, up to the second.
    private struct Sent {
        let after: UInt64
        var through: UInt64
    }

    init(_ active: ActiveLink, node: Node) async {
        (link, peer, outbox) = (active.link, active.hello, active.outbox)
        self.node = node
        guard let record = await node.replica.personRecord(node.me) else { return }
        let claim = ClaimedPersonRecord(record)
        if active.toldRecord ?? claim == claim { ownRecord = record }
    }

    /// The maximum size of a PUSH: the rest of its frame is for the channel, the type and the run's
    /// header.
    private var pushBytesMax: Int { frameBytesMax - 1024 }

    private var frameBytesMax: Int {
        Int(min(peer.frameBytesMax, UInt64(Limits.frameBytesMax)))
    }

    /// Sends the batches of a log that follow the peer's last one.
    mutating func send(
        _ log: LogName, of space: SpaceID, after: UInt64, prefix: UInt64, channel: UInt64
    ) async throws {
        let key = LogInSpace(space: space, log: log)
        var isRepeat = sent[key].map { after <= $0.after } ?? false
        var (reached, expected) = start(of: key, after: after, prefix: prefix)
        var through = reached
        // If the queue was discarded during the read, this peer must not receive the batches.
        while let run = try await run(of: log, in: space, after: reached, prefix: expected),
            outbox.mayReadLogs
        {
            try await introduce(authorOf: log, in: space, isRepeat: isRepeat)
            (reached, expected, isRepeat) = (run.lastNumber, nil, false)
            guard try await send(Push(channel: channel, run: run)) else { break }
            through = reached
        }
        sent[key] = Sent(after: after, through: through)
    }

    /// Returns the number to start after. If several pushes were queued while the log grew, the
    /// first already sent everything. A push from an earlier number is a repeat and sends again.
    private func start(
        of log: LogInSpace, after: UInt64, prefix: UInt64
    ) -> (after: UInt64, prefix: UInt64?) {
        if let sent = sent[log], after > sent.after, after < sent.through {
            return (sent.through, nil)
        }
        return (after, prefix)
    }

    /// Reads a run of batches. An unreadable batch is damaged on this disk: the link continues
    /// without it, and it is requested from other peers.
    private func run(
        of log: LogName, in space: SpaceID, after number: UInt64, prefix: UInt64?
    ) async throws -> Run? {
        do {
            return try await node.replica.runs(
                in: space, log: log, after: number, prefix: prefix, bytesMax: pushBytesMax)
        } catch ReplicaFault.corrupted {
            await node.checkUnreadable(space)
            return nil
        }
    }

    /// - Returns: false if the peer does not accept a frame of that length, or the queue was
    ///   discarded.
    private func send(_ push: Push) async throws -> Bool {
        let message = Message.push(push)
        let payload = message.payload(sender: link.ownDevice)
        guard payload.count < frameBytesMax else {
            node.logger.warning(
                "a peer takes no frame that is long enough for a run",
                metadata: ["device": "\(link.remoteDevice.suffix)", "bytes": "\(payload.count)"])
            return false
        }
        // It may have been discarded while the author's record was sent.
        guard outbox.mayReadLogs else { return false }
        let frame = Frame(type: message.type, payload: payload)
        try await link.send(frame)
        outbox.sentBytes.add(frame.wireBytes)
        return true
    }

    /// Sends the records that decide who wrote a log, once per person and again when one has
    /// grown. The peer's own record is not sent, and this side's only if it has grown since the
    /// link began.
    ///
    /// All of them are sent again before a repeat, this side's own too: a peer with too little room
    /// for the people of a group may have left them out, or forgotten them.
    private mutating func introduce(
        authorOf log: LogName, in space: SpaceID, isRepeat: Bool
    ) async throws {
        guard log.device != link.remoteDevice else { return }
        if log.device == link.ownDevice, !isRepeat {
            let record = await node.replica.personRecord(node.me)
            guard record != ownRecord else { return }
            ownRecord = record
        }
        for record in await node.replica.authorRecords(of: log, in: space) {
            let digest = Bytes16(prefixOf: Digest.person.hash(record.encoded))
            guard isRepeat || told[record.person] != digest else { continue }
            told[record.person] = digest
            outbox.sentBytes.add(try await node.send(.identity([.init(record)]), over: link))
        }
    }
}
