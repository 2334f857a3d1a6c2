internal import PluginKit
internal import Records

/// Decides, as a value, which links with known people there is room for. A person can make as many
/// devices as they like, and the owner of a group as many members.
///
/// A person's first link has priority over everyone's further links, and a mate's over that of a
/// person who only shares a group. For example, 256 links are open, eight of them with Ben's
/// devices and the others with one member of a group each. Anna, a mate, links: one of Ben's links
/// is given up for hers. When nobody has two links, a group member's is given up.
struct KnownRoom {
    /// The maximum number of links with the devices of one person.
    static let perPersonMax = 8
    /// The maximum number of links with known people: 100 people with two devices each, and more.
    static let linksMax = 256

    /// The answer to a new link.
    enum Answer {
        case welcome
        /// There is room once a link is given up.
        case inPlaceOf(ActiveLink)
        case refused
    }

    /// The links with known people.
    private let links: [ActiveLink]
    /// Whether a person is a mate, or this person.
    private let isMate: (PersonID) -> Bool

    /// - Parameters:
    ///   - links: all links.
    ///   - isKnown: whether something is or was shared with a person.
    ///   - isMate: whether a person is a mate, or this person.
    init(
        links: LinkTable, isKnown: (PersonID) -> Bool, isMate: @escaping (PersonID) -> Bool
    ) {
        self.links = links.values.filter { isKnown($0.peer.person) }
        self.isMate = isMate
    }

    /// Decides about a link with another device of a known person.
    func answer(to person: PersonID) -> Answer {
        let byPerson = Dictionary(grouping: links, by: \.peer.person)
        let ownCount = byPerson[person]?.count ?? 0
        guard ownCount < KnownRoom.perPersonMax else { return .refused }
        guard links.count >= KnownRoom.linksMax else { return .welcome }
        guard ownCount == 0 else { return .refused }
        let most = byPerson.values.max { ($0.count, $0[0].id) < ($1.count, $1[0].id) } ?? []
        if most.count > 1, let newest = most.max(by: { $0.id < $1.id }) {
            return .inPlaceOf(newest)
        }
        let members = links.filter { !isMate($0.peer.person) }
        guard isMate(person), let newest = members.max(by: { $0.id < $1.id }) else {
            return .refused
        }
        return .inPlaceOf(newest)
    }
}
