public import Records

/// Looks for content of open spaces over all links of a node, as a value: messages, what is wanted
/// and time go in, the effects to perform come out. It contains no clock, socket, disk or
/// randomness.
///
/// A side asks its links. A peer that has the content says so, and it is fetched from there. A peer
/// that lacks it, but keeps a record that names it, asks its own links once, and says so when it
/// has arrived. Nobody says that something is missing: a hash that no record names is like an
/// unknown one.
///
/// For example, Ann, Ben, Cho and Dan are linked in a row, and Dan wrote a post with a photo. Ann
/// opens it, and asks Ben with 7 further hops. He asks Cho with 6, and Cho asks Dan with 5. Dan has
/// it and says so. Cho fetches it from Dan, then Ben from Cho, then Ann from Ben.
///
/// ```swift
/// perform(seeking.seek([photo], now: now))  // for example [.ask(ben, space, hops: 7, [photo])]
/// perform(seeking.receive(found, in: space, from: ben, now: now))  // [.fetch(photo)]
/// let sources = seeking.finders(of: photo, now: now)  // [ben]
/// perform(seeking.arrived(photo, now: now))  // tells those who asked
/// ```
public struct ContentSeeking: Sendable {
    /// An action that is requested. Effects are performed in order.
    public enum Effect: Hashable, Sendable {
        /// Sends SEEK to a device.
        case ask(DeviceID, SpaceID, hops: Int, [SoughtBlob])
        /// Sends FOUND to a device.
        case tell(DeviceID, SpaceID, [BlobHash])
        /// Looks these blobs up in the replica, and calls
        /// ``ContentSeeking/answer(_:hops:in:to:now:)``.
        case lookUp(DeviceID, SpaceID, hops: Int, [SoughtBlob])
        /// A device has this blob: fetches it from ``ContentSeeking/finders(of:now:)``.
        case fetch(ContentFetching.Wanted)
        /// Content that is fetched with its record was not found in time: does not look for it
        /// again by itself.
        case settle(ContentFetching.Wanted)
        /// The blob is not looked for any more: forgets it, and what has arrived of it.
        case giveUp(ContentFetching.Wanted)
    }

    /// A blob that is looked for.
    struct Sought: Sendable {
        let wanted: ContentFetching.Wanted
        /// The reason for looking for it.
        var reason: Reason
        /// The number of further links over which the question goes on.
        var hops: Int
        /// The devices that asked for it.
        var askers: Set<DeviceID> = []
        /// The devices that were asked.
        var asked: Set<DeviceID> = []
        /// The devices that said they have it.
        var finders: Set<DeviceID> = []
        /// When it is given up; nil until a link was asked.
        var deadline: Duration?
        /// When the links are asked again.
        var nextRepeat: Duration?
        var pause = SeekingLimits.repeatPauseMin
    }

    /// The reasons for looking for content.
    enum Reason: Hashable, Sendable {
        /// Somebody here wants to see it.
        case wanted
        /// It is fetched with its record.
        case withRecord
        /// A device asked for it.
        case passedOn(for: DeviceID)
    }

    /// Content of one hash and length in one space. A record may name a wrong length, so each
    /// length is looked for by itself.
    struct Key: Hashable, Comparable, Sendable {
        let space: SpaceID
        let hash: BlobHash
        let bytesCount: Int

        static func < (one: Key, other: Key) -> Bool {
            (one.space, one.hash, one.bytesCount) < (other.space, other.hash, other.bytesCount)
        }
    }

    /// A hash that records of one space name.
    struct Name: Hashable, Sendable {
        let space: SpaceID
        let hash: BlobHash
    }

