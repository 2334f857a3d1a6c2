internal import PluginKit

/// Something about a promise that its people should see in their inbox, once.
enum PromiseNotice: Hashable, Sendable {
    /// Asked to take part.
    case invitation(SpaceID)
    /// Half an hour to go, to this time.
    case reminder(SpaceID, atMs: Int64)
    /// Sharing was interrupted; it goes on once its person says so.
    case interruption(SpaceID)
    /// Somebody arrived.
    case arrival(SpaceID, PersonID)
    /// The maker changed it.
    case change(SpaceID)
    /// The maker deleted it.
    case deletion(SpaceID)

    /// The inbox's word for them, which is also the noun of the commands that answer.
    static let kind = "promise"

    /// What tells it from others; an invitation's is the promise's id, which answers take.
    var reference: String {
        switch self {
        case .invitation(let id): "\(id)"
        case .reminder(let id, let atMs): "\(id)-at-\(atMs)"
        case .interruption(let id): "\(id)-stopped"
        case .arrival(let id, let person): "\(id)-\(person.description.prefix(16))"
        case .change(let id): "\(id)-changed"
        case .deletion(let id): "\(id)-deleted"
        }
    }

    /// Whom it comes from; nil for what the clock or this device says.
    func person(in promise: Promise) -> PersonID? {
        switch self {
        case .invitation, .change, .deletion: promise.maker
        case .arrival(_, let person): person
        case .reminder, .interruption: nil
        }
    }

    /// Whether an item of this reference is of use no longer than what it says is so. Arrivals and
    /// deletions are news: they stay until somebody has seen them.
    static func isPassing(_ reference: String) -> Bool {
        let parts = reference.split(separator: "-")
        return parts.count < 2 || ["at", "stopped", "changed"].contains(parts[1])
    }

    /// What is to be told, perhaps once more, of a promise that was read anew: that I am asked
    /// again, that what I am asked or agreed to is another thing now, and that somebody came
    /// before one of whom I was told.
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
        if !new.hasSameTerms(as: old) { notices.append(.reminder(new.id, atMs: new.atMs)) }
        let (before, after) = (old.ranking, new.ranking)
        notices += new.participants.map(\.person).filter { person in
            before.rank(of: person).map { $0 != after.rank(of: person) } ?? false
        }.map { .arrival(new.id, $0) }
        return notices
    }
}

/// The inbox: what follows from promises is put in and taken out. Doing it again changes nothing.
extension Promises {
    func reconcileInbox() async throws {
        inboxWork.isStale = true
        guard !inboxWork.isOn else { return }
        inboxWork.isOn = true
        defer { inboxWork.isOn = false }
        while inboxWork.isStale {
            inboxWork.isStale = false
            try await putInboxInLine()
        }
    }

    private func putInboxInLine() async throws {
        let again = renewed
        renewed = []
        let posted = try await context.core.inboxReferences(ofKind: PromiseNotice.kind)
        var wanted: [(notice: PromiseNotice, promise: Promise)] = []
        for promise in try await readOver() + current {
            for notice in notices(promise) {
                if notice == .invitation(promise.id),
                    try await context.core.relation(to: promise.maker) == .blocked
                { continue }
                wanted.append((notice, promise))
            }
            let change = PromiseNotice.change(promise.id)
            if isAhead(promise), again.contains(change) || posted[change.reference] == false {
                wanted.append((change, promise))
            }
        }
        let references = Set(wanted.map(\.notice.reference))
        for (reference, isHandled) in posted.sorted(by: { $0.key < $1.key })
        where !isHandled && PromiseNotice.isPassing(reference) && !references.contains(reference) {
            try await context.core.settleInbox(reference: reference)
        }
        let new = wanted.filter {
            posted[$0.notice.reference] == nil || again.contains($0.notice)
        }
        guard !new.isEmpty else { return }
        let names = try await names(in: new.map(\.promise))
        for (notice, promise) in new {
            try await context.core.postToInbox(item(notice, of: promise, names))
        }
    }

