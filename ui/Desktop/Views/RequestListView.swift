import GtkKit

/// All walk requests, newest first, and after them what else the inbox holds.
@MainActor
final class RequestListView: Box {
    /// Called with the id of a walk request, or of an inbox item, and what to do about it.
    var onAnswer: @MainActor (String, RequestRow.Answer) -> Void = { _, _ in }

    private let list = Box(.down)
    private let empty = Label("No requests yet. Ask a mate for a walk, or wait to be asked.")
        .styled("dim").centred().width(characters: 28)
    private var rows: [String: RequestRow] = [:]

    init() {
        list.role(.list).named("Requests")
        super.init(.down)
        append(empty.margin(across: 12, down: 28))
        append(list)
    }

    /// Shows the requests and items of a picture, with the seconds that are left at `now`.
    func show(_ picture: Picture, now: Duration) {
        let nowMs = picture.nodeTimeMs(at: now)
        let names = picture.mates.names
        let requests = picture.walks.requests.sorted { $0.createdMs > $1.createdMs }
        let items = picture.otherItems
        let ids = requests.map(\.id) + items.map(\.id)
        rows = rows.filter { ids.contains($0.key) }
        for request in requests {
            let text = RequestText(
                request, name: names[request.person] ?? request.name ?? "Somebody")
            row(for: request.id).update(
                title: text.title, detail: text.detail,
                state: text.state(
                    countdown: request.secondsLeft.map {
                        Countdown(secondsLeft: $0, takenAt: picture.walksTakenAt)
                    }, now: now, nowMs: nowMs),
                answers: request.answers)
        }
        for item in items {
            row(for: item.id).update(
                title: item.title, detail: item.body,
                state: AgeText.spell(sinceMs: item.atMs, nowMs: nowMs), answers: [.handled])
        }
        list.replaceChildren(with: ids.compactMap { rows[$0] })
        empty.isVisible = ids.isEmpty
        list.isVisible = !ids.isEmpty
    }

    private func row(for id: String) -> RequestRow {
        if let row = rows[id] { return row }
        let row = RequestRow { [weak self] answer in self?.onAnswer(id, answer) }
        rows[id] = row
        return row
    }
}

extension WalkRequest {
    /// What this window's user can do about it.
    var answers: [RequestRow.Answer] {
        if awaitsMyAnswer { return [.accept, .decline] }
        return direction == .sent && state.isOpen ? [.cancel] : []
    }
}

extension Picture {
    /// What the inbox holds beside the walk requests, which have rows of their own.
    var otherItems: [InboxItem] {
        let requests = Set(walks.requests.map(\.id))
        return inbox.items.filter { !$0.handled && !requests.contains($0.ref ?? "") }
            .sorted { $0.atMs > $1.atMs }
    }
}