    /// Changed by ``begin(_:)`` and ``end(_:)``, which keep ``lengths`` too.
    var sought: [Key: Sought] = [:]
    /// The lengths of each hash that are looked for.
    private var lengths: [Name: Set<Int>] = [:]
    /// The number of times that content has arrived.
    public private(set) var arrivalsCount = 0
    var links: [DeviceID: SeekingLink] = [:]
    /// The questions of peers that were passed on, and when.
    var passedOn: [Key: Duration] = [:]
    /// The devices that asked for content that this side keeps a record of and did not look for,
    /// and when: it may begin to, or get it in another way.
    var waiting: [Key: (askers: Set<DeviceID>, since: Duration)] = [:]
    private var parted: [DeviceID: SeekingLink.Allowances] = [:]
    private var partedOrder: [DeviceID] = []

    /// Creates a value that looks for nothing.
    public init() {}

    /// The number of blobs that are looked for.
    public var soughtCount: Int { sought.count }

    /// Whether a blob is looked for.
    public func isSought(_ wanted: ContentFetching.Wanted) -> Bool {
        sought[Key(wanted)]?.wanted == wanted
    }

    /// Whether somebody here wants to see a blob that is looked for.
    public func isOpened(_ wanted: ContentFetching.Wanted) -> Bool {
        sought[Key(wanted)].map { $0.wanted == wanted && $0.reason == .wanted } ?? false
    }

    /// The number of blobs for which it is remembered who asked while they were not looked for.
    public var askersCount: Int { waiting.count }

    /// Whether what is remembered is within ``SeekingLimits``.
    public var isBounded: Bool {
        let own = sought.values.count { $0.reason.asker == nil }
        return own <= SeekingLimits.ownMax && sought.count - own <= SeekingLimits.passedOnMax
            && passedOn.count <= SeekingLimits.passedOnRememberedMax
            && waiting.count <= SeekingLimits.askersMax
            && parted.count <= SeekingLimits.partedDevicesMax
            && links.values.allSatisfy {
                $0.queuedCount <= SeekingLimits.ownMax + SeekingLimits.passedOnMax
            }
    }

    // MARK: - Links

    /// Records that a linked device has an open space too.
    public mutating func linkBegan(
        _ device: DeviceID, in space: SpaceID, now: Duration
    ) -> [Effect] {
        if links[device] == nil {
            links[device] = SeekingLink(
                allowances: parted[device] ?? SeekingLink.Allowances())
        }
        guard links[device]?.spaces.insert(space).inserted ?? false else { return [] }
        for key in sought.keys.sorted() where key.space == space { enqueue(key, on: device) }
        return pump(device, now: now)
    }

    /// Records that a linked device does not have an open space any more.
    public mutating func linkEnded(_ device: DeviceID, in space: SpaceID) {
        links[device]?.spaces.remove(space)
        for key in sought.keys where key.space == space { forget(device, of: key) }
    }

    /// Records the end of a link.
    public mutating func linkEnded(_ device: DeviceID) {
        guard let link = links.removeValue(forKey: device) else { return }
        if parted.updateValue(link.allowances, forKey: device) == nil {
            partedOrder.append(device)
        }
        if partedOrder.count > SeekingLimits.partedDevicesMax {
            parted[partedOrder.removeFirst()] = nil
        }
        for key in sought.keys { forget(device, of: key) }
        for key in waiting.keys { waiting[key]?.askers.remove(device) }
    }

    private mutating func forget(_ device: DeviceID, of key: Key) {
        sought[key]?.asked.remove(device)
        sought[key]?.finders.remove(device)
        sought[key]?.askers.remove(device)
    }

    /// Records that this side has left an open space.
    public mutating func left(_ space: SpaceID) -> [Effect] {
        for device in links.keys { links[device]?.spaces.remove(space) }
        waiting = waiting.filter { $0.key.space != space }
        return sought.keys.filter { $0.space == space }.sorted().compactMap { giveUp($0) }
    }

    // MARK: - What this side wants

    /// Looks for content that the user opened.
    public mutating func seek(_ wanted: [ContentFetching.Wanted], now: Duration) -> [Effect] {
        let hops = Limits.contentHopsMax - 1
        return wanted.flatMap { seek($0, because: .wanted, hops: hops) } + pump(now: now)
    }

