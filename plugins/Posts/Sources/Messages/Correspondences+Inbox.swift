internal import PluginKit
internal import PostsAPI

// Items of the inbox and notices: requests, and requests of mine that were accepted.
extension Correspondences {
    private static func reference(asking person: PersonID) -> String { "message-\(person)" }
    private static func reference(opened id: Bytes16) -> String { "opened-\(EntityID(raw: id))" }

    /// Shows the request of a person. Strangers can cause it, so it is not stored; one person
    /// causes one notice a minute.
    func tellAsked(by person: PersonID) async throws {
        guard let asked = session.asked[person] else { return }
        let name = try await names().sentence(for: person)
        let title = try await title(of: asked.request) ?? ""
        let key = NameOrKey(person)
        let item = InboxItem(
            kind: Self.inboxKind, reference: Self.reference(asking: person),
            title: "\(name) would like to write to you",
            body: "About “\(title)”: \(asked.request.text)", actions: ["accept", "decline"],
            from: person)
        try await context.core.showInInbox(item)
        shownAsked[person] = asked.request.id
        guard allowances.notices.permit(person, now: now) else { return }
        try await context.desktop.notify(
            DesktopNotice(
                item,
                actions: [
                    .init("Accept", PostMessageCommands.accept, NamePostPerson(person: key)),
                    .init("Decline", PostMessageCommands.decline, NamePostPerson(person: key)),
                ]))
    }

    /// Settles the items of requests that are gone.
    func settleAsked() async {
        let gone = shownAsked.keys.filter { session.asked[$0] == nil }.sorted()
        for person in gone { shownAsked[person] = nil }
        await context.settleRequests(references: gone.map(Self.reference(asking:)))
    }

    /// Tells that a request of mine was accepted, once on all devices of this person.
    func tellOpened(_ id: Bytes16, with person: PersonID) async throws {
        let reference = Self.reference(opened: id)
        guard try await !context.wasPosted(Self.inboxKind, reference) else { return }
        let name = try await names().sentence(for: person)
        let item = InboxItem(
            kind: Self.inboxKind, reference: reference, title: "\(name) accepted your request",
            body: "Your chat is open.", actions: [], from: person,
            occasion: EntityID(raw: id).description)
        try await context.tell(item)
    }

    /// Settles the items that say of these correspondences, which are over, that a chat is open.
    /// If that fails, the next call tries again.
    func settleOpened(_ ended: Set<Bytes16>) async {
        let fresh = ended.subtracting(settledEnds)
        guard !fresh.isEmpty else { return }
        do {
            let items = try await context.core.inboxReferences(
                ofKind: Self.inboxKind, among: Set(fresh.map(Self.reference(opened:))))
            for (reference, isHandled) in items.sorted(by: { $0.key < $1.key }) where !isHandled {
                try await context.core.settleInbox(reference: reference)
            }
            settledEnds = ended
        } catch {
            context.logger.warning("The item of an ended conversation was not settled: \(error)")
        }
    }
}
