internal import PluginKit
internal import Records
internal import Replica
internal import Sync

/// The joined neighbourhoods of a node, as a value: the exchange of each one, the links that take
/// part in it, and when time matters to them.
struct OpenSpaces: Sendable {
    /// The pause between two removals of what has expired.
    static let pruningPause: Duration = .seconds(3600)

    /// The joined spaces; nil until they were opened after the start.
    private(set) var joined: Set<SpaceDescriptor>?
    private var exchanges: [SpaceID: OpenExchange] = [:]
    /// The revision of the replica's offer that each exchange was told last.
    private var revisions: [SpaceID: UInt64] = [:]
    private var parts: [DeviceID: Part] = [:]
    /// The people whose records are retained or refused, as the replica was told last.
    private(set) var authors: Authors?
    /// The people among whose links the room for unknown authors is shared, as the replica was told
    /// last.
    var sharers: Set<PersonID> = []
    private var nextPruning: Duration = .zero
    /// The time for which a task waits to advance the exchanges; nil while none waits.
    private var plannedWake: Duration?

    /// The people whose records are stored whatever strangers bring, and those whose are not.
    struct Authors: Hashable, Sendable {
        /// Mates and people met.
        let retained: Set<PersonID>
        let blocked: Set<PersonID>
    }

    /// The part of one device's link in the exchanges.
    private struct Part {
        let linkID: UInt64
        /// The spaces that were named to the peer.
        var spaces: Set<SpaceID> = []
        /// The number of the last batch of this device's own log that was passed to the peer, by
        /// space.
        var passedEnds: [SpaceID: UInt64] = [:]
    }

    /// Whether no neighbourhood is joined.
    var isEmpty: Bool { exchanges.isEmpty }
    /// The joined spaces, in order.
    var ids: [SpaceID] { exchanges.keys.sorted() }
    /// The digest of what is offered of each joined space.
    var digests: [SpaceID: Bytes16] { exchanges.mapValues(\.digest) }

    /// Whether a space is a joined neighbourhood.
    func contains(_ space: SpaceID) -> Bool { exchanges[space] != nil }

    // MARK: - Spaces

    /// Follows the spaces that are open now. The exchange of each new one begins without links, and
    /// that of a space that was left ends.
    /// - Parameter offers: the replica's whole offer of each joined space.
    /// - Returns: whether a space was joined or left since the last call.
    mutating func follow(
        _ joined: Set<SpaceDescriptor>, _ offers: [SpaceID: OpenOffer]
    ) -> Bool {
        let ids = Set(joined.map(\.id))
        for space in exchanges.keys where !ids.contains(space) {
            exchanges[space] = nil
            revisions[space] = nil
            for device in parts.keys {
                parts[device]?.spaces.remove(space)
                parts[device]?.passedEnds[space] = nil
            }
        }
        for (space, offer) in offers where exchanges[space] == nil {
            exchanges[space] = OpenExchange(space: space, digest: offer.digest, logs: offer.logs)
            revisions[space] = offer.revision
        }
        let isChange = self.joined.map { $0 != joined } ?? !joined.isEmpty
        self.joined = joined
        return isChange
    }

    /// Records that the replica was told whose records are retained and refused. What a person who
    /// was just blocked wrote is removed soon.
    mutating func recordAuthors(_ authors: Authors) {
        if !authors.blocked.isSubset(of: self.authors?.blocked ?? []) { nextPruning = .zero }
        self.authors = authors
    }

    /// Returns the revision of a space's offer that its exchange knows.
    func revision(of space: SpaceID) -> UInt64? { revisions[space] }

    /// Changes an exchange; nil if the space is not joined any more.
    mutating func exchange<Result>(
        of space: SpaceID, _ body: (inout OpenExchange) throws -> Result
    ) rethrows -> Result? {
        guard var exchange = exchanges.removeValue(forKey: space) else { return nil }
        defer { exchanges[space] = exchange }
        return try body(&exchange)
    }

