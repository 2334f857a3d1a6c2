import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// All walk requests, the newest first, and after them the rest of the inbox.
@MainActor
final class RequestListView: Box {
    /// Called with the id of a walk request or an inbox item, and the user's answer to it.
    var onAnswer: @MainActor (RecordKey, RequestAnswer) -> Void = { _, _ in }

    private let list = Box(.down)
    private let empty = Label("No requests yet. Ask a mate for a walk, or wait to be asked.")
        .styled("dim").centred().width(characters: 28)
    private var rows: [RecordKey: RequestRow] = [:]

    init() {
        list.role(.list).named("Requests")
        super.init(.down)
        append(empty.margin(across: 12, down: 28))
        append(list)
    }

    /// Shows the requests and items, with the seconds that are left at `now`.
    func show(_ state: RequestsState, names: [Key: String], now: Duration, time: Timestamp) {
        let requests = state.walks.requests.sorted { $0.createdMs > $1.createdMs }
        let items = state.otherItems
        let ids = requests.map(\.id) + items.map(\.id)
        rows = rows.filter { ids.contains($0.key) }
        for request in requests {
            let text = RequestText(
                request, name: names[request.person] ?? request.name?.string ?? "Someone")
            let standing = text.state(
                countdown: state.countdown(of: request), now: now, time: time)
            row(for: request.id).update(
                title: text.title, detail: text.detail, state: standing, answers: request.answers)
        }
        for item in items {
            row(for: item.id).update(
                title: item.title.string, detail: item.body.string,
                state: AgeText.ago(since: item.atMs, now: time), answers: [.handled])
        }
        list.replaceChildren(with: ids.compactMap { rows[$0] })
        empty.isVisible = ids.isEmpty
        list.isVisible = !ids.isEmpty
    }

    private func row(for id: RecordKey) -> RequestRow {
        if let row = rows[id] { return row }
        let row = RequestRow { [weak self] answer in self?.onAnswer(id, answer) }
        rows[id] = row
        return row
    }
}
