internal import MatchingAPI
internal import PluginKit

// Reviews: written, sent, received, and shown to people who look.
extension Matching {
    /// The matches that I can review now, the newest first.
    var dueReviews: [StoredAgreement] {
        reviewable.filter {
            context.clock.wallTime >= $0.at + MatchingCommands.reviewDelay
        }
    }

    /// The time at which the next match can be reviewed.
    var nextReview: Timestamp? {
        reviewable.map { $0.at + MatchingCommands.reviewDelay }
            .filter { $0 > context.clock.wallTime }.min()
    }

    private var reviewable: [StoredAgreement] {
        matches.filter { match in
            match.theirs != nil && !blocked.contains(match.person)
                && !reviews.given.contains { $0.match.raw == match.id }
                && !reviews.skipped.contains(MatchID(raw: match.id))
        }
    }

    // MARK: - Commands

    /// Performs `matching review`.
    func write(_ request: WriteReview) async throws -> MatchingReview {
        let match = try await match(toReview: request.person)
        let text = request.text?.string ?? ""
        guard request.mark?.isEmpty == false || !text.isEmpty else {
            throw CommandFault.refused("Give a mark, a text or both.")
        }
        guard text.utf8.count <= ReviewLimits.textBytesMax else {
            throw CommandFault.refused("The text takes too many bytes; make it shorter.")
        }
        let id = MatchID(raw: match.id)
        let content = MatchStatement.review(
            id, of: match.person, marks: Set(request.mark ?? []), text: text)
        let statement = try await context.statements.sign(content.encoded)
        try await context.replica.author(
            [
                .create(
                    collection: Self.given.name, nonce: match.id,
                    fields: [
                        "match": .bytes(match.id.bytes), "person": .bytes(match.person.bytes),
                        "statement": .bytes(statement),
                        "at_ms": .integer(context.clock.wallTime.milliseconds),
                    ])
            ], in: .own(context.me))
        try await readRecords()
        try await settleReview(of: id)
        await sendReviews()
        await publish(MatchingChange(part: .reviews, person: Key(match.person)))
        guard let stored = reviews.given.first(where: { $0.match == id }),
            let review = await answer(given: stored, names: try await names())
        else { throw CommandFault.failed("The review was not stored; try again.") }
        return review
    }

    private func match(toReview named: NameOrKey?) async throws -> StoredAgreement {
        var candidates = matches.filter { $0.theirs != nil && !blocked.contains($0.person) }
        if let named {
            let person = try await person(named)
            candidates = candidates.filter { $0.person == person }
        }
        guard !candidates.isEmpty else {
            throw CommandFault.notFound("There is no match to review.")
        }
        let open = candidates.filter { match in
            !reviews.given.contains { $0.match.raw == match.id }
        }
        let wanted = open.first { !reviews.skipped.contains(MatchID(raw: $0.id)) } ?? open.first
        guard let match = wanted else {
            throw CommandFault.conflict("You have reviewed this match already.")
        }
        let from = match.at + MatchingCommands.reviewDelay
        guard context.clock.wallTime >= from else {
            let minutes = ((from - context.clock.wallTime).secondsRoundedUp + 59) / 60
            throw CommandFault.refused(
                Sentence(
                    count: minutes,
                    one: "You can review a match 30 minutes after it began: in 1 minute.",
                    other:
                        "You can review a match 30 minutes after it began: in \(minutes) minutes."
                ))
        }
        return match
    }

    /// Performs `matching skip-review`. The match can still be reviewed.
    func skip(_ request: SkipReview) async throws -> MatchingReviews {
        var due = dueReviews
        if let named = request.person {
            let person = try await person(named)
            due = due.filter { $0.person == person }
        }
        guard let match = due.first else {
            throw CommandFault.notFound("There is no match that waits for your review.")
        }
        try await context.replica.author(
            [
                .create(
                    collection: Self.skipped.name, nonce: match.id,
                    fields: ["match": .bytes(match.id.bytes)])
            ], in: .own(context.me))
        try await readRecords()
        try await settleReview(of: MatchID(raw: match.id))
        await publish(MatchingChange(part: .reviews, person: Key(match.person)))
        return try await list(ListReviews())
    }

