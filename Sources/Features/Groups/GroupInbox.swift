internal import FeaturesAPI
internal import PluginKit

/// Invitations to groups in the inbox and on the desktop. Each stays there as long as it can be
/// answered and its sender is a mate.
struct GroupInbox: InboxSource {
    let context: PluginContext
    let directory: GroupDirectory
    let notices: GroupNotices

    /// The kind of invitations, which is also the noun that answers them.
    static let inboxKind: InboxKind = "group"

    /// Adds items for new invitations and settles those that can no longer be answered. Doing it
    /// again changes nothing.
    func reconcile() async throws {
        let open = try await directory.groups().filter { $0.state(of: context.me) == .invited }
        let posted = try await context.core.inboxReferences(ofKind: Self.inboxKind)
        var answerable: [String: Group] = [:]
        for group in open {
            guard let notice = group.notice,
                try await context.core.relation(to: notice.sender) == .mate
            else { continue }
            answerable[notice.id.description] = group
        }
        let isTrue = Set(answerable.keys)
        try await context.core.updateInbox(
            ofKind: Self.inboxKind, isTrue: isTrue,
            isOver: Set(posted.filter { !$0.value }.keys).subtracting(isTrue))
        for (reference, group) in answerable.sorted(by: { $0.key < $1.key })
        where posted[reference] == nil {
            let role = Sentence(
                declared: GroupRole(group.member(context.me)?.role ?? .reader).rawValue)
            let others = group.present.count - 1
            try await context.core.postToInbox(
                InboxItem(
                    kind: Self.inboxKind, reference: reference,
                    title: "A mate invites you to a group",
                    body: Sentence(
                        count: others, one: "As \(role), with 1 other person.",
                        other: "As \(role), with \(others) other people."),
                    actions: ["accept", "decline"], from: group.notice?.sender))
            if let notice = group.notice {
                try await context.desktop.notify(
                    desktopNotice(of: notice, names: context.core.names()))
            }
        }
    }

    /// Returns the notice for the desktop about an invitation. The name of a group is what its
    /// owner wrote.
    private func desktopNotice(of notice: Notice, names: [PersonID: String]) -> DesktopNotice {
        let reference = notice.id.description
        let group = GroupReference(group: NameOrKey(Key(notice.group.id)))
        return DesktopNotice(
            about: InboxSubject(Self.inboxKind, reference), from: notice.sender,
            title: title(of: notice, names: names), body: "",
            withoutText: "\(sender(of: notice, names: names)) invites you to a group",
            actions: [
                DesktopNotice.Action("Accept", GroupCommands.accept, group),
                DesktopNotice.Action("Decline", GroupCommands.decline, group),
            ])
    }

    private func sender(of notice: Notice, names: [PersonID: String]) -> Sentence {
        names[notice.sender].map(Sentence.init(verbatim:)) ?? "A mate without a name"
    }

    private func title(of notice: Notice, names: [PersonID: String]) -> Sentence {
        "\(sender(of: notice, names: names)) invites you to \(notice.name)"
    }

    func inboxTexts(
        of references: Set<String>, names: [PersonID: String]
    ) async throws -> [String: InboxText] {
        let notices = try await notices.received().values.joined()
            .filter { references.contains($0.id.description) }
        return Dictionary(
            notices.map { notice in
                (
                    notice.id.description,
                    InboxText(title: title(of: notice, names: names), body: nil, canAct: true)
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}
