import Contract
import FeaturesAPI
import Location
import PanelKit

/// The walk requests and the inbox, as the node last reported them.
struct RequestsState: Equatable, Sendable {
    var walks = WalkList(requests: [])
    /// The time when the seconds of the requests were counted, on the window's clock.
    var countedAt = Duration.zero
    var inbox = InboxList(items: [])
    /// The items that the user has dismissed and may still put back.
    var dismissed: Set<RecordKey> = []

    /// The number of bars that are shown at most; the list has the other requests.
    static let barsCountMax = 2

    /// The requests that wait for an answer of this user, the oldest first.
    var waiting: [WalkRequest] {
        walks.requests.filter(\.awaitsMyAnswer).sorted { $0.createdMs < $1.createdMs }
    }

    /// All rows: those that wait for this user first, each part with the newest first. A walk
    /// request and the items about it are one row.
    var entries: [InboxEntry] {
        let items = Dictionary(grouping: inbox.items, by: Self.request(of:))
        let known = Set(walks.requests.map(\.id.string))
        let walkEntries = walks.requests.map { request in
            InboxEntry(request, items: items[request.id.string] ?? [], dismissed: dismissed)
        }
        let others = inbox.items.filter { !known.contains(Self.request(of: $0)) }
            .map { InboxEntry($0, dismissed: dismissed) }
        return (walkEntries + others).sorted {
            ($0.standing.rawValue, $1.at, $0.id) < ($1.standing.rawValue, $0.at, $1.id)
        }
    }

    /// Returns the id of the request that an item is about, with which its reference begins.
    private static func request(of item: InboxList.Item) -> String {
        String(item.ref?.string.prefix { $0 != "-" } ?? "")
    }

    /// The number of rows in which a person waits for this user's answer. News, such as an arrival
    /// or a result, is not counted.
    var waitingCount: Int { entries.count { $0.standing == .waitsForMe } }

    /// Returns the time of a request that runs down; nil if it has none.
    func countdown(of request: WalkRequest) -> Countdown? {
        request.secondsLeft.map { Countdown(timeLeft: .seconds($0.value), measuredAt: countedAt) }
    }

    /// The time after its beginning for which a walk is taken to last.
    static let walkTime = Duration.seconds(10_800)

    /// Whether a walk is to come or under way: it is open and its time is not up, or it was
    /// accepted and began less than ``walkTime`` ago.
    private func isAhead(_ walk: WalkRequest, now: Duration, time: Timestamp) -> Bool {
        if walk.state == .accepted {
            return time - (walk.atMs ?? walk.createdMs) < Self.walkTime
        }
        return walk.state.isOpen && countdown(of: walk).map { $0.left(at: now) > .zero } ?? true
    }

    /// Returns the markers of the walks that are to come or under way.
    /// - Parameters:
    ///   - now: the time on the window's clock.
    ///   - time: the time on the node's clock.
    func markers(names: [Key: String], now: Duration, time: Timestamp) -> [MapMarker] {
        walks.requests.filter { isAhead($0, now: now, time: time) }.map { walk in
            let name = names[walk.person] ?? walk.name?.string ?? localized("a mate")
            return MapMarker(
                id: walk.id.string, symbol: .flag, coordinate: walk.coordinate,
                title: localized("Walk with \(name)"),
                detail: walk.locationName?.string ?? "",
                offer: .location(walk.coordinate, name: walk.locationName?.string))
        }
    }

    /// Returns the bars of the requests that wait for an answer.
    /// - Parameters:
    ///   - now: the time on the window's clock.
    ///   - time: the time on the node's clock.
    @MainActor
    func bars(
        _ people: People, now: Duration, time: Timestamp,
        onAnswer: @escaping @MainActor (RecordKey, _ isYes: Bool) -> Void
    ) -> [PanelBar] {
        waiting.prefix(Self.barsCountMax).map { request in
            let text = RequestText(request, names: people.names)
            let distance = people.distance(to: request.coordinate)
                .flatMap(DistanceText.text).map { localized("\($0) from you") }
            let left = countdown(of: request)?.text(at: now)
            return PanelBar(
                id: request.id.string, icon: "mark-location-symbolic", title: text.title,
                detail: [text.detail(now: time), distance, left].compactMap { $0 }
                    .joined(separator: " · "),
                answers: [
                    PanelAction(localized("Decline")) { onAnswer(request.id, false) },
                    PanelAction(localized("Accept"), isSuggested: true) {
                        onAnswer(request.id, true)
                    },
                ])
        }
    }
}