    /// Answers `matching reviews`.
    func list(_ request: ListReviews) async throws -> MatchingReviews {
        let names = try await names()
        if let named = request.person {
            return try await listShown(of: try await person(named), names: names)
        }
        var due: [MatchingPartner] = []
        for match in dueReviews { due.append(try await partner(of: match, names: names)) }
        let muted = try await context.replica.mutedWords()
        var (received, given): ([MatchingReview], [MatchingReview]) = ([], [])
        for stored in reviews.received.reversed() where !blocked.contains(stored.person) {
            guard let review = await answer(received: stored, names: names, muted: muted) else {
                continue
            }
            received.append(review)
        }
        for stored in reviews.given.reversed() {
            guard let review = await answer(given: stored, names: names) else { continue }
            given.append(review)
        }
        return MatchingReviews(received: received, given: given, due: due)
    }

    /// Performs `matching show`.
    func show(_ request: ShowReview) async throws -> MatchingReviews {
        let stored = try request.id.onlyMatch(
            in: reviews.received.filter { request.id.entities.contains($0.entity) },
            of: "review", listedBy: "matching reviews")
        let isShown = request.shown ?? true
        guard !isShown || stored.isMarked || reviews.shown.count < ReviewLimits.shownMax else {
            throw CommandFault.refused(
                "You show \(ReviewLimits.shownMax) reviews already; hide one first.")
        }
        if isShown, await !isProvable(stored) {
            throw CommandFault.refused(
                "This review cannot be shown: others could not check that the match was real.")
        }
        try await context.replica.author(
            [
                .set(
                    collection: Self.received.name, entity: stored.entity,
                    fields: ["is_shown": .boolean(isShown)])
            ], in: .own(context.me))
        try await readRecords()
        await sendCards()
        await publish(MatchingChange(part: .reviews))
        return try await list(ListReviews())
    }

    private func answer(
        given stored: StoredReviews.Stored, names: [PersonID: String]
    ) async -> MatchingReview? {
        guard let review = await CheckedReview(stored.statement, context.statements) else {
            return nil
        }
        return MatchingReview(
            id: RecordKey(stored.entity), by: Key(context.me), about: Key(stored.person),
            marks: review.marks, text: review.text, matchedMs: matchedAt(stored.match),
            isKnown: true, isDelivered: stored.isMarked)
    }

    private func answer(
        received stored: StoredReviews.Stored, names: [PersonID: String], muted: MutedWords
    ) async -> MatchingReview? {
        guard let review = await CheckedReview(stored.statement, context.statements) else {
            return nil
        }
        // A review of mine is by a person with whom I matched.
        return MatchingReview(
            id: RecordKey(stored.entity), by: Key(review.author), name: names[review.author],
            about: Key(context.me), marks: review.marks, text: review.text.flatMap(muted.shown),
            matchedMs: matchedAt(stored.match), isKnown: true, isShown: stored.isMarked,
            isShowable: await isProvable(stored))
    }

    private func matchedAt(_ match: MatchID) -> Timestamp {
        matches.first { $0.id == match.raw }?.at ?? .min
    }

    // MARK: - To the other person

    /// Sends the reviews that have not arrived to the people whom they are about, if linked.
    func sendReviews() async {
        for stored in reviews.given where !stored.isMarked {
            await send(.review(stored.statement), to: stored.person)
        }
    }

    /// Stores a review of me: one for each match, by a person whose fact I have, from 30 minutes
    /// after the match. One that comes too early is sent again.
    func receiveReview(_ statement: [UInt8], from person: PersonID) async throws {
        guard statement.count <= ReviewLimits.statementBytesMax else { return }
        if let stored = reviews.received.first(where: { $0.statement == statement }) {
            return await send(.hasReview(stored.match), to: person)
        }
        // Only people who have had a match with me can make this device check a signature.
        guard matches.contains(where: { $0.person == person && $0.theirs != nil }),
            let review = await CheckedReview(statement, context.statements),
            review.author == person, review.subject == context.me,
            matches.contains(where: {
                $0.person == person && $0.id == review.match.raw && $0.theirs != nil
                    && context.clock.wallTime >= $0.at + MatchingCommands.reviewDelay
            })
        else { return }
        if reviews.received.contains(where: { $0.match == review.match }) {
            return await send(.hasReview(review.match), to: person)
        }
        try await context.replica.author(
            [
                .create(
                    collection: Self.received.name, nonce: review.match.raw,
                    fields: [
                        "match": .bytes(review.match.raw.bytes), "person": .bytes(person.bytes),
                        "statement": .bytes(statement),
                        "at_ms": .integer(context.clock.wallTime.milliseconds),
                    ])
            ], in: .own(context.me))
        try await readRecords()
        await send(.hasReview(review.match), to: person)
        await publish(MatchingChange(part: .reviews, person: Key(person)))
        try await tellReviewed(by: person, review.match)
    }