    /// Whether I take part in what is still to come.
    private func isAhead(_ promise: Promise) -> Bool {
        !promise.isDeleted && promise.includes(context.me) && nowMs < promise.atMs
    }

    private func notices(_ promise: Promise) -> [PromiseNotice] {
        let (id, phase) = (promise.id, promise.phase(nowMs: nowMs))
        let state = promise.person(context.me)?.state
        let isAhead = nowMs < promise.atMs
        if promise.isDeleted {
            let isNews = state == .member && isAhead && promise.maker != context.me
            return isNews ? [.deletion(id)] : []
        }
        var notices: [PromiseNotice] = []
        if state == .invited, isAhead { notices.append(.invitation(id)) }
        guard state == .member, phase != .scheduled else { return notices }
        if phase == .tracking, isAhead { notices.append(.reminder(id, atMs: promise.atMs)) }
        if sharingState(of: promise) == .interrupted { notices.append(.interruption(id)) }
        let ranking = promise.ranking
        notices += promise.participants.map(\.person).filter { ranking.rank(of: $0) != nil }
            .map { .arrival(id, $0) }
        return notices
    }

    private func item(
        _ notice: PromiseNotice, of promise: Promise, _ names: [PersonID: String]
    ) -> InboxItem {
        let location = promise.place.map { "at \($0)" } ?? "at the place on the map"
        let left = DurationText.text(ms: promise.atMs - nowMs)
        let maker = names[promise.maker] ?? promise.maker.suffix
        let (title, body, actions): (String, String, [String]) =
            switch notice {
            case .invitation:
                (
                    "\(maker) asks you to promise: \(promise.title)",
                    "In \(left), \(location). Being late costs \(promise.penalty) potatoes.",
                    ["accept", "leave"]
                )
            case .reminder:
                (
                    "\(promise.title) in \(left)",
                    "Be there \(location). Who takes part sees where you are until you arrive.", []
                )
            case .interruption:
                (
                    "\(promise.title): you are not shown any more",
                    "The node ended on the way. 'promise share' goes on showing where you are.", []
                )
            case .change:
                (
                    "\(maker) changed \(promise.title)",
                    "It is in \(left) now, \(location). Being late costs \(promise.penalty) "
                        + "potatoes.", []
                )
            case .arrival(_, let person): arrival(of: person, in: promise, names)
            case .deletion:
                ("\(maker) called off \(promise.title)", "It was to be in \(left), \(location).", [])
            }
        return InboxItem(
            kind: PromiseNotice.kind, reference: notice.reference, title: title, body: body,
            actions: actions, from: notice.person(in: promise))
    }

    private func arrival(
        of person: PersonID, in promise: Promise, _ names: [PersonID: String]
    ) -> (String, String, [String]) {
        let rank = promise.ranking.rank(of: person).map { ", \(Ranking.ordinal($0))" } ?? ""
        let lateness = promise.person(person).map { promise.lateness(of: $0, nowMs: nowMs) }
        let name = person == context.me ? "You" : names[person] ?? person.suffix
        return (
            "\(name) arrived\(rank)",
            "\(promise.title): \((lateness ?? .open).text), as \(name == "You" ? "your" : "their") "
                + "device says.", []
        )
    }
}

/// A span of time in the two largest units that say something: "2 days 3 h", "25 min".
enum DurationText {
    /// The text of milliseconds; less than a minute, or the past, is "a moment".
    static func text(ms: Int64) -> String {
        let minutes = ms / 60_000
        let (days, hours) = (minutes / 1440, minutes % 1440 / 60)
        if days > 0 {
            return (days == 1 ? "1 day" : "\(days) days") + (hours > 0 ? " \(hours) h" : "")
        }
        if hours > 0 { return "\(hours) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "") }
        return minutes > 0 ? "\(minutes) min" : "a moment"
    }
}
