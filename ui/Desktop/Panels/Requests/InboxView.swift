import Contract
import GtkKit
import PanelKit

/// The page of the inbox: what waits for the user, what is new, what waits for others, and what is
/// handled.
@MainActor
final class InboxView: Box {
    private let empty = Label(
        localized("Nothing new. Walk requests, invitations and news appear here.")
    )
    .styled("dim").width(characters: sideCharacters).role(.status)
    private let sections: [InboxEntry.Standing: InboxSection] = [
        .waitsForMe: InboxSection(localized("Waiting for your answer")),
        .news: InboxSection(localized("New")),
        .waitsForOthers: InboxSection(localized("Waiting for others")),
        .handled: InboxSection(localized("Earlier")),
    ]

    /// The width from which all buttons of a row are beside its text, in pixels.
    private static let wideMin = 480.0

    init() {
        super.init(.down, spacing: 16)
        styled("page")
        append(empty)
        for standing in InboxEntry.Standing.allCases {
            if let section = sections[standing] { append(section) }
        }
        onResize { [weak self] size in
            guard let self else { return }
            for section in sections.values { section.isWide = size.width >= Self.wideMin }
        }
    }

    /// Shows entries in their order.
    /// - Parameter content: returns the texts of an entry; only those in view are asked for.
    func show(
        _ entries: [InboxEntry], content: @escaping @MainActor (InboxEntry) -> InboxRow.Content?
    ) {
        empty.isVisible = !entries.contains { [.waitsForMe, .news].contains($0.standing) }
        for (standing, section) in sections {
            section.show(entries.filter { $0.standing == standing }, content: content)
        }
    }
}

/// Rows of the inbox under one heading; nothing is shown while there are none.
@MainActor
final class InboxSection: Box {
    /// Whether there is room for all buttons beside the texts.
    var isWide = false {
        didSet {
            guard isWide != oldValue else { return }
            for row in rows.values { row.isWide = isWide }
        }
    }

    private let list = Box(.down).styled("list-box").role(.list)
    private let more = Button(localized("Show older")).aligned(.start)
    private var rows: [RecordKey: InboxRow] = [:]
    private var shownMax = pageCount
    private var entries: [InboxEntry] = []
    private var content: @MainActor (InboxEntry) -> InboxRow.Content? = { _ in nil }

    /// The number of rows that are shown at first, and added for each press of the button.
    private static let pageCount = 30

    init(_ title: String) {
        super.init(.down, spacing: 8)
        list.named(title)
        for view in [Label(title).styled("heading"), list, more] { append(view) }
        more.onClick { [weak self] in
            guard let self else { return }
            shownMax += Self.pageCount
            show(entries, content: content)
        }
        hidden()
    }

    /// Shows these entries; rows that stay keep their position and focus.
    func show(
        _ entries: [InboxEntry], content: @escaping @MainActor (InboxEntry) -> InboxRow.Content?
    ) {
        self.entries = entries
        self.content = content
        let shown = entries.prefix(shownMax)
        let wanted = Set(shown.map(\.id))
        rows = rows.filter { wanted.contains($0.key) }
        for entry in shown {
            guard let content = content(entry) else { continue }
            let row = rows[entry.id] ?? InboxRow(content, isWide: isWide)
            rows[entry.id] = row
            row.show(content)
        }
        list.replaceChildren(with: shown.compactMap { rows[$0.id] })
        more.isVisible = entries.count > shown.count
        isVisible = !entries.isEmpty
    }
}
