internal import InterestsAPI
internal import PluginKit

/// Finds the person nearby who shares most interests, from announcements alone.
///
/// A match needs 3 common interests. Another person replaces it only with strictly more; if it
/// leaves or shares fewer than 3, it ends. For example, Ben comes with 3, then Cho with 3, then
/// Dana with 4: the match is Ben, still Ben, then Dana.
struct MatchFinder: Sendable {
    /// The smallest number of common interests of a match.
    static let commonCountMin = 3
    /// The most people that one look compares; later ones in the list are left out, so that no
    /// number of announcers costs more.
    static let comparedCountMax = 1024

    /// A person nearby who looks.
    struct Someone: Hashable, Sendable {
        var device: DeviceID?
        var person: PersonID?
        var tag: AnnouncedTag?
        var interests: InterestSet
        var distanceMetres: Double?

        /// Whether two sightings are of one person, as far as can be seen. A device that is linked
        /// is recognised by the tag it had.
        func isSame(as other: Someone) -> Bool {
            person != nil && person == other.person || device != nil && device == other.device
                || tag != nil && tag == other.tag
        }
    }

    /// The match.
    struct Match: Hashable, Sendable {
        var someone: Someone
        var common: [Interest]
        var since: Timestamp
    }

    /// The match, if there is one.
    private(set) var match: Match?
    /// The number of people who look, each counted once.
    private(set) var lookingCount = 0

    /// Ends the match.
    mutating func clear() { self = MatchFinder() }

    /// Looks at everyone who is nearby now, in the order in which they came.
    mutating func update(_ people: some Sequence<Someone>, mine: InterestSet, now: Timestamp) {
        var seen: Set<Mark> = []
        var (best, bestCount): (Someone?, Int) = (nil, Self.commonCountMin - 1)
        var present: Someone?
        lookingCount = 0
        for someone in people.prefix(Self.comparedCountMax)
        where Self.isNew(someone, among: &seen) {
            lookingCount += 1
            if let match, present == nil, match.someone.isSame(as: someone) { present = someone }
            let count = mine.commonCount(with: someone.interests)
            if count > bestCount { (best, bestCount) = (someone, count) }
        }
        if let present, best != nil, mine.commonCount(with: present.interests) == bestCount {
            best = present
        }
        let since = best == present ? match?.since : nil
        match = best.map {
            Match(
                someone: $0, common: mine.common(with: $0.interests), since: since ?? now)
        }
    }

    /// A mark by which a person is recognised: one may have several devices, and anybody may
    /// announce a tag that another device announces.
    private enum Mark: Hashable {
        case person(PersonID)
        case device(DeviceID)
        case tag(AnnouncedTag)
    }

    private static func isNew(_ someone: Someone, among seen: inout Set<Mark>) -> Bool {
        let marks = [
            someone.person.map(Mark.person), someone.device.map(Mark.device),
            someone.tag.map(Mark.tag),
        ].compactMap { $0 }
        guard !marks.isEmpty, seen.isDisjoint(with: marks) else { return false }
        seen.formUnion(marks)
        return true
    }
}

extension MatchFinder {
    /// Whether a person sees anything else now than before.
    func isShownOtherwise(than other: MatchFinder) -> Bool {
        lookingCount != other.lookingCount || match != other.match
    }
}