    /// Looks for content that is fetched with its record. Only the links themselves are asked: each
    /// of them keeps the record too, and says so when it has the content.
    public mutating func seek(
        withRecord wanted: [ContentFetching.Wanted], now: Duration
    ) -> [Effect] {
        wanted.flatMap { seek($0, because: .withRecord, hops: 0) } + pump(now: now)
    }

    private mutating func seek(
        _ wanted: ContentFetching.Wanted, because reason: Reason, hops: Int
    ) -> [Effect] {
        let key = Key(wanted)
        var effects: [Effect] = []
        var known = sought[key]
        if let other = known, other.wanted != wanted {
            // Records may name different media types. What a person wants to see comes first.
            guard reason == .wanted, other.reason != .wanted else { return [] }
            effects += giveUp(key).map { [$0] } ?? []
            known = nil
        }
        guard var item = known else {
            guard makeRoom(for: reason, &effects) else { return effects }
            begin(
                Sought(
                    wanted: wanted, reason: reason, hops: hops,
                    askers: waiting.removeValue(forKey: key)?.askers ?? []))
            enqueue(key)
            return effects
        }
        guard item.reason != .wanted, item.reason != reason else { return effects }
        let isFarther = hops > item.hops
        item.reason = reason
        item.hops = max(item.hops, hops)
        item.deadline = nil
        if isFarther { item.asked = [] }
        sought[key] = item
        if isFarther { enqueue(key) }
        return effects
    }

    private mutating func makeRoom(for reason: Reason, _ effects: inout [Effect]) -> Bool {
        guard sought.values.count(where: { $0.reason.asker == nil }) >= SeekingLimits.ownMax else {
            return true
        }
        let small = sought.first { $0.value.reason == .withRecord }?.key
        guard reason == .wanted, let small else { return false }
        effects += giveUp(small).map { [$0] } ?? []
        return true
    }

    /// Records that content has arrived, and tells those who asked for it. Other lengths of the
    /// same hash are wrong, and are not looked for any more.
    public mutating func arrived(_ wanted: ContentFetching.Wanted, now: Duration) -> [Effect] {
        let (key, hash) = (Key(wanted), wanted.blob.hash)
        arrivalsCount += 1
        let askers = (end(key)?.askers ?? [])
            .union(waiting.removeValue(forKey: key)?.askers ?? [])
        let tells = askers.sorted().filter { links[$0]?.spaces.contains(wanted.space) ?? false }
            .map { Effect.tell($0, wanted.space, [hash]) }
        return tells + keys(of: hash, in: wanted.space).compactMap { giveUp($0) }
    }

    /// Records that content which was found is not fetched now, because too much is wanted. It is
    /// fetched when a link says again that it has it.
    public mutating func forgetFinders(of wanted: ContentFetching.Wanted) {
        guard isSought(wanted) else { return }
        sought[Key(wanted)]?.finders = []
    }

    /// Stops looking for content that no record names any more.
    public mutating func remove(_ wanted: ContentFetching.Wanted) {
        guard isSought(wanted) else { return }
        end(Key(wanted))
    }

    /// Returns the linked devices that said they have content, those that kept their word first.
    public func finders(of wanted: ContentFetching.Wanted, now: Duration) -> [DeviceID] {
        guard let item = sought[Key(wanted)], item.wanted == wanted else { return [] }
        return item.finders.filter { links[$0].map { !$0.allowances.isMuted(now: now) } ?? false }
            .sorted { (silences(of: $0), $0) < (silences(of: $1), $1) }
    }

    private func silences(of device: DeviceID) -> Int { links[device]?.allowances.silences ?? 0 }

    /// Records that a device said it has content and sent none in time.
    public mutating func recordSilence(of device: DeviceID, now: Duration) {
        links[device]?.allowances.recordSilence(now: now)
    }

