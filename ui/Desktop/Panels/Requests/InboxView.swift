import Contract
import GtkKit
import PanelKit

/// The page of the inbox: what waits for the user, what waits for others, and what is handled.
@MainActor
final class InboxView: Box {
    /// The texts and actions of a row now.
    struct Content {
        var entry: InboxEntry
        var title: String
        var detail: String
        var state: String
        /// The name for the initials, which may be empty, and the key for the colour; nil shows a
        /// symbol.
        var person: (key: Key, name: String)?
        var actions: [PanelAction]
    }

    private let empty = Label(
        localized("Nothing is waiting for you. Walk requests, invitations and news appear here.")
    )
    .styled("dim").width(characters: sideCharacters).role(.status)
    private let sections: [InboxEntry.Standing: InboxSection] = [
        .waitsForMe: InboxSection(localized("Waiting for you")),
        .waitsForOthers: InboxSection(localized("Waiting for others")),
        .handled: InboxSection(localized("Earlier")),
    ]

    init() {
        super.init(.down, spacing: 16)
        styled("page")
        append(empty)
        for standing in InboxEntry.Standing.allCases {
            if let section = sections[standing] { append(section) }
        }
    }

    /// Shows rows in their order.
    func show(_ rows: [Content]) {
        empty.isVisible = !rows.contains { $0.entry.standing == .waitsForMe }
        for (standing, section) in sections {
            section.show(rows.filter { $0.entry.standing == standing })
        }
    }
}

/// Rows of the inbox under one heading; nothing is shown while there are none.
@MainActor
final class InboxSection: Box {
    private let list = Box(.down).styled("list-box").role(.list)
    private let more = Button(localized("Show older")).aligned(.start)
    private var rows: [RecordKey: InboxRow] = [:]
    private var shownMax = pageCount
    private var content: [InboxView.Content] = []

    /// The number of rows that are shown at first, and added for each press of the button.
    private static let pageCount = 30

    init(_ title: String) {
        super.init(.down, spacing: 8)
        list.named(title)
        for view in [Label(title).styled("heading"), list, more] { append(view) }
        more.onClick { [weak self] in
            guard let self else { return }
            shownMax += Self.pageCount
            show(content)
        }
        hidden()
    }

    /// Shows these rows; those that stay keep their position and focus.
    func show(_ content: [InboxView.Content]) {
        self.content = content
        let shown = content.prefix(shownMax)
        let wanted = Set(shown.map(\.entry.id))
        rows = rows.filter { wanted.contains($0.key) }
        for content in shown {
            let row = rows[content.entry.id] ?? InboxRow(content)
            rows[content.entry.id] = row
            row.show(content)
        }
        list.replaceChildren(with: shown.compactMap { rows[$0.entry.id] })
        more.isVisible = content.count > shown.count
        isVisible = !content.isEmpty
    }
}

/// One row of the inbox, with the buttons that answer it.
@MainActor
final class InboxRow: Box {
    private let title = Label().styled("row-title").width(characters: 28)
    private let detail = Label().styled("row-detail").width(characters: 28)
    private let state = Label().styled("dim").width(characters: 28)
    private let buttons = Box(.across, spacing: 6)
    private let avatar: Avatar?
    private var actions: [PanelAction] = []

    init(_ content: InboxView.Content) {
        avatar = content.person.map { Avatar(key: $0.key.string) }
        super.init(.across, spacing: 12)
        styled("item").role(.listItem)
        append(
            (avatar ?? Icon("mail-unread-symbolic", pixels: 20).minimum(width: 40))
                .aligned(.centre, .start))
        append(
            Box(.down, spacing: 2, [title, detail, state, buttons.margin(across: 0, down: 4)])
                .expanding(across: true))
    }

    /// Shows the entry with its answers.
    func show(_ content: InboxView.Content) {
        if let name = content.person?.name { avatar?.show(name: name) }
        title.text = content.title
        detail.text = content.detail
        detail.isVisible = !content.detail.isEmpty
        state.text = content.state
        setStyle("dim", on: content.entry.standing == .handled)
        named("\(content.title). \(content.state)")
        let isSame = content.actions.map(\.title) == actions.map(\.title)
        actions = content.actions
        guard !isSame else { return }
        buttons.isVisible = !actions.isEmpty
        buttons.replaceChildren(
            with: actions.indices.map { index in
                let button = Button(actions[index].title) { [weak self] in
                    guard let self, actions.indices.contains(index) else { return }
                    actions[index].perform()
                }
                return button.named("\(actions[index].title): \(content.title)")
            })
    }
}
