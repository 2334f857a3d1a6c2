internal import PluginKit
internal import PromisesAPI

/// A notice about a promise that its people see in their inbox once.
enum PromiseNotice: Hashable, Sendable {
    /// Asked to take part.
    case invitation(SpaceID)
    /// It was moved to a time that I have not agreed to.
    case confirmation(SpaceID)
    /// Half an hour is left until this time.
    case reminder(SpaceID, at: Timestamp)
    /// Sharing was interrupted; it continues only after the person says so.
    case interruption(SpaceID)
    /// A participant arrived.
    case arrival(SpaceID, PersonID)
    /// The maker changed it.
    case change(SpaceID)
    /// The maker deleted it.
    case deletion(SpaceID)
    /// It is past, and I took part.
    case result(SpaceID)

    /// The kind of these inbox items, which is also the noun of the commands that answer them.
    static let kind: InboxKind = "promise"

    /// The reference that identifies it; that of a question is the promise's id, which the
    /// answering commands take as a parameter. A promise has one question at a time.
    var reference: String {
        switch self {
        case .invitation(let id), .confirmation(let id): "\(id)"
        case .reminder(let id, let at): "\(id)-at-\(at.milliseconds)"
        case .interruption(let id): "\(id)-stopped"
        case .arrival(let id, let person): "\(id)-\(person.description.prefix(16))"
        case .change(let id): "\(id)-changed"
        case .deletion(let id): "\(id)-deleted"
        case .result(let id): "\(id)-result"
        }
    }

    /// Returns what tells this posting from others with the same reference; nil if there are no
    /// others. My devices post each once.
    func occasion(in promise: Promise) -> String? {
        switch self {
        case .change, .reminder: promise.termsName
        case .arrival(_, let person): promise.ranking.rank(of: person).map { "rank-\($0)" }
        case .invitation, .confirmation, .interruption, .deletion, .result: nil
        }
    }

    /// Returns the person it comes from; nil if it comes from the clock or this device.
    func person(in promise: Promise) -> PersonID? {
        switch self {
        case .invitation, .confirmation, .change, .deletion: promise.maker
        case .arrival(_, let person): person
        case .reminder, .interruption, .result: nil
        }
    }

    /// Whether an item with this reference is useful only while it is true. Arrivals, deletions
    /// and results are news: they stay until they were seen.
    static func isPassing(_ reference: String) -> Bool {
        let parts = reference.split(separator: "-")
        return parts.count < 2 || ["at", "stopped", "changed"].contains(parts[1])
    }

    /// Returns the notices to post, perhaps again, after a promise was read again: I am asked
    /// again, the terms I was asked or agreed to have changed, or a participant arrived before one
    /// whose arrival was told.
    static func renewed(from old: Promise, to new: Promise, for me: PersonID) -> [PromiseNotice] {
        let states = (old.person(me)?.state, new.person(me)?.state)
        var notices: [PromiseNotice] = []
        let isChanged = new.maker != me && !new.hasSameTerms(as: old)
        switch states {
        case (_, .invited) where isChanged, (.left, .invited), (.removed, .invited):
            notices.append(.invitation(new.id))
        case (.member, .member) where isChanged: notices.append(.change(new.id))
        default: break
        }
        if !new.hasSameTerms(as: old) { notices.append(.reminder(new.id, at: new.at)) }
        let (before, after) = (old.ranking, new.ranking)
        notices += new.participants.map(\.person).filter { person in
            before.rank(of: person).map { $0 != after.rank(of: person) } ?? false
        }.map { .arrival(new.id, $0) }
        return notices
    }
}

/// The inbox: adds and removes the items that follow from promises. Repeating it changes nothing.
extension Promises {
    func reconcileInbox() async throws {
        guard inboxUpdate.request() else { return }
        try await inboxUpdate.run { try await updateInbox() }
    }

    private func updateInbox() async throws {
        let again = renewed
        renewed = []
        let posted = try await context.core.inboxReferences(ofKind: PromiseNotice.kind)
        var wanted: [(notice: PromiseNotice, promise: Promise)] = []
        for promise in try await readOver() + current {
            for notice in notices(promise) {
                // A former mate asks for nothing any more.
                if notice == .invitation(promise.id),
                    try await context.core.relation(to: promise.maker) != .mate
                {
                    continue
                }
                wanted.append((notice, promise))
            }
            let change = PromiseNotice.change(promise.id)
            if isAhead(promise), sharingState(of: promise) != .unconfirmed,
                again.contains(change) || posted[change.reference] == false
            {
                wanted.append((change, promise))
            }
        }
        let isTrue = Set(wanted.map(\.notice.reference))
        let open = posted.filter { !$0.value && PromiseNotice.isPassing($0.key) }.keys
        try await context.core.updateInbox(
            ofKind: PromiseNotice.kind, isTrue: isTrue, isOver: Set(open).subtracting(isTrue))
        let new = wanted.filter {
            posted[$0.notice.reference] == nil || again.contains($0.notice)
        }
        guard !new.isEmpty else { return }
        let names = try await names(in: new.map(\.promise))
        var standing: Standing?
        for (notice, promise) in new {
            if notice == .result(promise.id), standing == nil { standing = try await myStanding() }
            let item = item(notice, of: promise, names, standing)
            try await context.core.postToInbox(item)
            try await context.desktop.notify(desktopNotice(notice, of: promise, names, item))
        }
    }

    /// Returns how well I keep promises.
    private func myStanding() async throws -> Standing? {
        Ledger(try await readMine(), now: now).standings[context.me]
    }

    /// Whether I take part in a promise whose time has not come.
    private func isAhead(_ promise: Promise) -> Bool {
        !promise.isDeleted && promise.includes(context.me) && now < promise.at
    }

