import GtkKit
import Location

/// The bars at the top of the window: one for each walk request that waits for an answer.
@MainActor
final class RequestBars: Box {
    /// Called with the id of a request and whether it is accepted.
    var onAnswer: @MainActor (String, RequestRow.Answer) -> Void = { _, _ in }

    /// More than this many at once are left to the list.
    static let barsCountMax = 2

    private var bars: [String: Bar] = [:]

    init() {
        super.init(.down)
    }

    /// Shows the requests that are still open at `now`.
    func show(_ picture: Picture, now: Duration) {
        let open = picture.walks.requests.filter(\.awaitsMyAnswer)
            .sorted { $0.createdMs < $1.createdMs }.prefix(Self.barsCountMax)
        let names = picture.mates.names
        bars = bars.filter { bar in open.contains { $0.id == bar.key } }
        for request in open {
            let text = RequestText(
                request, name: names[request.person] ?? request.name ?? "Somebody")
            let left = request.secondsLeft.map {
                Countdown(secondsLeft: $0, takenAt: picture.walksTakenAt).text(at: now)
            }
            let distance = picture.distance(to: request.coordinate)
                .flatMap(DistanceText.text).map { "\($0) from you" }
            let parts = [text.detail, distance, left].compactMap { $0 }
            bar(for: request.id).say(text.title, detail: parts.joined(separator: " · "))
        }
        replaceChildren(with: open.compactMap { bars[$0.id] })
    }

    private func bar(for id: String) -> Bar {
        if let bar = bars[id] { return bar }
        let bar = Bar(icon: "mark-location-symbolic")
        bar.setButtons([
            Button("Decline") { [weak self] in self?.onAnswer(id, .decline) },
            Button("Accept") { [weak self] in self?.onAnswer(id, .accept) }.suggested(),
        ])
        bars[id] = bar
        return bar
    }
}