    /// Records that a device sent content that it said it has.
    public mutating func recordPiece(from device: DeviceID) {
        links[device]?.allowances.silences = 0
    }

    // MARK: - Internal

    /// Looks for a blob that was not looked for.
    mutating func begin(_ item: Sought) {
        let key = Key(item.wanted)
        sought[key] = item
        lengths[Name(space: key.space, hash: key.hash), default: []].insert(key.bytesCount)
    }

    /// Stops looking for a blob.
    @discardableResult
    mutating func end(_ key: Key) -> Sought? {
        guard let item = sought.removeValue(forKey: key) else { return nil }
        let name = Name(space: key.space, hash: key.hash)
        lengths[name]?.remove(key.bytesCount)
        if lengths[name]?.isEmpty ?? false { lengths[name] = nil }
        return item
    }

    mutating func giveUp(_ key: Key) -> Effect? { end(key).map { .giveUp($0.wanted) } }

    /// The blobs of a hash that are looked for, one of each length.
    func keys(of hash: BlobHash, in space: SpaceID) -> [Key] {
        (lengths[Name(space: space, hash: hash)] ?? []).sorted().map {
            Key(space: space, hash: hash, bytesCount: $0)
        }
    }

    /// Lets all links that may have content be asked for it.
    mutating func enqueue(_ key: Key) {
        for device in links.keys { enqueue(key, on: device) }
    }

    private mutating func enqueue(_ key: Key, on device: DeviceID) {
        guard let item = sought[key], links[device]?.spaces.contains(key.space) ?? false,
            !item.asked.contains(device), item.reason.asker == nil || !item.askers.contains(device)
        else { return }
        links[device]?.enqueue(key)
    }

    /// Asks all links for what waits in their queues, as far as they may be asked now.
    mutating func pump(now: Duration) -> [Effect] {
        links.keys.sorted().flatMap { pump($0, now: now) }
    }

    private mutating func pump(_ device: DeviceID, now: Duration) -> [Effect] {
        guard var link = links.removeValue(forKey: device) else { return [] }
        defer { links[device] = link }
        var groups: [SeekingLink.Group: [SoughtBlob]] = [:]
        var turns: [Name: Int] = [:]
        while link.allowances.asked.isOpen(now: now), let key = link.next() {
            guard var item = sought[key], item.asked.insert(device).inserted else { continue }
            link.allowances.asked.spend(1, now: now)
            item.deadline = item.deadline ?? now + item.reason.time
            item.nextRepeat = item.nextRepeat ?? now + item.pause
            sought[key] = item
            // A message names one length of a hash.
            let turn = turns[Name(space: key.space, hash: key.hash), default: 0]
            turns[Name(space: key.space, hash: key.hash)] = turn + 1
            let group = SeekingLink.Group(space: key.space, hops: item.hops, turn: turn)
            groups[group, default: []].append(
                SoughtBlob(hash: key.hash, bytesCount: key.bytesCount))
        }
        return groups.sorted { $0.key < $1.key }.flatMap { group, blobs in
            stride(from: 0, to: blobs.count, by: Limits.soughtBlobsMax).map { start in
                let some = blobs.dropFirst(start).prefix(Limits.soughtBlobsMax)
                return .ask(device, group.space, hops: group.hops, Array(some))
            }
        }
    }
}

extension ContentSeeking.Key {
    init(_ wanted: ContentFetching.Wanted) {
        self.init(
            space: wanted.space, hash: wanted.blob.hash, bytesCount: wanted.blob.bytesCount)
    }
}

extension ContentSeeking.Reason {
    /// The device for which content is looked for; nil if it is for this side.
    var asker: DeviceID? {
        if case .passedOn(let device) = self { device } else { nil }
    }

    /// The time for which content is looked for.
    fileprivate var time: Duration {
        asker == nil ? SeekingLimits.ownTime : SeekingLimits.passedOnTime
    }
}
