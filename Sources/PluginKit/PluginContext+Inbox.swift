internal import Logging

extension DesktopNotice {
    /// Creates the notice of an item: its title and text, or its title alone if only names may be
    /// shown.
    public init(_ item: InboxItem, actions: [Action] = []) {
        self.init(
            about: item.subject, from: item.person, title: item.title, body: item.body,
            withoutText: item.title, actions: actions)
    }
}

extension PluginContext {
    /// Posts an item to the inbox and shows its notice.
    ///
    /// ```swift
    /// try await context.tell(
    ///     InboxItem(
    ///         kind: Self.inboxKind, reference: id.digits, title: "You are matched with \(name)",
    ///         body: "Your chat is open.", actions: [], from: person))
    /// ```
    /// - Parameter actions: the buttons of the notice.
    public func tell(_ item: InboxItem, actions: [DesktopNotice.Action] = []) async throws {
        try await core.postToInbox(item)
        try await desktop.notify(DesktopNotice(item, actions: actions))
    }

    /// Whether an item of this kind and reference was ever posted, on any device of this person.
    public func wasPosted(_ kind: InboxKind, _ reference: String) async throws -> Bool {
        try await !core.inboxReferences(ofKind: kind, among: [reference]).isEmpty
    }

    /// Settles the items of requests that are gone. An item that cannot be settled is logged: it is
    /// only shown, so it ends with the node.
    public func settleRequests(references: [String]) async {
        for reference in references {
            do { try await core.settleInbox(reference: reference) } catch {
                logger.warning("An item of a request could not be settled: \(error)")
            }
        }
    }
}