    /// Tells an exchange what changed in the replica's offer.
    mutating func update(
        _ space: SpaceID, to offer: OpenOffer, now: Duration
    ) -> [OpenExchange.Effect] {
        revisions[space] = offer.revision
        return exchange(of: space) { exchange in
            var gone = offer.gone
            if offer.isWhole {
                let here = Set(offer.logs.map(\.log))
                gone = exchange.logs.filter { !here.contains($0) }
            }
            return exchange.change(offer.logs, gone: gone, digest: offer.digest, now: now)
        } ?? []
    }

    // MARK: - Links

    /// Records that a space was named to the peer of a link, which takes part in it from now on.
    /// - Parameter channel: this side's number of the space on the link.
    mutating func begin(_ device: DeviceID, linkID: UInt64, in space: SpaceID, channel: UInt64) {
        var part = parts[device] ?? Part(linkID: linkID)
        if part.spaces.insert(space).inserted {
            exchanges[space]?.linkBegan(device, channel: channel)
        }
        parts[device] = part
    }

    /// Whether a link takes part.
    func knows(_ device: DeviceID, linkID: UInt64) -> Bool { parts[device]?.linkID == linkID }

    /// Ends the part of a device's link in all spaces.
    /// - Returns: the effects in each space.
    mutating func end(
        _ device: DeviceID, now: Duration
    ) -> [(space: SpaceID, effects: [OpenExchange.Effect])] {
        guard let part = parts.removeValue(forKey: device) else { return [] }
        return part.spaces.sorted().map { space in
            (space, exchanges[space]?.linkEnded(device, now: now) ?? [])
        }
    }

    /// Records that a linked device was passed this device's own log up to a number.
    mutating func recordPassing(of space: SpaceID, upTo number: UInt64, to device: DeviceID) {
        let last = parts[device]?.passedEnds[space] ?? 0
        parts[device]?.passedEnds[space] = max(last, number)
    }

    /// Whether all linked devices that joined these spaces were passed this device's own logs up to
    /// these numbers.
    func hasPassed(upTo ends: [SpaceID: UInt64]) -> Bool {
        parts.allSatisfy { device, part in
            ends.allSatisfy { space, end in
                let isShared = exchanges[space]?.isShared(with: device) ?? false
                return !isShared || part.passedEnds[space] ?? 0 >= end
            }
        }
    }

    /// Whether a linked peer may have more of a device's logs than is here.
    func isBehind(_ peer: DeviceID, on author: DeviceID) -> Bool {
        exchanges.values.contains { $0.isBehind(peer, on: author) }
    }

    /// Whether a peer was asked for a piece of a neighbourhood and has not answered.
    func awaitsPiece(of space: SpaceID, from peer: DeviceID) -> Bool {
        exchanges[space]?.awaitsPiece(from: peer) ?? false
    }

    // MARK: - Time

    /// Decides when the exchanges are to be advanced next.
    /// - Returns: the time since the node's start; nil if only messages and changes matter.
    mutating func planWake(now: Duration) -> Duration? {
        plannedWake = nextWake(after: now) ?? .seconds(Int64.max)
        return nextWake(after: now)
    }

    /// Whether the exchanges must be advanced sooner than planned.
    func isWakeDueSooner(now: Duration) -> Bool {
        guard let plannedWake, let next = nextWake(after: now) else { return false }
        return next < plannedWake
    }

    /// Records that the exchanges are being advanced: the next time is decided afterwards.
    mutating func endWait() { plannedWake = nil }

    private func nextWake(after now: Duration) -> Duration? {
        exchanges.values.compactMap { $0.nextWake(after: now) }.min()
    }

    /// Whether what has expired is to be removed now; then the next time is later.
    mutating func beginPruning(ifDueAt now: Duration) -> Bool {
        guard !isEmpty, now >= nextPruning else { return false }
        nextPruning = now + OpenSpaces.pruningPause
        return true
    }
}
