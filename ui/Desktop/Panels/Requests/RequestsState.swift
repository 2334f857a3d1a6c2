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

    /// The number of bars that are shown at most; the list has the other requests.
    static let barsCountMax = 2

    /// The requests that wait for an answer of this user, the oldest first.
    var waiting: [WalkRequest] {
        walks.requests.filter(\.awaitsMyAnswer).sorted { $0.createdMs < $1.createdMs }
    }

    /// The inbox without the walk requests, which have separate rows; the newest first.
    var otherItems: [InboxList.Item] {
        let requests = Set(walks.requests.map(\.id.string))
        return inbox.items.filter { !$0.handled && !requests.contains($0.ref?.string ?? "") }
            .sorted { $0.atMs > $1.atMs }
    }

    /// The requests that are open and the items of the inbox.
    var openCount: Int {
        walks.requests.count { $0.state.isOpen } + otherItems.count
    }

    /// Returns the time of a request that runs down; nil if it has none.
    func countdown(of request: WalkRequest) -> Countdown? {
        request.secondsLeft.map { Countdown(timeLeft: .seconds($0.value), measuredAt: countedAt) }
    }

    /// Returns the markers of the walks that are open or agreed.
    func markers(names: [Key: String]) -> [MapMarker] {
        walks.requests.filter { $0.state.isOpen || $0.state == .accepted }.map { walk in
            let name = names[walk.person] ?? walk.name?.string ?? "someone"
            return MapMarker(
                id: walk.id.string, symbol: .flag, coordinate: walk.coordinate,
                title: "Walk with \(name)",
                detail: walk.locationName?.string ?? "",
                offer: .location(walk.coordinate, name: walk.locationName?.string))
        }
    }

    /// Returns the bars of the requests that wait for an answer.
    @MainActor
    func bars(
        _ people: People, now: Duration,
        onAnswer: @escaping @MainActor (RecordKey, RequestAnswer) -> Void
    ) -> [PanelBar] {
        waiting.prefix(Self.barsCountMax).map { request in
            let text = RequestText(
                request, name: people.names[request.person] ?? request.name?.string ?? "Someone")
            let distance = people.distance(to: request.coordinate)
                .flatMap(DistanceText.text).map { "\($0) from you" }
            let left = countdown(of: request)?.text(at: now)
            return PanelBar(
                id: request.id.string, icon: "mark-location-symbolic", title: text.title,
                detail: [text.detail, distance, left].compactMap { $0 }.joined(separator: " · "),
                answers: [
                    PanelAction("Decline") { onAnswer(request.id, .decline) },
                    PanelAction("Accept", isSuggested: true) { onAnswer(request.id, .accept) },
                ])
        }
    }
}