    /// Records that the other person's device has my review.
    func recordDelivered(_ match: MatchID, to person: PersonID) async throws {
        guard
            let stored = reviews.given.first(where: {
                $0.match == match && $0.person == person && !$0.isMarked
            })
        else { return }
        try await context.replica.author(
            [
                .set(
                    collection: Self.given.name, entity: stored.entity,
                    fields: ["is_delivered": .boolean(true)])
            ], in: .own(context.me))
        try await readRecords()
        await publish(MatchingChange(part: .reviews, person: Key(person)))
    }

    // MARK: - On my card

    /// Sends the reviews that I show to a person who looks too, one message each.
    func answer(_ person: PersonID, from first: UInt8) async {
        guard session.isSeeking, people.people[person] != nil,
            allowances.answers.permit(person, now: now)
        else { return }
        let proofs = reviews.shown.compactMap(proof)
        let count = UInt8(clamping: proofs.count)
        guard !proofs.isEmpty else {
            return await send(.shownReview(0, count: 0, proof: []), to: person)
        }
        for (index, proof) in proofs.enumerated().dropFirst(Int(first)) {
            await send(
                .shownReview(UInt8(clamping: index), count: count, proof: proof.encoded),
                to: person)
        }
    }

    /// Returns what shows others that the match of a received review was real; nil before both
    /// facts are here.
    func proof(of stored: StoredReviews.Stored) -> ReviewProof? {
        guard let match = matches.first(where: { $0.id == stored.match.raw }),
            let theirs = match.theirs
        else { return nil }
        return ReviewProof(
            review: stored.statement, authorFact: theirs.proof, subjectFact: match.proof)
    }

    /// Whether others can check a review that I received. The other side may have stored anything
    /// as the proof of its fact.
    private func isProvable(_ stored: StoredReviews.Stored) async -> Bool {
        await proof(of: stored)?.check(about: context.me, context.statements) != nil
    }

    private func listShown(
        of person: PersonID, names: [PersonID: String]
    ) async throws -> MatchingReviews {
        guard let someone = people.people[person] else {
            throw CommandFault.notFound("This person does not look now; see 'matching people'.")
        }
        let known = shown[person]
        let isAwaited =
            known.map {
                now - $0.asked < MatchingReviews.answerMax && $0.count != $0.arrived.count
            } ?? false
        let isComplete = known?.count == known?.arrived.count && known?.count != nil
        if someone.card.reviewCount > 0, !isAwaited, !isComplete {
            shown[person] = ShownReviews(asked: now)
            await send(.askReviews(from: 0), to: person)
        }
        let muted = try await context.replica.mutedWords()
        var received: [MatchingReview] = []
        for (_, review) in (shown[person]?.reviews ?? [:]).sorted(by: { $0.key < $1.key })
        where !blocked.contains(review.author) {
            received.append(
                MatchingReview(
                    by: Key(review.author), name: names[review.author], about: Key(person),
                    marks: review.marks, text: review.text.flatMap(muted.shown),
                    matchedMs: review.matchedAt,
                    isKnown: review.author == context.me ? true : try await isMate(review.author)))
        }
        return MatchingReviews(
            received: received,
            isIncomplete: shown[person].map { $0.count != $0.arrived.count } ?? false)
    }

    /// Checks a review that a person shows, if this person asked for it: each number once.
    func receiveShown(
        _ index: UInt8, of count: UInt8, _ proof: [UInt8], from person: PersonID
    ) async {
        guard var asked = shown[person], now - asked.asked < MatchingReviews.answerMax,
            Int(count) <= ReviewLimits.shownMax, asked.count ?? Int(count) == Int(count)
        else { return }
        asked.count = Int(count)
        guard count > 0 else {
            shown[person] = asked
            return await publish(MatchingChange(part: .reviews, person: Key(person)))
        }
        guard index < count, asked.arrived.insert(index).inserted else { return }
        // It counts as arrived before the check, during which others may arrive.
        shown[person] = asked
        let review = await ReviewProof(decoding: proof)?.check(
            about: person, context.statements)
        if let review, shown[person]?.asked == asked.asked,
            shown[person]?.reviews.values.contains(where: { $0.match == review.match }) == false
        {
            shown[person]?.reviews[index] = review
        }
        await publish(MatchingChange(part: .reviews, person: Key(person)))
    }
}
