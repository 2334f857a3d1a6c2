import GtkKit
import PanelKit

/// The page: the rooms and the open one beside each other if there is room for both, else one of
/// them.
@MainActor
final class ChatSplitView: Box {
    /// Called when it shows both, or one of them, from now on.
    var onSplit: @MainActor () -> Void = {}

    /// The rooms, which are as wide as they are told whatever their texts are.
    private let rooms: Widget
    private let room: Widget
    private let empty: Widget
    private let divider = Separator(.down)
    /// Whether a room is open.
    private var isOpen = false
    /// Whether rooms and room are beside each other.
    private(set) var isSplit = true

    /// Both are beside each other from this width on, in pixels at the usual size of text.
    private static let splitWidthMin = 520.0
    /// The widths of the list of rooms beside a room, in pixels at the usual size of text.
    private static let roomsWidths = 200.0...320.0

    /// Creates a view of the list of rooms and of a room.
    init(rooms: Widget, room: Widget) {
        self.rooms = Adaptive(rooms) { _ in }
        self.room = room
        empty = StatusPage(
            icon: "user-available-symbolic", title: localized("No chat open"),
            sentence: localized("Choose one on the left."))
        super.init(.down)
        let both = Box(
            .across,
            [
                self.rooms.expanding(down: true), divider, room.expanding(across: true, down: true),
                empty.expanding(across: true, down: true),
            ])
        append(
            Adaptive(both) { [weak self] in self?.divide($0) }.expanding(across: true, down: true))
        show(isOpen: false)
    }

    /// Shows the room, or that none is open.
    func show(isOpen: Bool) {
        self.isOpen = isOpen
        rooms.isVisible = isSplit || !isOpen
        divider.isVisible = isSplit
        room.isVisible = isOpen
        empty.isVisible = isSplit && !isOpen
        // Beside a room the list keeps its width; alone it takes all of it.
        rooms.expanding(across: !isSplit, down: true)
    }

    /// Divides this width, in pixels.
    private func divide(_ width: Double) {
        // Names are not cut with large text: the list needs more width then.
        let usual = width / TextScale.now
        isSplit = usual >= Self.splitWidthMin
        let part = min(max(usual / 3, Self.roomsWidths.lowerBound), Self.roomsWidths.upperBound)
        rooms.minimum(width: isSplit ? Int32(part * TextScale.now) : -1)
        show(isOpen: isOpen)
        onSplit()
    }
}
