internal import PluginKit

/// A notice about a group that I received from a mate.
struct Notice: Hashable, Sendable {
    let id: EntityID
    let group: SpaceDescriptor
    /// The id of the plugin that owns the group.
    let feature: String
    let name: String
    let role: Role
    let kind: Kind
    let stamp: Int64
    let sender: PersonID

    /// The kinds of notices; the stored field is called `word`.
    enum Kind: String, Sendable { case invited, removed }

    /// The number of groups about which one person's notices count: those that they named last.
    static let perSenderMax = 64

    /// The number of one person's last notices that are read.
    static let readPerSenderMax = 256

    /// The name of a group whose own name has not arrived, or cannot be shown.
    static let nameless = "A group"

    /// Reads a row of the view of notices; nil if it names no group.
    init?(_ row: Row) {
        guard let id = row.entity("entity"), let sender = row.person("sender"),
            let group = row.descriptor("descriptor"), group.kind == .group,
            let kind = row.text("word").flatMap(Kind.init)
        else { return nil }
        self.id = id
        self.group = group
        self.sender = sender
        self.kind = kind
        feature = row.text("feature") ?? ""
        name = row.text("name").flatMap(TextRule.groupName.clip) ?? Self.nameless
        role = row.text("role").flatMap(Role.init(name:)) ?? .reader
        stamp = row.integer("stamp") ?? 0
    }

    /// Returns the notice that decides my state in a group: the newest from an owner. Until the
    /// group's own records arrive its owners are not known, and the newest notice counts.
    /// - Parameter notices: all about one group, the newest first.
    static func counting(
        _ notices: [Notice], for me: PersonID, among members: [Member]
    ) -> Notice? {
        guard members.contains(where: { $0.person == me }) else { return notices.first }
        let owners = Set(members.filter { $0.isServed && $0.role == .owner }.map(\.person))
        return notices.first { owners.contains($0.sender) }
    }
}