    private func notices(_ promise: Promise) -> [PromiseNotice] {
        let (id, phase) = (promise.id, promise.phase(now: now))
        let state = promise.person(context.me)?.state
        let isAhead = now < promise.at
        if promise.isDeleted {
            let isNews = state == .member && isAhead && promise.maker != context.me
            return isNews ? [.deletion(id)] : []
        }
        var notices: [PromiseNotice] = []
        if state == .invited, isAhead { notices.append(.invitation(id)) }
        if sharingState(of: promise) == .unconfirmed { notices.append(.confirmation(id)) }
        guard state == .member, phase != .scheduled else { return notices }
        if phase == .past { notices.append(.result(id)) }
        if phase == .tracking, isAhead { notices.append(.reminder(id, at: promise.at)) }
        if sharingState(of: promise) == .interrupted { notices.append(.interruption(id)) }
        let ranking = promise.ranking
        notices += promise.participants.map(\.person).filter { ranking.rank(of: $0) != nil }
            .map { .arrival(id, $0) }
        return notices
    }

    private func item(
        _ notice: PromiseNotice, of promise: Promise, _ names: [PersonID: String],
        _ standing: Standing?
    ) -> InboxItem {
        let location: Sentence =
            promise.locationName.map { "at \($0)" } ?? "at the location on the map"
        let left = AgeText.spanInTwoUnits(promise.at - now)
        let maker = names.sentence(for: promise.maker)
        let (title, body, actions): (Sentence, Sentence, [String]) =
            switch notice {
            case .invitation:
                (
                    "\(maker) invites you to \(promise.title)",
                    "In \(left), \(location).\(costs(of: promise))",
                    ["accept", "leave"]
                )
            case .confirmation: question(about: promise, maker)
            case .reminder: reminder(of: promise, location)
            case .interruption:
                (
                    "\(promise.title): your location is now hidden",
                    "Waggle stopped while you were on the way. Show your location again if you "
                        + "like.", []
                )
            case .change:
                (
                    "\(maker) changed \(promise.title)",
                    "It is in \(left) now, \(location).\(costs(of: promise))", []
                )
            case .arrival(_, let person): arrival(of: person, in: promise, names)
            case .deletion:
                (
                    "\(maker) called off \(promise.title)",
                    "It would have begun in \(left), \(location).", []
                )
            case .result: result(of: promise, standing)
            }
        return InboxItem(
            kind: PromiseNotice.kind, reference: notice.reference, title: title, body: body,
            actions: actions, from: notice.person(in: promise),
            occasion: notice.occasion(in: promise))
    }

    /// The sentence about being late, after a space; empty if it costs nothing.
    private func costs(of promise: Promise) -> Sentence {
        promise.penalty == 0 ? "" : " Being late costs \(PotatoText.count(promise.penalty))."
    }

    /// Asks whether I agree to a promise's present time.
    private func question(
        about promise: Promise, _ maker: Sentence
    ) -> (Sentence, Sentence, [String]) {
        let (now, begins) = (now, promise.at - PromiseLimits.tracking)
        let at = MomentText.text(promise.at, now: now)
        let from: Sentence = begins > now ? MomentText.text(begins, now: now) : "now on"
        let isMoved = myConsent(promise).agreed != nil
        return (
            isMoved ? "\(maker) moved \(promise.title) to \(at)" : "\(promise.title) at \(at)",
            "Show your location from \(from)? Nobody sees it until you confirm the time.",
            ["confirm", "leave"]
        )
    }

    private func reminder(
        of promise: Promise, _ location: Sentence
    ) -> (Sentence, Sentence, [String]) {
        let sharing: Sentence =
            switch sharingState(of: promise) {
            case .unconfirmed: "Nobody sees your location until you confirm the time."
            case .stopped: "Nobody sees your location, because you stopped showing it."
            default: "The others see your location until you arrive."
            }
        let left: Sentence = "in \(AgeText.spanInTwoUnits(promise.at - now))"
        return (
            "\(promise.title) \(left)",
            "Meet \(location). \(sharing)", []
        )
    }

    private func arrival(
        of person: PersonID, in promise: Promise, _ names: [PersonID: String]
    ) -> (Sentence, Sentence, [String]) {
        let lateness = promise.person(person).map { promise.lateness(of: $0, now: now) }
        let text = (lateness ?? .open).text
        let rank = promise.ranking.rank(of: person).map { Ranking.ordinal($0) }
        guard person != context.me else {
            return (
                rank.map { "You arrived, \($0)" } ?? "You arrived",
                "\(promise.title): \(text), according to your device.", []
            )
        }
        let name = names.sentence(for: person)
        return (
            rank.map { "\(name) arrived, \($0)" } ?? "\(name) arrived",
            "\(promise.title): \(text), according to their device.", []
        )
    }

    /// Tells me how I did: my rank, my lateness, and the title that follows.
    private func result(
        of promise: Promise, _ standing: Standing?
    ) -> (Sentence, Sentence, [String]) {
        let lateness = promise.person(context.me).map { promise.lateness(of: $0, now: now) }
        let text = (lateness ?? .noShow).text
        let title = Sentence(declared: (standing?.title ?? .newcomer).rawValue)
        let count = promise.participants.count
        return (
            promise.ranking.rank(of: context.me).map {
                "\(promise.title): \(Ranking.ordinal($0)) of \(count), \(text)"
            } ?? "\(promise.title): you \(text)",
            standing?.keptPercent.map {
                "You kept \(Int($0))% of your promises: \(title)."
            } ?? "\(title).", []
        )
    }
}
