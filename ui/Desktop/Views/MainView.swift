import GtkKit
import PromisesPanel

/// The window's main page: the map, and beside it who is here, the mates, the requests, the chat
/// and the button to drop.
@MainActor
final class MainView: Box {
    let map = MapPane()
    let mates: MateListView
    let requests = RequestListView()

    let nearby = NearbyCard()
    private let pages = Stack()

    /// A page with the chat's and the promises' own pages in it and the drop's own button at the
    /// end.
    init(
        chat: Widget, promises: Widget, dropButton: Widget,
        onDrop: @escaping @MainActor () -> Void
    ) {
        mates = MateListView(onDrop: onDrop)
        super.init(.across)
        pages.add(Scroller(mates), named: "mates", title: "Mates")
        pages.add(Scroller(requests), named: "requests", title: "Requests")
        pages.add(chat, named: "chat", title: "Chat")
        pages.add(Scroller(promises), named: "promises", title: "Promises")
        let side = Box(
            .down,
            [
                nearby,
                StackSwitcher(of: pages).margin(across: 12, down: 6).aligned(.centre, .centre),
                pages.expanding(down: true),
                dropButton.margin(12),
            ])
        append(map.expanding(across: true, down: true))
        append(Separator(.down))
        // Asked not to expand, or what expands inside would take room from the map.
        append(side.minimum(width: 300).expanding())
    }

    /// Brings the requests to the front.
    func showRequests() {
        pages.show("requests")
    }

    /// Says what is unread in the chat.
    func setChatTitle(_ title: String) {
        pages.setTitle(title, of: "chat")
    }

    /// Shows a picture, and what of a promise stands on the map, as it is at `now`.
    func show(_ picture: Picture, promise places: [PromisePlace], now: Duration) {
        let nowMs = picture.nodeTimeMs(at: now)
        nearby.show(picture.nearby)
        nearby.show(picture.visibility, takenAt: picture.visibilityTakenAt, now: now)
        mates.show(picture, nowMs: nowMs)
        requests.show(picture, now: now)
        map.canvas.show(MapMarker.all(in: picture, promise: places, nowMs: nowMs))
        pages.setTitle(Self.count("Mates", picture.mates.mates.count), of: "mates")
        let open = picture.walks.requests.filter { $0.state.isOpen }.count
        pages.setTitle(
            Self.count("Requests", open + picture.otherItems.count), of: "requests")
    }

    private static func count(_ word: String, _ count: Int) -> String {
        count == 0 ? word : "\(word) (\(count))"
    }
}
