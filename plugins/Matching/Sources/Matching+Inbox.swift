internal import MatchingAPI
internal import PluginKit

// Items of the inbox and notices: requests, matches, and reviews that are due or arrived.
extension Matching {
    private static func reference(asking person: PersonID) -> String { "ask-\(person)" }
    private static func reference(_ match: MatchID) -> String { "match-\(match.digits)" }
    private static func reference(reviewing match: MatchID) -> String { "review-\(match.digits)" }

    /// Shows the request of a person. Strangers can cause it, so it is not stored; one person
    /// causes one notice a minute.
    func tellAsked(by person: PersonID) async throws {
        guard let asked = session.asked[person],
            allowances.notices.permit(person, now: now)
        else { return }
        let name = try await names().sentence(for: person)
        let key = NameOrKey(person)
        let item = InboxItem(
            kind: Self.inboxKind, reference: Self.reference(asking: person),
            title: "\(name) would like to study with you",
            body: "A match begins if you accept and they confirm.",
            actions: ["accept", "decline"], from: person)
        try await context.core.showInInbox(item)
        shownAsked[person] = asked.id
        try await context.desktop.notify(
            DesktopNotice(
                item,
                actions: [
                    .init("Accept", MatchingCommands.accept, NameMatchingPerson(person: key)),
                    .init("Decline", MatchingCommands.decline, NameMatchingPerson(person: key)),
                ]))
    }

    /// Settles the items of requests that are gone.
    func settleAsked() async {
        let gone = shownAsked.keys.filter { session.asked[$0] == nil }.sorted()
        for person in gone { shownAsked[person] = nil }
        await context.settleRequests(references: gone.map(Self.reference(asking:)))
    }

    /// Reports once that a match stands; not again after a restart.
    func tellMatched(with person: PersonID) async throws {
        guard let held = session.held, held.person == person,
            try await !context.wasPosted(Self.inboxKind, Self.reference(held.id))
        else { return }
        await publish(MatchingChange(part: .status, person: Key(person), matched: true))
        let name = try await names().sentence(for: person)
        let item = InboxItem(
            kind: Self.inboxKind, reference: Self.reference(held.id),
            title: "You are matched with \(name)", body: "Your chat is open.", actions: [],
            from: person, occasion: held.id.digits)
        try await context.tell(item)
    }

    /// Reports the matches that have just become open for a review.
    func tellDueReviews() async throws {
        let due = dueReviews.filter { !toldReviews.contains($0.id) }
        guard !due.isEmpty else { return }
        let posted = try await context.core.inboxReferences(ofKind: Self.inboxKind)
        for match in due {
            let id = MatchID(raw: match.id)
            if posted[Self.reference(reviewing: id)] == nil {
                try await tellDueReview(of: id, with: match.person)
            }
            toldReviews.insert(match.id)
        }
    }

    private func tellDueReview(of id: MatchID, with person: PersonID) async throws {
        let name = try await names().sentence(for: person)
        let item = InboxItem(
            kind: Self.inboxKind, reference: Self.reference(reviewing: id),
            title: "How was it with \(name)?", body: "You can review your match now.",
            actions: [], from: person, occasion: id.digits)
        try await context.tell(item)
        await publish(MatchingChange(part: .reviews))
    }

    /// Settles the item of a match that was reviewed, or will not be.
    func settleReview(of match: MatchID) async throws {
        try await context.core.settleInbox(reference: Self.reference(reviewing: match))
    }

    /// Reports that a review of me has arrived.
    func tellReviewed(by person: PersonID, _ match: MatchID) async throws {
        let name = try await names().sentence(for: person)
        let item = InboxItem(
            kind: Self.inboxKind, reference: "reviewed-\(match.digits)",
            title: "\(name) reviewed your match", body: "Only you see it, unless you show it.",
            actions: [], from: person, occasion: match.digits)
        try await context.tell(item)
    }
}
