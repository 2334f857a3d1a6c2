public import Records

/// The content of spaces that members share: why it is wanted, and whom to ask for it first.
///
/// - What the user opened comes first, then the content of this person's own records, then that on
///   the cards of others. Of each card, one blob is wanted at a time.
/// - This person's own devices are asked first. A device that was silent too often is asked last.
public struct MemberContent: Sendable {
    /// The reasons that content is wanted for.
    public enum Reason: Hashable, Sendable {
        /// The user wants to see it.
        case opened
        /// It is on another person's card. A newer one replaces it.
        case card
        /// A record of this person names it.
        case own
    }

    /// The number of blobs of one card that are fetched at once; after these, two a minute.
    public static let cardAtOnceMax = 5
    /// The time after which one more blob of a card is fetched.
    public static let cardInterval: Duration = .seconds(30)

    /// The blobs that are wanted and fetched.
    public var fetching = ContentFetching(.members)
    /// The content of own records.
    public var own = OwnContentRound()
    private var opened: Set<ContentFetching.Wanted> = []
    private var cards: [SpaceID: ContentFetching.Wanted] = [:]
    private var cardBuckets: [SpaceID: TokenBucket] = [:]
    private var silences: [DeviceID: SilenceCount] = [:]

    /// Creates a value that wants nothing.
    public init() {}

    // MARK: - Wishes

    /// Adds a blob to those that are wanted.
    /// - Returns: the wishes that are forgotten for it. What has arrived of them may be removed.
    public mutating func want(
        _ wanted: ContentFetching.Wanted, because reason: Reason, now: Duration
    ) -> [ContentFetching.Wanted] {
        var dropped: [ContentFetching.Wanted] = []
        switch reason {
        case .opened: opened.insert(wanted)
        case .own: break
        case .card:
            cards[wanted.space] = wanted
            dropped = fetching.wishes(in: wanted.space).filter { $0 != wanted }
            for other in dropped { fetching.remove(other) }
        }
        guard !fetching.isWanted(wanted) else { return dropped }
        let priority = priorities()
        dropped += fetching.want(wanted, priority: priority).map { [$0] } ?? []
        let wait = cardBuckets[wanted.space]?.wait(uptime: now) ?? .zero
        if reason == .card, wait > .zero { fetching.postpone(wanted, until: now + wait) }
        return dropped
    }

    /// Returns the present priorities of blobs.
    private func priorities() -> (ContentFetching.Wanted) -> ContentFetching.Priority {
        let (opened, cards) = (opened, cards)
        return { wanted in
            if cards[wanted.space] == wanted { return .other }
            return opened.contains(wanted) ? .own : .known
        }
    }

    // MARK: - Fetching

    /// Chooses the next blob, and the device that is asked for it; see
    /// ``ContentFetching/choose(now:priorities:sources:)``.
    /// - Parameters:
    ///   - me: this person.
    ///   - person: returns the person of a linked device.
    ///   - linked: returns the linked devices that share a space.
    public mutating func choose(
        now: Duration, me: PersonID, person: @escaping (DeviceID) -> PersonID?,
        linked: (SpaceID) -> [DeviceID]
    ) -> ContentFetching.Choice? {
        let silences = silences
        let rank = { (device: DeviceID) -> (Int, Int, Int, DeviceID) in
            let silence = silences[device] ?? SilenceCount()
            return (
                silence.isMuted(now: now) ? 1 : 0, person(device) == me ? 0 : 1, silence.count,
                device
            )
        }
        var known: [SpaceID: [DeviceID]] = [:]
        let choice = fetching.choose(
            now: now,
            priorities: ContentFetching.Priorities(
                priority: priorities(), isKnown: { person($0) == me }, person: person)
        ) { wanted in
            let sources =
                known[wanted.space] ?? linked(wanted.space).sorted { rank($0) < rank($1) }
            known[wanted.space] = sources
            return sources
        }
        if let wanted = choice?.wanted, cards[wanted.space] == wanted {
            let whole = TokenBucket(
                atOnceMax: MemberContent.cardAtOnceMax, interval: MemberContent.cardInterval)
            _ = cardBuckets[wanted.space, default: whole].permit(uptime: now)
        }
        return choice
    }

    /// Does what is due: gives up devices that send nothing, or too little, and stops asking for
    /// own content that no linked member has, so that the rest is asked for. Call it once a second.
    public mutating func advance(now: Duration, linked: (SpaceID) -> [DeviceID]) {
        for device in fetching.checkProgress(now: now) { recordSilence(of: device, now: now) }
        passOverOwn(now: now, linked: linked)
        let (fetching, seen) = (fetching, opened)
        own.keep { fetching.isWanted($0) && !seen.contains($0) }
        opened = opened.filter { fetching.isWanted($0) }
        cards = cards.filter { fetching.isWanted($0.value) }
        cardBuckets = cardBuckets.filter { !$0.value.isFull(uptime: now) }
    }

    // MARK: - Silence

    /// Processes the end of a link.
    public mutating func linkEnded(
        _ device: DeviceID, _ end: ContentFetching.LinkEnd, now: Duration
    ) {
        if fetching.isSilent(device, atEnd: end, now: now) { recordSilence(of: device, now: now) }
        fetching.linkEnded(device)
    }

    /// Records that a device sent the end of a blob.
    public mutating func recordContent(from device: DeviceID) {
        silences[device]?.recordContent()
    }

    private mutating func recordSilence(of device: DeviceID, now: Duration) {
        if silences.count >= SeekingLimits.partedDevicesMax {
            silences = silences.filter { $0.value.isMuted(now: now) }
        }
        guard silences[device] != nil || silences.count < SeekingLimits.partedDevicesMax else {
            return
        }
        silences[device, default: SilenceCount()].record(now: now)
    }

    /// Stops asking for own content that no linked device may be asked for.
    private mutating func passOverOwn(now: Duration, linked: (SpaceID) -> [DeviceID]) {
        var heard: [SpaceID: [DeviceID]] = [:]
        for wanted in own.wanted where !opened.contains(wanted) {
            let devices =
                heard[wanted.space]
                ?? linked(wanted.space).filter { silences[$0]?.isMuted(now: now) != true }
            heard[wanted.space] = devices
            guard !fetching.mayBeAsked(for: wanted, devices, now: now) else { continue }
            // The bytes that have arrived are kept, and a later round continues after them.
            fetching.remove(wanted)
        }
    }
}
