import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// A line of text on a page beside the map wraps after about this many characters, so that no text
/// makes the page wider.
let sideCharacters: Int32 = 38

/// The page of the people nearby: mates, other people, and what all of them can see of the user. If
/// there is nobody, it shows the reason and its remedy.
@MainActor
final class NearbyView: Box {
    private let summary = Label("Looking around…").styled("page-title").width(characters: 28)
    private let mates: NearbySection
    private let others: NearbySection
    private let unlinked = Label().styled("dim").width(characters: sideCharacters).hidden()
    private let reason = EmptyReasonView()
    private let ways = Box(.down, spacing: 8)
    private var shownWays: [String] = []
    /// Shows what others can see now.
    let visibility: VisibilityView

    /// Creates a page of the panel with this context.
    init(_ context: PanelContext) {
        mates = NearbySection("Here now", context)
        others = NearbySection("Other people", context)
        visibility = VisibilityView()
        super.init(.down, spacing: 16)
        styled("page")
        let found = Box(.down, spacing: 16, [summary, reason, ways, mates, others, unlinked])
        append(found.role(.status).named("Nearby"))
        append(visibility)
    }

    /// Shows the people nearby; nil shows that the node is still looking.
    func show(_ nearby: NearbyList?, now: Timestamp, waysToMeet: [PanelAction]) {
        summary.text = nearby?.summary ?? "Looking around…"
        let people = nearby?.people ?? []
        mates.show(people.filter(\.mate), now: now)
        others.show(people.filter { !$0.mate }, now: now)
        unlinked.text = nearby?.unlinkedText ?? ""
        unlinked.isVisible = nearby?.unlinkedText != nil
        reason.show(nearby?.emptyReason)
        ways.isVisible = people.isEmpty
        guard waysToMeet.map(\.title) != shownWays else { return }
        shownWays = waysToMeet.map(\.title)
        ways.replaceChildren(with: waysToMeet.map { $0.makeButton().aligned(.start) })
    }
}

/// People nearby under one heading; nothing is shown while there are none.
@MainActor
final class NearbySection: Box {
    private let context: PanelContext
    private let list = Box(.down).styled("list-box").role(.list)
    private var rows: [Key: NearbyRow] = [:]

    init(_ title: String, _ context: PanelContext) {
        self.context = context
        super.init(.down, spacing: 8)
        list.named(title)
        append(Label(title).styled("heading"))
        append(list)
        hidden()
    }

    /// Shows these people; rows that stay keep their position and focus.
    func show(_ people: [NearbyList.Person], now: Timestamp) {
        let wanted = Set(people.map(\.device))
        rows = rows.filter { wanted.contains($0.key) }
        for person in people {
            let row = rows[person.device] ?? NearbyRow(person, context)
            rows[person.device] = row
            row.show(person, now: now)
        }
        list.replaceChildren(with: people.compactMap { rows[$0.device] })
        isVisible = !people.isEmpty
    }
}

/// The first cause that prevents people from being found, with its fix as a text to copy.
@MainActor
final class EmptyReasonView: Box {
    private let cause = Label().width(characters: sideCharacters)
    private let fix = Label().styled("command").selectable().named("What to do")
        .width(characters: sideCharacters)

    init() {
        super.init(.down, spacing: 8, [])
        append(cause)
        append(fix)
        hidden()
    }

    /// Shows a reason; nil shows nothing.
    func show(_ reason: NearbyList.EmptyReason?) {
        cause.text = reason?.cause.string ?? ""
        fix.text = reason?.fix.string ?? ""
        isVisible = reason != nil
    }
}
