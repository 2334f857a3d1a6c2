internal import Links
internal import PluginKit
internal import Records

/// Decides which targets to dial and when, as a value: sightings and outcomes go in, due targets
/// come out.
///
/// Mates are always dialled, and so is a person whom a link showed to be in one of this person's
/// groups, since their tag does not say so. Of all others at most ``strangersMax`` are dialled at a
/// time: in a large crowd, no node links with everyone. Those who want to meet as this node does
/// come first, and are dialled even if there is no room: a less useful link is then closed for
/// theirs. A failure doubles the pause, up to ``pauseMax``; a sighting that changes starts
/// again without a pause.
///
/// A tag may not be recognised although it is a mate's or an own device's: tag keys change, and
/// two sides that changed theirs while they were apart know only the old ones. So while such a
/// person is missing and there is no room, strangers are *looked up* one after the other
/// (``LookUpPace``): HELLO shows who they are, and the link is kept only if something is shared.
///
/// An announcement proves nothing, so what announcements can cause is limited: the dials of one
/// expected device and in all, at a time and per minute (``DialBudget``). A dial that this limit
/// refuses has not failed: it is postponed until the limit has room.
struct DialPlan: Sendable {
    /// A target to dial.
    struct Target: Hashable, Sendable {
        /// The sighting's instance, or the address that was entered.
        let key: String
        var addresses: [LinkAddress]
        /// The mate's device that the tag identifies, or nil.
        let expecting: DeviceID?
        /// Whether it was added by address.
        let isManual: Bool
        /// Whether the same plugin's switch is on both there and here.
        var isSought = false
    }

    private struct State: Sendable {
        var target: Target
        var due: Duration
        var pause: Duration = DialPlan.pauseMin
        var isBusy = false
        /// Whether the dial led to a link after both HELLOs.
        var isLinked = false
        /// The dials in a row that failed.
        var failuresCount = 0
        /// The index of the address to begin with next time.
        var nextAddress = 0
        /// Whether a link to it showed a person with whom something is shared.
        var isKnown = false
        /// The time until which someone here wants to reach it.
        var wantedUntil: Duration = .zero
        /// The reason why the last dial failed, if it did.
        var failure: ConnectionTrouble?
        /// Whether it is dialled now only to learn whose it is.
        var isLookUp = false
        /// Whether HELLO showed a person with whom nothing is shared.
        var wasStrangers = false

        var isStranger: Bool { target.isStranger && !isKnown }
        var isDialling: Bool { isBusy && !isLinked }

        /// Whether it comes before other strangers.
        func isSought(now: Duration) -> Bool { target.isSought || now < wantedUntil }

        func comesBefore(_ other: State, now: Duration) -> Bool {
            let (isSought, isOtherSought) = (isSought(now: now), other.isSought(now: now))
            if isSought != isOtherSought { return isSought }
            // A new target does not wait for those that failed before.
            return failuresCount == other.failuresCount
                ? due < other.due : failuresCount < other.failuresCount
        }
    }

    /// The maximum number of links with people who are not mates.
    static let strangersMax = 8
    /// The maximum number of strangers who want to meet that are dialled at a time without room.
    static let soughtMax = 4
    /// The maximum number of links with strangers who dialled from one address.
    static let strangersPerAddressMax = 4
    /// The maximum number of targets that are dialled at a time for one expected device.
    static let diallingPerDeviceMax = 8
    /// The maximum number of targets that are dialled at a time, apart from entered addresses.
    static let diallingMax = 64
    /// The maximum number of addresses that one dial tries; one if several targets claim to be the
    /// same device.
    static let addressesPerDialMax = 4
    /// The first pause after a failure.
    static let pauseMin: Duration = .milliseconds(500)
    /// The longest pause after a failure. A divided network may heal without any change of an
    /// announcement, and then mates are linked again within this time and the duration of a dial.
    static let pauseMax: Duration = .seconds(30)

    /// The time for which a target stays wanted after ``want(_:now:)``.
    static let wantedMax: Duration = .seconds(5)
    /// The failures in a row after which a target is in trouble.
    static let troubleFailuresMin = 3

