internal import Links
internal import PluginKit
internal import Records

/// Decides which links with strangers there is room for, as a value. Links to mates, to members of
/// this person's groups, and to addresses that were added are always kept; of others at most
/// ``DialPlan/strangersMax``, and of those at most ``DialPlan/strangersPerAddressMax`` from one
/// address, since keys are easy to generate and other people need room too. Links count no matter
/// which side dialled.
///
/// For example, with eight strangers linked a ninth is refused. But two strangers who meet need a
/// link: while this person waits to meet someone, the oldest link with a stranger who does not wait
/// is given up for the ninth.
struct StrangersRoom {
    /// The answer to a new link with a stranger.
    enum Answer {
        case welcome
        /// There is room once a link is given up.
        case inPlaceOf(ActiveLink)
        case refused
    }

    let links: LinkTable
    /// Whether something is or was shared with a person.
    let isKnown: (PersonID) -> Bool
    /// Whether a dial target is a stranger's.
    let isStranger: (_ targetKey: String) -> Bool

    /// The links with people who are not known.
    private var strangers: [ActiveLink] { links.values.filter { !isKnown($0.peer.person) } }

    /// Decides about a new link with a stranger.
    /// - Parameters:
    ///   - host: the address from which it came.
    ///   - isSeeking: whether a switch of a plugin here is on, so that any new peer may be the
    ///     person to meet.
    ///   - isSought: whether the peer of a link has the same switch on.
    func answer(
        to host: String?, isSeeking: @autoclosure () -> Bool, isSought: (ActiveLink) -> Bool
    ) -> Answer {
        let strangers = strangers
        let fromThere = strangers.count { $0.link.remoteAddress?.host == host }
        guard fromThere < DialPlan.strangersPerAddressMax else { return .refused }
        guard strangers.count >= DialPlan.strangersMax else { return .welcome }
        let idle = strangers.filter { !isSought($0) && isCounted($0) }
        guard isSeeking(), let oldest = idle.min(by: { $0.id < $1.id }) else { return .refused }
        return .inPlaceOf(oldest)
    }

    /// The oldest links with strangers, as many as are too many. A former mate counts as a
    /// stranger.
    var surplus: [ActiveLink] {
        let count = max(0, strangers.count - DialPlan.strangersMax)
        return Array(strangers.filter(isCounted).sorted { $0.id < $1.id }.prefix(count))
    }

    private func isCounted(_ active: ActiveLink) -> Bool {
        active.targetKey.map(isStranger) ?? true
    }
}
