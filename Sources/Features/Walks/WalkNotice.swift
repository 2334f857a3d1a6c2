internal import FeaturesAPI
internal import PluginKit

/// News of a walk request, in the inbox and on the desktop: that it was made, and how it ended if
/// the other person or the clock ended it.
///
/// Each is an item of its own. So an answer that arrives after the request ran out, and after its
/// sender handled that news, is news again.
enum WalkNotice: Hashable, CaseIterable, Sendable {
    /// A mate asks me.
    case asked
    /// My request was accepted.
    case answered
    /// My request was declined.
    case declined
    /// My request ran out.
    case unanswered
    /// The request to me was cancelled after I was told of it.
    case cancelled

    /// The time after its end during which the end of a request is told.
    static let news = Duration.seconds(24 * 60 * 60)

    private var ending: String {
        switch self {
        case .asked: ""
        case .answered: "-answered"
        case .declined: "-declined"
        case .unanswered: "-unanswered"
        case .cancelled: "-cancelled"
        }
    }

    /// The reference of the inbox item about a request.
    func reference(_ id: EntityID) -> String { id.description + ending }

    /// The news that this one replaces: an answer may arrive after the request ran out, and two
    /// devices of one person may give two answers, of which the first one counts on all replicas.
    var replaced: [WalkNotice] {
        switch self {
        case .answered: [.unanswered, .declined]
        case .declined: [.unanswered, .answered]
        case .asked, .unanswered, .cancelled: []
        }
    }

    /// The references of all inbox items about a request.
    static func references(_ id: EntityID) -> [String] { allCases.map { $0.reference(id) } }

    /// Returns the notice with a reference and the id of its request; nil if it is none.
    static func named(_ reference: String) -> (notice: WalkNotice, id: EntityID)? {
        for notice in allCases where reference.hasSuffix(notice.ending) {
            if let id = EntityID(String(reference.dropLast(notice.ending.utf8.count))) {
                return (notice, id)
            }
        }
        return nil
    }

    /// Returns the notice that a request's state calls for now; nil if its end is mine, long ago or
    /// still ahead.
    /// - Parameter wasTold: whether I was told that a mate asks.
    static func ending(
        of request: StoredWalk, now: Timestamp, wasTold: Bool
    ) -> WalkNotice? {
        guard max(request.facts.created, request.facts.deadline) + news > now else { return nil }
        switch (request.facts.direction, request.facts.state(now: now)) {
        case (.sent, .accepted): return .answered
        case (.sent, .declined): return .declined
        case (.sent, .expired), (.sent, .notAnswered): return .unanswered
        case (.received, .cancelled) where wasTold: return .cancelled
        default: return nil
        }
    }

    /// Returns the first line.
    func title(of request: StoredWalk, name: Sentence, now: Timestamp) -> Sentence {
        let state = request.facts.state(now: now)
        return switch (self, state) {
        case (.asked, _): "\(name) asks for a walk"
        // Two devices of theirs may have answered apart; the first answer counts.
        case (.answered, .declined), (.declined, .declined): "\(name) declined your walk"
        case (.answered, _), (.declined, _): "\(name) accepted your walk"
        case (.unanswered, .notAnswered): "Your walk request did not reach \(name) in time"
        case (.unanswered, _): "\(name) did not answer your walk request"
        case (.cancelled, _): "\(name) cancelled the walk"
        }
    }

    /// Returns the notice for the desktop. Only an open request has buttons.
    func desktop(_ request: StoredWalk, name: Sentence, now: Timestamp) -> DesktopNotice {
        let state = request.facts.state(now: now)
        let title: Sentence =
            self == .asked && state != .pending
            ? "\(name) asked for a walk; the request has expired"
            : title(of: request, name: name, now: now)
        let id = RecordPrefix(RecordKey(request.id))
        return DesktopNotice(
            about: InboxSubject(Walks.inboxKind, reference(request.id)), from: request.person,
            title: title, body: request.summary, withoutText: title,
            actions: self == .asked && state == .pending
                ? [
                    DesktopNotice.Action("Accept", WalkCommands.accept, WalkReference(id: id)),
                    DesktopNotice.Action("Decline", WalkCommands.decline, WalkReference(id: id)),
                ] : [])
    }
}

extension StoredWalk {
    /// The message, with the name of the location if it has one.
    var summary: Sentence {
        Sentence(verbatim: message + (locationName.map { " (\($0))" } ?? ""))
    }

    /// Returns the other person's name; words if none is known.
    func name(in names: [PersonID: String]) -> Sentence {
        names[person].map(Sentence.init(verbatim:)) ?? "A mate without a name"
    }
}