    private var states: [String: State] = [:]
    private var budget = DialBudget()
    private var recent = RecentTargets()
    private var lookUps = LookUpPace()
    /// The address at which each device was linked last, which is tried before others.
    private var provenAddresses: [DeviceID: LinkAddress] = [:]
    /// The maximum number of devices whose last address is remembered.
    private static let provenMax = 1024

    /// Sets the current address of a target. The delay keeps two nodes from dialling
    /// simultaneously.
    mutating func set(_ target: Target, now: Duration, delay: Duration = .zero) {
        if let state = states[target.key], state.target == target { return }
        let before = states[target.key]
        states[target.key] = State(
            target: target, due: now + delay, isBusy: before?.isBusy ?? false,
            isLinked: before?.isLinked ?? false, isKnown: before?.isKnown ?? false,
            wantedUntil: before?.wantedUntil ?? .zero, isLookUp: before?.isLookUp ?? false)
    }

    /// Puts a target before other strangers for ``wantedMax``, because someone here wants to reach
    /// it. The pause after a failure begins anew with the first of several calls; the limits on
    /// dials stay.
    /// - Returns: whether there is such a target.
    mutating func want(_ key: String, now: Duration) -> Bool {
        guard var state = states[key] else { return false }
        if now >= state.wantedUntil {
            state.due = min(state.due, now)
            (state.pause, state.failuresCount, state.failure) = (Self.pauseMin, 0, nil)
        }
        state.wantedUntil = now + Self.wantedMax
        states[key] = state
        return true
    }

    /// Records the reason why a dial failed; ``ended(_:lasted:now:jitter:)`` follows.
    mutating func record(_ failure: ConnectionTrouble, at key: String) {
        states[key]?.failure = failure
    }

    /// Returns the reason why the last dial of a target failed; nil if it did not.
    func failure(at key: String) -> ConnectionTrouble? { states[key]?.failure }

    /// Whether the last dial of a target was the one with which its trouble began.
    func isNewTrouble(at key: String) -> Bool {
        states[key]?.failuresCount == Self.troubleFailuresMin && states[key]?.failure != nil
    }

    /// Returns the reason why a target cannot be reached, after several failures in a row.
    func trouble(at key: String) -> ConnectionTrouble? {
        guard let state = states[key], state.failuresCount >= Self.troubleFailuresMin else {
            return nil
        }
        return state.failure
    }

    /// Records whether a link showed that something is shared with the target's person.
    mutating func record(_ key: String, isKnown: Bool) {
        states[key]?.isKnown = isKnown
        states[key]?.isLinked = true
        states[key]?.isLookUp = false
        states[key]?.failure = nil
    }

    /// Records that HELLO showed a person with whom nothing is shared: the target is not looked up
    /// again until its announcement changes.
    mutating func recordStranger(at key: String) { states[key]?.wasStrangers = true }

    /// Looks up all strangers again, because something is shared with other people than before.
    mutating func forgetStrangers() {
        for key in states.keys { states[key]?.wasStrangers = false }
    }

    /// Records that the link with a person at a target ended.
    /// - Parameter isKnown: whether something is shared with the person.
    mutating func recordEnd(of person: PersonID, at key: String, isKnown: Bool) {
        recent.record(person, at: key)
        states[key]?.isKnown = isKnown
    }

    /// Records of the people who were linked last whether something is shared with each now.
    mutating func recognizeRecent(isKnown: (PersonID) -> Bool) {
        for (person, key) in recent.all { states[key]?.isKnown = isKnown(person) }
    }

    /// Records the address at which a device is linked.
    mutating func prove(_ address: LinkAddress, of device: DeviceID) {
        budget.approve(address, for: device)
        guard provenAddresses.count < Self.provenMax || provenAddresses[device] != nil else {
            return
        }
        provenAddresses[device] = address
    }

    /// Records that another device than the expected one answered. The address is not dialled for
    /// that device again until ``forgetDisproved()``.
    mutating func disprove(_ address: LinkAddress, for device: DeviceID) {
        budget.disprove(address, for: device)
    }

    /// Forgets whose addresses are whose. Call this once an hour.
    mutating func forgetDisproved() { budget.forgetDisproved() }

