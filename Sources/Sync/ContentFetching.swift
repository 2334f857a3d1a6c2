public import Records

/// Fetches the content of blobs from linked devices, one blob after another, as a value: what
/// arrives goes in, the effects to perform come out. It contains no clock, socket or disk.
///
/// A few pieces are under way at a time, and the next one is asked for when one arrives. So a
/// message never waits behind more than those, and a side that reads slowly is asked slowly.
///
/// ```swift
/// fetching.want(photo)
/// if let choice = fetching.choose(now: now, sources: sources) {
///     perform(fetching.begin(choice, arrivedBytes: 0, now: now))  // asks for the first pieces
/// }
/// perform(try fetching.receive(piece, from: device, now: now))  // stores it, asks for the next
/// ```
public struct ContentFetching: Sendable {
    /// A blob that is wanted for a space.
    public struct Wanted: Hashable, Sendable {
        /// The space whose members are asked.
        public let space: SpaceID
        /// The blob.
        public let blob: Blob

        /// Joins the two.
        public init(space: SpaceID, blob: Blob) {
            self.space = space
            self.blob = blob
        }
    }

    /// A blob, and the device that is asked for it.
    public struct Choice: Hashable, Sendable {
        /// The blob.
        public let wanted: Wanted
        /// The linked device.
        public let source: DeviceID
    }

    /// An action that is requested. Effects are performed in order.
    public enum Effect: Hashable, Sendable {
        /// Sends a request to a device, and then calls ``ContentFetching/asked(_:of:)``.
        case ask(DeviceID, Wanted, offset: Int)
        /// Adds a piece to what has arrived.
        case store(Wanted, [UInt8], offset: Int)
        /// All bytes have arrived: compares them with the hash, and then calls
        /// ``ContentFetching/end(_:isWrong:)``.
        case finish(Wanted)
    }

    /// The number of blobs that may be wanted; beyond that, the oldest wish is forgotten.
    public static let wantedMax = 1024
    /// The number of pieces that one device is asked for at a time.
    public static let windowCount = 4
    /// The time without a piece after which another device is asked.
    public static let stallMax: Duration = .seconds(20)
    /// The time after which a device that lacked the content is asked again.
    public static let lackingPause: Duration = .seconds(60)

    /// The bytes per second that this side asks for, of all devices together (32 MiB).
    public static let bytesPerSecond = 32 * 1024 * 1024
    /// The time whose bytes may be asked for at once. A blob is begun whole or not at all, so the
    /// last one may go beyond it.
    public static let burst: Duration = .seconds(2)

    /// The fetch that is under way.
    private struct Current {
        let choice: Choice
        /// The bytes that had arrived when it began.
        var startBytes = 0
        var arrivedBytes = 0
        /// The first byte that was not asked for.
        var askedBytes = 0
        var isFinishing = false
        var lastProgress: Duration
    }

    private var current: Current?
    private var waiting: [Wanted] = []
    private var known: Set<Wanted> = []
    /// When a device may be asked again for a blob that it did not have.
    private var refusals: [Wanted: [DeviceID: Duration]] = [:]
    private var postponed: [Wanted: Duration] = [:]
    /// The requests that each device has not answered; answers come in order.
    private var unanswered: [DeviceID: [ContentRequest]] = [:]
    /// The number of these, from the first on, that belong to a fetch that was given up.
    private var staleCounts: [DeviceID: Int] = [:]
    /// The time until which what was asked for is paid for.
    private var paid = Duration.zero - ContentFetching.burst

    /// Creates a value that wants nothing.
    public init() {}

    /// The number of blobs that are wanted.
    public var wantedCount: Int { waiting.count }

    /// Whether a blob is wanted, or being fetched.
    public func isWanted(_ wanted: Wanted) -> Bool { known.contains(wanted) }

    /// Adds a blob to those that are wanted.
    public mutating func want(_ wanted: Wanted) {
        guard known.insert(wanted).inserted else { return }
        waiting.append(wanted)
        guard waiting.count > ContentFetching.wantedMax,
            let oldest = waiting.first(where: { $0 != current?.choice.wanted })
        else { return }
        remove(oldest)
    }

    /// Forgets a blob.
    public mutating func remove(_ wanted: Wanted) {
        guard known.remove(wanted) != nil else { return }
        waiting.removeAll { $0 == wanted }
        refusals[wanted] = nil
        postponed[wanted] = nil
        if current?.choice.wanted == wanted { giveUp() }
    }

    /// Chooses the next blob, if none is being fetched, a device can be asked and
    /// ``bytesPerSecond`` permit it. Then find out how
    /// much of it has arrived, and call ``begin(_:arrivedBytes:now:)``, ``postpone(_:until:)`` or
    /// ``remove(_:)``.
    /// - Parameter sources: returns the linked devices that share a space.
    public mutating func choose(
        now: Duration, sources: (SpaceID) -> [DeviceID]
    ) -> Choice? {
        guard current == nil, paid <= now else { return nil }
        var devices: [SpaceID: [DeviceID]] = [:]
        for wanted in waiting where postponed[wanted].map({ $0 <= now }) ?? true {
            let linked = devices[wanted.space] ?? sources(wanted.space)
            devices[wanted.space] = linked
            let refused = refusals[wanted] ?? [:]
            guard
                let source = linked.first(where: { device in
                    refused[device].map { $0 <= now } ?? true
                        && unanswered[device]?.count ?? 0 <= ContentFetching.windowCount
                })
            else { continue }
            let choice = Choice(wanted: wanted, source: source)
            current = Current(choice: choice, lastProgress: now)
            return choice
        }
        return nil
    }

