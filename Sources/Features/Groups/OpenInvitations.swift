internal import PluginKit

/// The invitations whose groups are open here before I joined them: the newest
/// ``perSenderMax`` of each sender and ``countMax`` of all. The groups of others are not open, and
/// not listed.
///
/// If there are too many of all, each sender's newest one comes first, then each sender's second,
/// and so on. Example: with room for three, Ann's invitations at 9:00, 10:00 and 11:00 and Ben's at
/// 8:00 leave Ann's two last ones and Ben's.
struct OpenInvitations {
    /// The groups of one sender that are open here.
    static let perSenderMax = 32
    /// The groups of all senders that are open here.
    static let countMax = 256

    /// The notices about these groups, in the order in which they are opened.
    let notices: [Notice]

    /// Chooses among the last notices about groups that I have not joined.
    init(among last: [Notice]) {
        let bySender = Dictionary(grouping: last, by: \.sender)
        let chosen = bySender.values.flatMap { notices in
            notices.sorted { ($1.stamp, $1.group.id) < ($0.stamp, $0.group.id) }
                .prefix(Self.perSenderMax).enumerated().map { ($0.offset, $0.element) }
        }
        notices = Array(
            chosen.sorted { one, other in
                (one.0, other.1.stamp, one.1.group.id) < (other.0, one.1.stamp, other.1.group.id)
            }.map(\.1).prefix(Self.countMax))
    }
}