    /// Counts the dial of one address of a target.
    /// - Returns: false if it must not be dialled now; call ``postpone(_:untriedCount:)`` then.
    mutating func permitDial(of target: Target, at address: LinkAddress, now: Duration) -> Bool {
        let isProven = isProven(address, of: target)
        return target.isManual
            || budget.permitDial(for: target.expecting, isProven: isProven, now: now)
    }

    /// Counts a dial that a linked peer asks for.
    /// - Returns: false if nothing may be dialled for a peer now.
    mutating func permitDialBack(to device: DeviceID, now: Duration) -> Bool {
        budget.permitDialBack(to: device, now: now)
    }

    /// Records that the rest of a dial was refused. It continues with its next address when the
    /// budget has room; the pause does not grow, since nothing failed.
    /// - Parameter untriedCount: the number of addresses that were not dialled.
    mutating func postpone(_ key: String, untriedCount: Int) {
        guard var state = states[key] else { return }
        (state.isBusy, state.isLinked) = (false, false)
        state.nextAddress = max(0, state.nextAddress - untriedCount)
        states[key] = state
    }

    /// Removes a target.
    mutating func remove(_ key: String) { states[key] = nil }

    /// All known targets.
    var targets: [Target] { states.values.map(\.target) }

    /// Returns the targets to dial now. They count as busy until they fail or their link ends.
    /// - Parameters:
    ///   - strangersAcceptedCount: links with strangers who dialled, which use the same room;
    ///     evaluated only if a stranger is due.
    ///   - isAnyoneMissing: whether a person with whom something is shared is not linked; evaluated
    ///     only if a stranger is due and has no room.
    mutating func startDue(
        now: Duration, strangersAcceptedCount: @autoclosure () -> Int,
        isAnyoneMissing: @autoclosure () -> Bool = false, isReached: (Target) -> Bool
    ) -> [Target] {
        var places = DiallingPlaces(states.values.lazy.filter(\.isDialling).map(\.target))
        var due: [(key: String, value: State)] = []
        // There may be very many announcements, so only the targets that may be dialled are sorted.
        for (key, state) in states where !state.isBusy && state.due <= now {
            guard hasBudget(for: state.target, now: now), places.hasRoom(for: state.target),
                state.target.expecting == nil || !isReached(state.target)
            else { continue }
            due.append((key, state))
        }
        guard !due.isEmpty else { return [] }
        var (room, mayLookUp) = (0, false)
        if due.contains(where: \.value.isStranger) {
            room = DialPlan.strangersMax - strangersAcceptedCount()
            room -= states.values.count { $0.isBusy && $0.isStranger && !$0.isLookUp }
            let open = states.values.count { $0.isDialling && $0.isLookUp }
            mayLookUp = room <= 0 && lookUps.permits(open, now: now) && isAnyoneMissing()
        }
        var soughtRoom = DialPlan.soughtMax
        soughtRoom -= states.values.count { $0.isBusy && $0.isSought(now: now) }
        // In a crowd nearly all targets are strangers who wait for room: they are not sorted.
        let candidates =
            room > 0
            ? due
            : due.filter { _, state in
                !state.isStranger || state.isSought(now: now) || mayLookUp && !state.wasStrangers
            }
        let contested = contestedDevices
        var started: [Target] = []
        for (key, state) in inOrder(candidates, now: now) {
            let isContested = state.target.expecting.map(contested.contains) ?? false
            let addresses = addresses(
                of: state, countMax: isContested ? 1 : DialPlan.addressesPerDialMax, now: now)
            guard !addresses.isEmpty, places.hasRoom(for: state.target) else { continue }
            let isSought = state.isSought(now: now) && soughtRoom > 0
            let isLookUp = state.isStranger && !isSought && mayLookUp && !state.wasStrangers
            // In a crowd most targets wait for room, so `isReached` is evaluated last.
            guard !state.isStranger || room > 0 || isSought || isLookUp, !isReached(state.target)
            else { continue }
            if isLookUp {
                mayLookUp = false
                lookUps.begin(now: now)
            } else if state.isStranger {
                room -= 1
                if isSought { soughtRoom -= 1 }
            }
            states[key]?.isLookUp = isLookUp
            states[key]?.isBusy = true
            states[key]?.isLinked = false
            states[key]?.nextAddress = state.nextAddress + addresses.count
            places.occupy(by: state.target)
            var target = state.target
            target.addresses = addresses
            started.append(target)
        }
        return started
    }