    /// Begins to fetch the chosen blob.
    public mutating func begin(
        _ choice: Choice, arrivedBytes: Int, now: Duration
    ) -> [Effect] {
        guard current?.choice == choice else { return [] }
        current?.startBytes = arrivedBytes
        current?.arrivedBytes = arrivedBytes
        current?.askedBytes = arrivedBytes
        current?.lastProgress = now
        let rest = max(0, choice.wanted.blob.bytesCount - arrivedBytes)
        let cost = Duration.seconds(1) * rest / ContentFetching.bytesPerSecond
        paid = max(paid, now - ContentFetching.burst) + cost
        return advance()
    }

    /// Leaves a blob alone for a while.
    public mutating func postpone(_ wanted: Wanted, until time: Duration) {
        guard known.contains(wanted) else { return }
        postponed[wanted] = time
        moveToEnd(wanted)
        if current?.choice.wanted == wanted { giveUp() }
    }

    /// Records that a request was sent.
    public mutating func asked(_ request: ContentRequest, of device: DeviceID) {
        unanswered[device, default: []].append(request)
    }

    /// Processes a piece.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` if it does not answer the oldest request.
    public mutating func receive(
        _ piece: ContentPiece, from device: DeviceID, now: Duration
    ) throws(SyncFault) -> [Effect] {
        guard try answers(piece.request, device), var fetch = current,
            fetch.choice.source == device
        else { return [] }
        let wanted = fetch.choice.wanted
        let rest = wanted.blob.bytesCount - fetch.arrivedBytes
        guard piece.request.offset == fetch.arrivedBytes,
            piece.bytes.count == min(rest, Limits.blobPieceBytes)
        else {
            // The content has another size than the record says.
            refuse(until: nil)
            return []
        }
        fetch.arrivedBytes += piece.bytes.count
        fetch.lastProgress = now
        current = fetch
        return [.store(wanted, piece.bytes, offset: piece.request.offset)] + advance()
    }

    /// Processes the answer that a device has no such piece.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` if it does not answer the oldest request.
    public mutating func receive(
        lacking request: ContentRequest, from device: DeviceID, now: Duration
    ) throws(SyncFault) {
        guard try answers(request, device), current?.choice.source == device else { return }
        refuse(until: now + ContentFetching.lackingPause)
    }

    /// Processes the end of a link.
    public mutating func linkEnded(_ device: DeviceID) {
        unanswered[device] = nil
        staleCounts[device] = nil
        for wanted in refusals.keys { refusals[wanted]?[device] = nil }
        // The bytes that arrived stay; another link continues after them.
        if let fetch = current, fetch.choice.source == device, !fetch.isFinishing { current = nil }
    }

    /// Gives up a device that sends nothing for too long.
    public mutating func checkProgress(now: Duration) {
        guard let fetch = current, !fetch.isFinishing,
            now - fetch.lastProgress >= ContentFetching.stallMax
        else { return }
        refuse(until: now + ContentFetching.lackingPause)
    }

    /// Ends a fetch of which all bytes arrived.
    /// - Parameter isWrong: whether they had another hash.
    public mutating func end(_ wanted: Wanted, isWrong: Bool) {
        guard let fetch = current, fetch.choice.wanted == wanted else { return }
        guard isWrong else { return remove(wanted) }
        // If several devices sent parts of it, the next try gets all of it from one.
        guard fetch.startBytes > 0 else { return refuse(until: nil) }
        current = nil
        moveToEnd(wanted)
    }

    // MARK: - Internal

    private mutating func advance() -> [Effect] {
        guard var fetch = current else { return [] }
        let wanted = fetch.choice.wanted
        guard fetch.arrivedBytes < wanted.blob.bytesCount else {
            current?.isFinishing = true
            return [.finish(wanted)]
        }
        var effects: [Effect] = []
        let windowBytes = ContentFetching.windowCount * Limits.blobPieceBytes
        let end = min(wanted.blob.bytesCount, fetch.arrivedBytes + windowBytes)
        while fetch.askedBytes < end {
            effects.append(.ask(fetch.choice.source, wanted, offset: fetch.askedBytes))
            fetch.askedBytes += Limits.blobPieceBytes
        }
        current = fetch
        return effects
    }

    /// Removes the request that a message answers.
    /// - Returns: whether it belongs to the fetch that is under way.
    private mutating func answers(
        _ request: ContentRequest, _ device: DeviceID
    ) throws(SyncFault) -> Bool {
        guard unanswered[device]?.first == request else {
            throw .unexpectedMessage("content that was not asked for")
        }
        unanswered[device]?.removeFirst()
        guard let stale = staleCounts[device], stale > 0 else { return true }
        staleCounts[device] = stale - 1
        return false
    }

    /// Does not ask the present source for this blob again before a time; not before its next link
    /// if there is none.
    private mutating func refuse(until time: Duration?) {
        guard let choice = current?.choice else { return }
        refusals[choice.wanted, default: [:]][choice.source] = time ?? .seconds(Int64.max)
        moveToEnd(choice.wanted)
        giveUp()
    }

    private mutating func giveUp() {
        guard let source = current?.choice.source else { return }
        staleCounts[source] = unanswered[source]?.count ?? 0
        current = nil
    }

    private mutating func moveToEnd(_ wanted: Wanted) {
        guard let index = waiting.firstIndex(of: wanted) else { return }
        waiting.append(waiting.remove(at: index))
    }
}
