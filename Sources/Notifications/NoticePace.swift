internal import PluginKit

/// Limits the notices that are shown alone: those of each person, and all.
struct NoticePace: Sendable {
    private var all = TokenBucket(
        atOnceMax: NoticeLimits.atOnceMax, interval: NoticeLimits.interval)
    /// The buckets that are not full. ``all`` limits how many there are.
    private var byPerson: [PersonID: TokenBucket] = [:]

    private static let ofOnePerson = TokenBucket(
        atOnceMax: NoticeLimits.perPersonAtOnceMax, interval: NoticeLimits.perPersonInterval)

    /// Permits a notice and counts it, or refuses it.
    mutating func permit(_ person: PersonID?, now uptime: Duration) -> Bool {
        byPerson = byPerson.filter { !$0.value.isFull(uptime: uptime) }
        guard wait(person, now: uptime) == .zero, all.permit(uptime: uptime) else { return false }
        guard let person else { return true }
        var own = byPerson[person] ?? Self.ofOnePerson
        let isPermitted = own.permit(uptime: uptime)
        byPerson[person] = own
        return isPermitted
    }

    /// Returns the time until a notice of a person is permitted.
    func wait(_ person: PersonID?, now uptime: Duration) -> Duration {
        let own = person.flatMap { byPerson[$0] }?.wait(uptime: uptime) ?? .zero
        return max(all.wait(uptime: uptime), own)
    }
}
