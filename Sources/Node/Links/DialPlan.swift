internal import Links
internal import Records

/// Whom to dial when, as a value: sightings and outcomes go in, due targets come out.
///
/// Mates are always dialled, and so is whoever a link showed to be of a group of mine, since their
/// tag does not say so; of the others at most ``strangersMax`` at a time: however many people are
/// around, nobody links with all of them. Those who want to meet as this node does come first, and
/// are dialled though there is no room: a link that is of less use makes way for theirs. A failure
/// doubles the pause, up to a minute; a sighting that changes starts anew.
struct DialPlan: Sendable {
    /// Somewhere to dial.
    struct Target: Hashable, Sendable {
        /// The sighting's instance, or the address that somebody typed.
        let key: String
        let addresses: [LinkAddress]
        /// The mate's device that its tag names, or nil.
        let expecting: DeviceID?
        /// Whether somebody asked for it by address.
        let isManual: Bool
        /// Whether a drop is open both there and here.
        var isSought = false
    }

    private struct State: Sendable {
        var target: Target
        var due: Duration
        var pause: Duration = DialPlan.pauseMin
        var isBusy = false
        /// Whether a link to it showed somebody with whom something is shared.
        var isKnown = false

        var isStranger: Bool { target.isStranger && !isKnown }

        func comesBefore(_ other: State) -> Bool {
            target.isSought == other.target.isSought ? due < other.due : target.isSought
        }
    }

    /// Links with people who are no mates, at most.
    static let strangersMax = Planted.strangersUnbounded.isIn ? 1000 : 8
    /// Strangers who want to meet, dialled at a time though there is no room.
    static let soughtMax = 4
    /// Of those who dialled, links with one address, at most.
    static let strangersPerAddressMax = 4
    /// The first pause after a failure, and the longest.
    static let pauseMin: Duration = .milliseconds(500)
    static let pauseMax: Duration = .seconds(60)

    private var states: [String: State] = [:]

    /// Where something may be now. The delay keeps two nodes from dialling at the same moment.
    mutating func set(_ target: Target, now: Duration, delay: Duration = .zero) {
        if let state = states[target.key], state.target == target { return }
        let before = states[target.key]
        states[target.key] = State(
            target: target, due: now + delay, isBusy: before?.isBusy ?? false,
            isKnown: before?.isKnown ?? false)
    }

    /// A link to a target showed whether something is shared with the person there.
    mutating func note(_ key: String, isKnown: Bool) { states[key]?.isKnown = isKnown }

    /// A target is gone.
    mutating func remove(_ key: String) { states[key] = nil }

    /// Every target now known.
    var targets: [Target] { states.values.map(\.target) }

    /// The targets to dial now. They count as busy until they failed or their link ended.
    /// - Parameter strangersAcceptedCount: links with strangers who dialled, which take room too;
    ///   asked only where a stranger is due.
    mutating func takeDue(
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
        var taken: [Target] = []
        for (key, state) in due.sorted(by: { $0.value.comesBefore($1.value) }) {
            let isSought = state.target.isSought && soughtRoom > 0
            // In a crowd most wait for room, so whether one is reached is asked last.
            guard !state.isStranger || room > 0 || isSought, !isReached(state.target) else {
                continue
            }
            if state.isStranger {
                room -= 1
                if isSought { soughtRoom -= 1 }
            }
            states[key]?.isBusy = true
            taken.append(state.target)
        }
        return taken
    }

    /// Whether a target is nobody known, whose link takes one of the places for strangers.
    func isStranger(_ key: String) -> Bool { states[key]?.target.isStranger ?? true }

    /// Dialling came to nothing, or the link it gave has ended.
    /// - Parameter lasted: how long the link stood; nil where there was none.
    /// - Parameter jitter: 0 to 1, drawn by the caller, so that nodes do not beat in time.
    mutating func ended(_ key: String, lasted: Duration?, now: Duration, jitter: Double) {
        guard var state = states[key] else { return }
        state.isBusy = false
        if let lasted, lasted > .seconds(10) { state.pause = DialPlan.pauseMin }
        state.due = now + state.pause * (0.8 + 0.4 * jitter)
        state.pause = min(state.pause * 2, DialPlan.pauseMax)
        states[key] = state
    }

    /// Tries everything again now: the network has changed.
    mutating func retryAll(now: Duration) {
        for key in states.keys {
            states[key]?.due = now
            states[key]?.pause = DialPlan.pauseMin
        }
    }
}

extension DialPlan.Target {
    /// Whether this is nobody known: such dials are limited.
    var isStranger: Bool { expecting == nil && !isManual }
}