    private func inOrder(
        _ due: [(key: String, value: State)], now: Duration
    ) -> [(key: String, value: State)] {
        due.map { (isProven: isProven($0.value.target), item: $0) }.sorted { left, right in
            left.isProven == right.isProven
                ? left.item.value.comesBefore(right.item.value, now: now) : left.isProven
        }.map(\.item)
    }

    /// Whether a target has the address at which its device was linked last.
    private func isProven(_ target: Target) -> Bool {
        guard let device = target.expecting, let proven = provenAddresses[device] else {
            return false
        }
        return target.addresses.contains(proven)
    }

    /// Whether the expected device was linked last at an address.
    private func isProven(_ address: LinkAddress, of target: Target) -> Bool {
        target.expecting.map { provenAddresses[$0] == address } ?? false
    }

    /// Whether any address of a target may be dialled in this minute.
    private func hasBudget(for target: Target, now: Duration) -> Bool {
        target.isManual
            || budget.hasRoom(for: target.expecting, isProven: isProven(target), now: now)
    }

    /// Whether an address of a target may be dialled in this minute, as far as is known.
    private func mayDial(_ address: LinkAddress, of target: Target, now: Duration) -> Bool {
        guard !target.isManual else { return true }
        if let device = target.expecting, budget.isDisproved(address, for: device) { return false }
        return budget.hasRoom(
            for: target.expecting, isProven: isProven(address, of: target), now: now)
    }

    /// The devices that several targets claim to be.
    private var contestedDevices: Set<DeviceID> {
        var (seen, contested): (Set<DeviceID>, Set<DeviceID>) = ([], [])
        for device in states.values.compactMap(\.target.expecting)
        where !seen.insert(device).inserted { contested.insert(device) }
        return contested
    }

    /// Returns the addresses that a dial tries: a few at a time, each in its turn.
    private func addresses(of state: State, countMax: Int, now: Duration) -> [LinkAddress] {
        let all = state.target.addresses
        let start = all.isEmpty ? 0 : state.nextAddress % all.count
        let possible = (all[start...] + all[..<start]).filter {
            mayDial($0, of: state.target, now: now)
        }
        return Array(possible.prefix(countMax))
    }

    /// Whether a target is a stranger who is not sought and for whom there is no room, so that it
    /// cannot be due.
    /// - Parameter linkedCount: all links with strangers; evaluated only for a stranger.
    func waitsForRoom(_ key: String, _ linkedCount: @autoclosure () -> Int) -> Bool {
        guard let state = states[key], state.isStranger, !state.target.isSought else {
            return false
        }
        return linkedCount() >= DialPlan.strangersMax
    }

    /// Whether a target is a stranger, whose link counts towards the limit for strangers.
    func isStranger(_ key: String) -> Bool { states[key]?.target.isStranger ?? true }

    /// Records that dialling failed, or that the resulting link ended.
    /// - Parameter lasted: how long the link lasted; nil if there was none.
    /// - Parameter jitter: 0 to 1, drawn by the caller, so that nodes do not synchronize.
    mutating func ended(_ key: String, lasted: Duration?, now: Duration, jitter: Double) {
        guard var state = states[key] else { return }
        (state.isBusy, state.isLinked) = (false, false)
        state.failuresCount = lasted == nil ? state.failuresCount + 1 : 0
        if let lasted, lasted > .seconds(10) { state.pause = DialPlan.pauseMin }
        state.due = now + state.pause * (0.8 + 0.4 * jitter)
        state.pause = min(state.pause * 2, DialPlan.pauseMax)
        states[key] = state
    }

    /// Makes all targets due now because the network has changed.
    mutating func retryAll(now: Duration) {
        budget.forgetDisproved()
        for key in states.keys {
            states[key]?.due = now
            states[key]?.pause = DialPlan.pauseMin
        }
    }
}

extension DialPlan.Target {
    /// Whether this is a stranger: such dials are limited.
    var isStranger: Bool { expecting == nil && !isManual }
}
