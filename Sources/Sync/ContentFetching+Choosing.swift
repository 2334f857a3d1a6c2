public import Records

// The choice of the next blob, and of the device that is asked for it.
extension ContentFetching {
    /// The priority of a blob, in ascending order.
    public enum Priority: Int, Comparable, Sendable {
        /// Strangers want it, or it is on a member's card.
        case other
        /// Known people want it, or own records name it. It is reserved, as is what this person
        /// wants to see.
        case known
        /// This person wants to see it.
        case own

        /// Whether content of the first priority is fetched after that of the second one.
        public static func < (one: Priority, other: Priority) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// The priorities of blobs, and the people whose devices are asked.
    public struct Priorities {
        /// The priority of a blob.
        let priority: (Wanted) -> Priority
        /// Whether a device is one of known people; of content that members share, of this person.
        let isKnown: (DeviceID) -> Bool
        /// The person of a device, so that one person's devices do not take up all fetches.
        let person: (DeviceID) -> PersonID?

        /// Creates priorities from functions.
        public init(
            priority: @escaping (Wanted) -> Priority, isKnown: @escaping (DeviceID) -> Bool,
            person: @escaping (DeviceID) -> PersonID? = { _ in nil }
        ) {
            self.priority = priority
            self.isKnown = isKnown
            self.person = person
        }

        /// This person wants everything, and every device is known.
        public static var own: Priorities {
            Priorities(priority: { _ in .own }, isKnown: { _ in true })
        }
    }

    /// Chooses the next blob, if another one may be fetched, a device can be asked and the bytes
    /// per second permit it. Then find out how much of it has arrived, and call
    /// ``begin(_:arrivedBytes:now:)``, ``postpone(_:until:)`` or ``remove(_:)``.
    ///
    /// Blobs that this person wants come first, then those that known people want. Both displace a
    /// stranger's blob that is fetched from the same device, or has the same hash.
    /// - Parameter sources: returns the linked devices that may have a blob, in the order in which
    ///   they are asked.
    public mutating func choose(
        now: Duration, priorities: Priorities = .own, sources: (Wanted) -> [DeviceID]
    ) -> Choice? {
        for (device, fetch) in underWay {
            underWay[device]?.isReserved = priorities.priority(fetch.choice.wanted) > .other
            underWay[device]?.isKnown = priorities.isKnown(device)
        }
        // A piece arrives often, and most of the time nothing else can begin.
        let (mayReserved, mayOther) = (mayBeginReserved(now: now), mayBeginOther(now: now))
        guard mayReserved || mayOther else { return nil }
        let busy = underWay.values.map(\.choice.wanted)
        var (known, others): ([Wanted], [Wanted]) = ([], [])
        for wanted in waiting where postponed[wanted].map({ $0 <= now }) ?? true {
            guard !busy.contains(wanted) else { continue }
            switch priorities.priority(wanted) {
            case .own:
                guard mayReserved else { continue }
                if let choice = choose(wanted, true, now, priorities, sources) { return choice }
            case .known: known.append(wanted)
            case .other: others.append(wanted)
            }
        }
        for wanted in known where mayReserved {
            if let choice = choose(wanted, true, now, priorities, sources) { return choice }
        }
        for wanted in others where mayOther {
            if let choice = choose(wanted, false, now, priorities, sources) { return choice }
        }
        return nil
    }

    private func mayBeginReserved(now: Duration) -> Bool {
        reservedPaid <= now
            && (underWay.count < pace.blobsAtOnceMax
                || underWay.keys.contains { isDisplaced($0, by: true) })
    }

    private func mayBeginOther(now: Duration) -> Bool {
        paid <= now && underWay.count < pace.blobsAtOnceMax
            && underWay.values.count { !$0.isReserved } < pace.forStrangersMax
    }

    private mutating func choose(
        _ wanted: Wanted, _ isReserved: Bool, _ now: Duration, _ priorities: Priorities,
        _ sources: (Wanted) -> [DeviceID]
    ) -> Choice? {
        // Blobs of one hash have one file for what has arrived, whatever their lengths.
        let same = underWay.first { $0.value.choice.wanted.blob.hash == wanted.blob.hash }
        if let same, !isDisplaced(same.key, by: isReserved) { return nil }
        let refused = refusals[wanted] ?? [:]
        let source = sources(wanted).first { device in
            refused[device].map { $0 <= now } ?? true
                && (underWay[device] == nil || isDisplaced(device, by: isReserved))
                && answersRequests(device)
                && hasRoom(
                    isReserved: isReserved, isKnown: priorities.isKnown(device),
                    person: priorities.person(device), besides: [device, same?.key ?? device])
        }
        guard let source else { return nil }
        for device in [source, same?.key ?? source] {
            if let displaced = underWay[device]?.choice.wanted { giveUp(displaced) }
        }
        let choice = Choice(wanted: wanted, source: source)
        underWay[source] = Current(
            choice: choice, isReserved: isReserved, isKnown: priorities.isKnown(source),
            person: priorities.person(source), began: now, lastProgress: now)
        return choice
    }

    /// Whether one of these devices may be asked for a blob, now or when it has a place for it: it
    /// was not refused, and answers what it was asked for.
    public func mayBeAsked(
        for wanted: Wanted, _ devices: [DeviceID], now: Duration
    ) -> Bool {
        let refused = refusals[wanted] ?? [:]
        return underWay.values.contains { $0.choice.wanted == wanted }
            || devices.contains { device in
                refused[device].map { $0 <= now } ?? true && answersRequests(device)
            }
    }

    /// Whether a device has answered enough of what it was asked to be asked for more.
    private func answersRequests(_ device: DeviceID) -> Bool {
        unanswered[device]?.count ?? 0 <= ContentFetching.windowCount
    }

    /// Whether what is fetched from a device gives way.
    private func isDisplaced(_ device: DeviceID, by isReserved: Bool) -> Bool {
        guard isReserved, let fetch = underWay[device] else { return false }
        return !fetch.isReserved && !fetch.isFinishing
    }

    /// Whether another fetch may begin.
    /// - Parameter displaced: devices whose fetches, if there are any, give way.
    private func hasRoom(
        isReserved: Bool, isKnown: Bool, person: PersonID?, besides displaced: [DeviceID]
    ) -> Bool {
        let rest = underWay.filter { !displaced.contains($0.key) }.values
        let ofPerson = person.map { person in rest.count { $0.person == person } } ?? 0
        return rest.count < pace.blobsAtOnceMax
            && (isKnown
                || rest.count { !$0.isKnown } < pace.fromStrangersMax
                    && ofPerson < pace.fromPersonMax)
            && (isReserved || rest.count { !$0.isReserved } < pace.forStrangersMax)
    }
}
