internal import Links
internal import Records

/// Decides which targets to dial and when, as a value: sightings and outcomes go in, due targets
/// come out.
///
/// Mates are always dialled, and so is a person whom a link showed to be in one of this person's
/// groups, since their tag does not say so. Of all others at most ``strangersMax`` are dialled at a
/// time: in a large crowd, no node links with everyone. Those who want to meet as this node does
/// come first, and are dialled even if there is no room: a less useful link is then closed for
/// theirs. A failure doubles the pause, up to a minute; a sighting that changes starts again
/// without a pause.
struct DialPlan: Sendable {
    /// A target to dial.
    struct Target: Hashable, Sendable {
        /// The sighting's instance, or the address that was entered.
        let key: String
        let addresses: [LinkAddress]
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
        /// Whether a link to it showed a person with whom something is shared.
        var isKnown = false

        var isStranger: Bool { target.isStranger && !isKnown }

        func comesBefore(_ other: State) -> Bool {
            target.isSought == other.target.isSought ? due < other.due : target.isSought
        }
    }

    /// The maximum number of links with people who are not mates.
    static let strangersMax = 8
    /// The maximum number of strangers who want to meet that are dialled at a time without room.
    static let soughtMax = 4
    /// The maximum number of links with strangers who dialled from one address.
    static let strangersPerAddressMax = 4
    /// The first pause after a failure, and the longest.
    static let pauseMin: Duration = .milliseconds(500)
    static let pauseMax: Duration = .seconds(60)

    private var states: [String: State] = [:]

    /// Sets the current address of a target. The delay keeps two nodes from dialling
    /// simultaneously.
    mutating func set(_ target: Target, now: Duration, delay: Duration = .zero) {
        if let state = states[target.key], state.target == target { return }
        let before = states[target.key]
        states[target.key] = State(
            target: target, due: now + delay, isBusy: before?.isBusy ?? false,
            isKnown: before?.isKnown ?? false)
    }

    /// Records whether a link showed that something is shared with the target's person.
    mutating func record(_ key: String, isKnown: Bool) { states[key]?.isKnown = isKnown }

    /// Removes a target.
    mutating func remove(_ key: String) { states[key] = nil }

    /// All known targets.
    var targets: [Target] { states.values.map(\.target) }

    /// Returns the targets to dial now. They count as busy until they fail or their link ends.
    /// - Parameter strangersAcceptedCount: links with strangers who dialled, which use the same
    ///   room; evaluated only if a stranger is due.
    mutating func startDue(
        now: Duration, strangersAcceptedCount: @autoclosure () -> Int,
        isReached: (Target) -> Bool
    ) -> [Target] {
        let due = Array(states.lazy.filter { !$0.value.isBusy && $0.value.due <= now })
        guard !due.isEmpty else { return [] }
        var room = 0
        if due.contains(where: \.value.isStranger) {
            room = DialPlan.strangersMax - strangersAcceptedCount()
            room -= states.values.count { $0.isBusy && $0.isStranger }
        }
        var soughtRoom = DialPlan.soughtMax
        soughtRoom -= states.values.count { $0.isBusy && $0.target.isSought }
        var started: [Target] = []
        for (key, state) in due.sorted(by: { $0.value.comesBefore($1.value) }) {
            let isSought = state.target.isSought && soughtRoom > 0
            // In a crowd most targets wait for room, so `isReached` is evaluated last.
            guard !state.isStranger || room > 0 || isSought, !isReached(state.target) else {
                continue
            }
            if state.isStranger {
                room -= 1
                if isSought { soughtRoom -= 1 }
            }
            states[key]?.isBusy = true
            started.append(state.target)
        }
        return started
    }

    /// Whether a target is a stranger, whose link counts towards the limit for strangers.
    func isStranger(_ key: String) -> Bool { states[key]?.target.isStranger ?? true }

    /// Records that dialling failed, or that the resulting link ended.
    /// - Parameter lasted: how long the link lasted; nil if there was none.
    /// - Parameter jitter: 0 to 1, drawn by the caller, so that nodes do not synchronize.
    mutating func ended(_ key: String, lasted: Duration?, now: Duration, jitter: Double) {
        guard var state = states[key] else { return }
        state.isBusy = false
        if let lasted, lasted > .seconds(10) { state.pause = DialPlan.pauseMin }
        state.due = now + state.pause * (0.8 + 0.4 * jitter)
        state.pause = min(state.pause * 2, DialPlan.pauseMax)
        states[key] = state
    }

    /// Makes all targets due now because the network has changed.
    mutating func retryAll(now: Duration) {
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
