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
        /// ``ContentSeeking/answer(_:hops:in:to:after:now:)``.
        case lookUp(DeviceID, SpaceID, hops: Int, [SoughtBlob])
        /// A device has this blob: fetches it from ``ContentSeeking/finders(of:now:)``.
        case fetch(ContentFetching.Wanted)
        /// Content that is fetched with its record was not found in time: does not look for it
        /// again by itself.
        case settle(ContentFetching.Wanted)
        /// The blob is not looked for any more: forgets it, and what has arrived of it.
        case giveUp(ContentFetching.Wanted)
    }

    /// Changed by ``begin(_:)`` and ``end(_:)``, which keep ``lengths`` too.
    var sought: [Key: Sought] = [:]
    /// The lengths of each hash that are looked for.
    private var lengths: [Name: Set<Int>] = [:]
    /// The number of times that content has arrived.
    public private(set) var arrivalsCount = 0
    var links: [DeviceID: SeekingLink] = [:]
    /// The number of blobs that are looked for, except those that peers asked for.
    private var ownCount = 0
    /// The questions of peers that were passed on, when, and for whom.
    var passedOn: [Key: (time: Duration, origin: Origin)] = [:]
    /// The devices that asked for content that this side keeps a record of and did not look for,
    /// and when: it may begin to, or get it in another way.
    var waiting: [Key: (askers: Askers, since: Duration)] = [:]
    /// The devices of mates and of people met.
    private var known: Set<DeviceID> = []
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

    /// Returns the priority of a blob that is looked for: the highest one if this person wants to
    /// see it, the next one if a mate or a person met does, or if it comes with a record of theirs.
    public func priority(of wanted: ContentFetching.Wanted) -> ContentFetching.Priority {
        guard let item = sought[Key(wanted)], item.wanted == wanted else { return .other }
        return priority(of: item)
    }

    /// Known devices also pass on strangers' questions, so only their own ones count.
    func priority(of item: Sought) -> ContentFetching.Priority {
        if item.reason == .wanted { return .own }
        let isForKnown =
            item.reason == .withRecord && item.isOfKnown
            || item.askers.openers.contains(where: isKnown)
        return isForKnown ? .known : .other
    }

    /// Whether a device is one of mates or people met.
    public func isKnown(_ device: DeviceID) -> Bool { known.contains(device) }

    /// Names the devices of mates and of people met.
    public mutating func recordKnown(_ devices: Set<DeviceID>) {
        guard devices != known else { return }
        let before = sought.mapValues { priority(of: $0) }
        known = devices
        let raised = sought.filter { priority(of: $0.value) > before[$0.key] ?? .other }
        for key in raised.keys.sorted() { enqueue(key) }
    }

    /// The number of blobs for which it is remembered who asked while they were not looked for.
    public var askersCount: Int { waiting.count }

    /// Whether what is remembered is within ``SeekingLimits``.
    public var isBounded: Bool {
        let own = sought.values.count { $0.reason.asker == nil }
        return own == ownCount && own <= SeekingLimits.ownMax
            && sought.count - own <= SeekingLimits.passedOnMax
            && passedOn.count <= SeekingLimits.passedOnRememberedMax
            && waiting.count <= SeekingLimits.askersMax
            && parted.count <= SeekingLimits.partedDevicesMax
            && links.values.allSatisfy {
                $0.queuedCount <= ContentSeeking.queuedMax
            }
    }

    /// The blobs in each of the two queues of a link. Blobs that move to the first queue stay in
    /// the other one too, so a link may hold this number twice.
    private static let queuedMax = SeekingLimits.ownMax + SeekingLimits.passedOnMax

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
        return seek(wanted.map { Sought(wanted: $0, reason: .wanted, hops: hops) }, now: now)
    }

    /// Looks for content that is fetched with its record. Only the links themselves are asked: each
    /// of them keeps the record too, and says so when it has the content.
    /// - Parameter isOfKnown: whether the records are those of mates or of people met.
    public mutating func seek(
        withRecord wanted: [ContentFetching.Wanted], ofKnown isOfKnown: Bool = false, now: Duration
    ) -> [Effect] {
        let items = wanted.map {
            Sought(wanted: $0, reason: .withRecord, isOfKnown: isOfKnown, hops: 0)
        }
        return seek(items, now: now)
    }

    private mutating func seek(_ items: [Sought], now: Duration) -> [Effect] {
        var (effects, hasRoom): ([Effect], Bool) = ([], true)
        for item in items { seek(item, &hasRoom, &effects) }
        return effects + pump(now: now)
    }

    /// - Parameter hasRoom: whether there may be room for more items like this one.
    private mutating func seek(
        _ new: Sought, _ hasRoom: inout Bool, _ effects: inout [Effect]
    ) {
        let key = Key(new.wanted)
        let before = sought[key]
        // Records may name different media types for the same bytes.
        let isSame = before?.wanted == new.wanted
        if let before, isSame, before.reason == .wanted || before.reason == new.reason {
            if new.isOfKnown { change(key) { $0.isOfKnown = true } }
            return
        }
        if let before, !isSame, priority(of: new) <= priority(of: before) { return }
        if before == nil || before?.reason.asker != nil {
            hasRoom = hasRoom && makeRoom(for: new, &effects)
            guard hasRoom else { return }
        }
        guard let existing = before, isSame else {
            let displaced = giveUp(key)
            effects += displaced.map { [$0] } ?? []
            var item = new
            item.askers = before?.askers ?? waiting.removeValue(forKey: key)?.askers ?? Askers()
            begin(item)
            return enqueue(key)
        }
        if existing.reason.asker != nil { ownCount += 1 }
        change(key) { item in
            item.reason = new.reason
            item.isOfKnown = existing.isOfKnown || new.isOfKnown
            item.deadline = nil
            guard new.hops > existing.hops else { return }
            item.hops = new.hops
            item.asked = []
        }
        if new.hops > existing.hops { enqueue(key) }
    }

    /// Changes a blob that is looked for. If its priority rises, it moves to the first queue of
    /// each link.
    mutating func change(_ key: Key, _ body: (inout Sought) -> Void) {
        guard let before = sought[key] else { return }
        var item = before
        body(&item)
        sought[key] = item
        if priority(of: item) > priority(of: before) { enqueue(key) }
    }

    /// Makes room if too much is looked for. Thumbnails of strangers give way to thumbnails of
    /// known people and to opened photos; thumbnails of known people give way to opened photos.
    private mutating func makeRoom(for item: Sought, _ effects: inout [Effect]) -> Bool {
        guard ownCount >= SeekingLimits.ownMax else { return true }
        let priority = priority(of: item)
        guard priority > .other else { return false }
        let small = sought.first { $0.value.reason == .withRecord && isOther($0.value) }
        let displaced =
            small
            ?? (priority == .own ? sought.first { $0.value.reason == .withRecord } : nil)
        guard let displaced else { return false }
        effects += giveUp(displaced.key).map { [$0] } ?? []
        return true
    }

    private func isOther(_ item: Sought) -> Bool { priority(of: item) == .other }

    /// Records that content has arrived, and tells those who asked for it. Other lengths of the
    /// same hash are wrong, and are not looked for any more.
    public mutating func arrived(_ wanted: ContentFetching.Wanted, now: Duration) -> [Effect] {
        let (key, hash) = (Key(wanted), wanted.blob.hash)
        arrivalsCount += 1
        let askers = (end(key)?.askers.all ?? [])
            .union(waiting.removeValue(forKey: key)?.askers.all ?? [])
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

    /// Returns the linked devices that said they have content. Known devices come first. Within
    /// each group, those with the fewest silences come first. Strangers that were silent too often
    /// are left out. Known devices that were silent come last: they may be the only ones with it.
    public func finders(of wanted: ContentFetching.Wanted, now: Duration) -> [DeviceID] {
        guard let item = sought[Key(wanted)], item.wanted == wanted else { return [] }
        return item.finders.filter { links[$0] != nil && (isKnown($0) || !isMuted($0, now: now)) }
            .sorted { rank(of: $0, now: now) < rank(of: $1, now: now) }
    }

    private func isMuted(_ device: DeviceID, now: Duration) -> Bool {
        links[device]?.allowances.silence.isMuted(now: now) ?? false
    }

    private func rank(of device: DeviceID, now: Duration) -> (Int, Int, DeviceID) {
        let group = isMuted(device, now: now) ? 2 : isKnown(device) ? 0 : 1
        return (group, silences(of: device), device)
    }

    private func silences(of device: DeviceID) -> Int {
        links[device]?.allowances.silence.count ?? 0
    }

    /// Records that a device said it has content and sent none in time.
    public mutating func recordSilence(of device: DeviceID, now: Duration) {
        links[device]?.allowances.silence.record(now: now)
    }

    /// Records that a device sent the end of content that it said it has. Less does not count: a
    /// device could send one piece of each blob and none of the rest.
    public mutating func recordContent(from device: DeviceID) {
        links[device]?.allowances.silence.recordContent()
    }

    // MARK: - Internal

    /// Looks for a blob that was not looked for.
    mutating func begin(_ item: Sought) {
        let key = Key(item.wanted)
        sought[key] = item
        if item.reason.asker == nil { ownCount += 1 }
        lengths[Name(space: key.space, hash: key.hash), default: []].insert(key.bytesCount)
    }

    /// Stops looking for a blob.
    @discardableResult
    mutating func end(_ key: Key) -> Sought? {
        guard let item = sought.removeValue(forKey: key) else { return nil }
        if item.reason.asker == nil { ownCount -= 1 }
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
            !item.asked.contains(device),
            item.reason.asker == nil || !item.askers.all.contains(device)
        else { return }
        // Keys that are no longer looked for are dropped when their turn comes, or when the queue
        // is full.
        if links[device]?.queuedCount ?? 0 >= ContentSeeking.queuedMax {
            links[device]?.removeQueued { sought[$0] == nil }
        }
        let isReserved = priority(of: item) > .other
        links[device]?.enqueue(key, isReserved: isReserved)
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
