public import Records

/// Fetches the content of blobs from linked devices, as a value: what arrives goes in, the effects
/// to perform come out. It contains no clock, socket or disk.
///
/// Each device sends one blob at a time, and the ``Pace`` limits how many blobs come from all
/// devices at a time. A few pieces of each blob are under way, and the next one is asked for when
/// one arrives. So a message never waits behind more than these, and a side that reads slowly also
/// asks slowly.
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
    /// The time without a piece after which another device is asked, for content that members
    /// share.
    public static let stallMax: Duration = .seconds(20)
    /// The time after which a device that lacked the content is asked again.
    public static let lackingPause: Duration = .seconds(60)

    /// The bytes per second of content that members share for which this side asks, of all devices
    /// together (32 MiB).
    public static let bytesPerSecond = 32 * 1024 * 1024
    /// The time whose bytes may be asked for at once. A blob that is begun is fetched whole, so
    /// those under way may go beyond it, and the next one begins later.
    public static let burst: Duration = .seconds(2)

    let pace: Pace
    /// The fetches that are under way, by the devices that are asked.
    var underWay: [DeviceID: Current] = [:]
    /// The wanted blobs, in the order in which they are fetched within one priority.
    var waiting: [Wanted] = []
    private var known: Set<Wanted> = []
    /// When a device may be asked again for a blob that it did not have.
    var refusals: [Wanted: [DeviceID: Duration]] = [:]
    var postponed: [Wanted: Duration] = [:]
    /// The requests that each device has not answered; answers come in order.
    var unanswered: [DeviceID: [ContentRequest]] = [:]
    /// The number of these, from the first on, that belong to a fetch that was given up.
    private var staleCounts: [DeviceID: Int] = [:]
    /// The time until which what was asked for is paid for.
    var paid = Duration.zero - ContentFetching.burst
    /// The same for what was asked for this person and for known people.
    var reservedPaid = Duration.zero - ContentFetching.burst

    /// Creates a value that wants nothing.
    public init(_ pace: Pace = .members) { self.pace = pace }

    /// The number of blobs that are wanted.
    public var wantedCount: Int { waiting.count }

    /// Whether a blob is wanted, or being fetched.
    public func isWanted(_ wanted: Wanted) -> Bool { known.contains(wanted) }

    /// Whether a blob of a hash is wanted, or being fetched, with any length.
    public func isWanted(_ hash: BlobHash, in space: SpaceID) -> Bool {
        known.contains { $0.space == space && $0.blob.hash == hash }
    }

    /// The blobs that are wanted for a space.
    public func wishes(in space: SpaceID) -> [Wanted] { waiting.filter { $0.space == space } }

    /// Adds a blob to those that are wanted.
    /// - Parameter priority: if there are too many, a blob of the lowest priority is forgotten.
    /// - Returns: the blob that was forgotten, if there were too many.
    @discardableResult
    public mutating func want(
        _ wanted: Wanted, priority: (Wanted) -> Priority = { _ in .own }
    ) -> Wanted? {
        guard known.insert(wanted).inserted else { return nil }
        waiting.append(wanted)
        guard waiting.count > ContentFetching.wantedMax else { return nil }
        let idle = waiting.filter { source(of: $0) == nil }
        // The oldest one of these.
        guard let oldest = idle.min(by: { priority($0) < priority($1) }) else { return nil }
        remove(oldest)
        return oldest
    }

    /// Forgets a blob.
    public mutating func remove(_ wanted: Wanted) {
        guard known.remove(wanted) != nil else { return }
        waiting.removeAll { $0 == wanted }
        refusals[wanted] = nil
        postponed[wanted] = nil
        giveUp(wanted)
    }

    /// Begins to fetch the chosen blob.
    public mutating func begin(
        _ choice: Choice, arrivedBytes: Int, now: Duration
    ) -> [Effect] {
        guard var fetch = underWay[choice.source], fetch.choice == choice else { return [] }
        fetch.startBytes = arrivedBytes
        fetch.arrivedBytes = arrivedBytes
        fetch.askedBytes = arrivedBytes
        (fetch.began, fetch.lastProgress) = (now, now)
        underWay[choice.source] = fetch
        return advance(choice.source, now: now)
    }

    /// Leaves a blob alone for a while.
    public mutating func postpone(_ wanted: Wanted, until time: Duration) {
        guard known.contains(wanted) else { return }
        postponed[wanted] = time
        moveToEnd(wanted)
        giveUp(wanted)
    }

    /// Whether a message answers the oldest request to a device.
    public func awaits(_ request: ContentRequest, from device: DeviceID) -> Bool {
        unanswered[device]?.first == request
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
        guard try answers(piece.request, device), var fetch = underWay[device] else { return [] }
        let wanted = fetch.choice.wanted
        let rest = wanted.blob.bytesCount - fetch.arrivedBytes
        guard piece.request.offset == fetch.arrivedBytes,
            piece.bytes.count == min(rest, Limits.blobPieceBytes)
        else {
            // The content has another size than the record says.
            refuse(device, until: nil)
            return []
        }
        fetch.arrivedBytes += piece.bytes.count
        fetch.lastProgress = now
        underWay[device] = fetch
        return [.store(wanted, piece.bytes, offset: piece.request.offset)]
            + advance(device, now: now)
    }

    /// Processes the answer that a device has no such piece.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` if it does not answer the oldest request.
    public mutating func receive(
        lacking request: ContentRequest, from device: DeviceID, now: Duration
    ) throws(SyncFault) {
        guard try answers(request, device) else { return }
        refuse(device, until: now + ContentFetching.lackingPause)
    }

    /// Whether a device counts as silent because its link ends now: it was asked for a blob, and
    /// has sent nothing of it or too little. Call it before ``linkEnded(_:)``.
    public func isSilent(_ device: DeviceID, atEnd end: LinkEnd, now: Duration) -> Bool {
        underWay[device]?.isSilent(atEnd: end, pace, now: now) ?? false
    }

    /// Processes the end of a link.
    public mutating func linkEnded(_ device: DeviceID) {
        unanswered[device] = nil
        staleCounts[device] = nil
        for wanted in refusals.keys { refusals[wanted]?[device] = nil }
        // The bytes that arrived stay; another link continues after them.
        if underWay[device]?.isFinishing == false { underWay[device] = nil }
    }

    /// Gives up devices that send nothing, or too little, for too long.
    /// - Returns: these devices.
    @discardableResult
    public mutating func checkProgress(now: Duration) -> [DeviceID] {
        let silent = underWay.filter { $0.value.isGivenUp(pace, now: now) }.keys.sorted()
        for device in silent { refuse(device, until: now + ContentFetching.lackingPause) }
        return silent
    }

    /// Ends a fetch of which all bytes arrived.
    /// - Parameter isWrong: whether they had another hash.
    /// - Returns: the device that sent all of the wrong bytes; nil if none did alone.
    @discardableResult
    public mutating func end(_ wanted: Wanted, isWrong: Bool) -> DeviceID? {
        guard let source = source(of: wanted), let fetch = underWay[source] else { return nil }
        guard isWrong else {
            remove(wanted)
            return nil
        }
        // If several devices sent parts of it, the next try gets all of it from one.
        guard fetch.startBytes > 0 else {
            refuse(source, until: nil)
            return source
        }
        underWay[source] = nil
        moveToEnd(wanted)
        return nil
    }

    // MARK: - Internal

    /// Returns the device from which a blob is being fetched.
    private func source(of wanted: Wanted) -> DeviceID? {
        underWay.first { $0.value.choice.wanted == wanted }?.key
    }

    private mutating func advance(_ device: DeviceID, now: Duration) -> [Effect] {
        guard var fetch = underWay[device] else { return [] }
        let wanted = fetch.choice.wanted
        guard fetch.arrivedBytes < wanted.blob.bytesCount else {
            underWay[device]?.isFinishing = true
            return [.finish(wanted)]
        }
        var effects: [Effect] = []
        let windowBytes = ContentFetching.windowCount * Limits.blobPieceBytes
        let end = min(wanted.blob.bytesCount, fetch.arrivedBytes + windowBytes)
        while fetch.askedBytes < end {
            effects.append(.ask(fetch.choice.source, wanted, offset: fetch.askedBytes))
            let bytes = min(wanted.blob.bytesCount - fetch.askedBytes, Limits.blobPieceBytes)
            fetch.askedBytes += Limits.blobPieceBytes
            // Each piece is paid for when it is asked for: a source that sends nothing of a large
            // blob uses up the bytes of four pieces only.
            let cost = Duration.seconds(1) * bytes / pace.bytesPerSecond
            paid = max(paid, now - ContentFetching.burst) + cost
            if fetch.isReserved {
                reservedPaid = max(reservedPaid, now - ContentFetching.burst) + cost
            }
        }
        underWay[device] = fetch
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

    /// Does not ask a device for the blob that it is asked for now before a time; not before its
    /// next link if there is none.
    private mutating func refuse(_ device: DeviceID, until time: Duration?) {
        guard let wanted = underWay[device]?.choice.wanted else { return }
        refusals[wanted, default: [:]][device] = time ?? .seconds(Int64.max)
        moveToEnd(wanted)
        giveUp(wanted)
    }

    mutating func giveUp(_ wanted: Wanted) {
        guard let source = source(of: wanted) else { return }
        staleCounts[source] = unanswered[source]?.count ?? 0
        underWay[source] = nil
    }

    private mutating func moveToEnd(_ wanted: Wanted) {
        guard let index = waiting.firstIndex(of: wanted) else { return }
        waiting.append(waiting.remove(at: index))
    }
}
