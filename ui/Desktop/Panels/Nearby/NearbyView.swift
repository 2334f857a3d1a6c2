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
    /// Called when the user wants to look again.
    var onLookAgain: @MainActor () -> Void = {}
    /// Called when the user wants to add a person by their address.
    var onAddAddress: @MainActor () -> Void = {}

    private let context: PanelContext
    private let summary = Label(localized("Looking around…")).styled("page-title").width(
        characters: 22)
    private let mates: NearbySection
    private let others: NearbySection
    private let hint = Label(
        localized(
            "People with Waggle on the same network appear here automatically. When you stand "
                + "beside each other, press Drop.")
    ).styled("dim").width(characters: sideCharacters).hidden()
    private let reason = EmptyReasonView()
    private let ways = Box(.down, spacing: 8)
    private let practice = PracticeView()
    private var shownWays: [String] = []
    /// Shows what others can see now.
    let visibility: VisibilityView

    /// Creates a page of the panel with this context.
    init(_ context: PanelContext) {
        self.context = context
        mates = NearbySection(localized("Here now"), context)
        others = NearbySection(localized("Someone new"), context)
        visibility = VisibilityView()
        let again = Button(icon: "view-refresh-symbolic", name: localized("Look again")).flat()
        let address = Button(localized("Add by address…"))
        super.init(.down, spacing: 16)
        styled("page")
        let heading = Box(
            .across, [summary.expanding(across: true), again.aligned(.end, .start)])
        let found = Box(.down, spacing: 16, [heading, hint, reason, ways, mates, others])
        append(found.role(.group).named(localized("Nearby")))
        append(practice)
        append(visibility)
        append(address.aligned(.start))
        again.onClick { [weak self] in self?.onLookAgain() }
        address.onClick { [weak self] in self?.onAddAddress() }
    }

    /// Shows the people nearby; nil shows that the node is still looking.
    func show(
        _ nearby: NearbyList?, now: Timestamp, waysToMeet: [PanelAction], practice: PracticeOffer?
    ) {
        let isAlone = nearby?.isEmpty ?? false
        self.practice.show(practice.flatMap { $0.isOn || isAlone ? $0 : nil })
        summary.text = nearby?.summary ?? localized("Looking around…")
        let people = nearby?.people ?? []
        let announced = nearby?.announced ?? []
        mates.show(people.filter(\.mate), announced.filter(\.mate), now: now)
        others.show(
            people.filter { !$0.mate }, announced.filter { !$0.mate },
            unnamed: nearby?.unnamedTitle, now: now)
        reason.show(nearby?.emptyReason)
        ways.isVisible = people.isEmpty && announced.isEmpty
        hint.isVisible = nearby?.isEmpty ?? false
        guard waysToMeet.map(\.title) != shownWays else { return }
        shownWays = waysToMeet.map(\.title)
        ways.replaceChildren(with: waysToMeet.map { $0.makeButton().aligned(.start) })
    }
}

/// People nearby under one heading; nothing is shown while there are none.
@MainActor
final class NearbySection: Box {
    private let context: PanelContext
    private let list = RowList()
    private var rows: [String: NearbyRow] = [:]
    private let unnamedRow = ActionRow("", subtitle: localized("No name shown"))

    init(_ title: String, _ context: PanelContext) {
        self.context = context
        super.init(.down, spacing: 8)
        list.role(.list).named(title)
        let avatar = Avatar(key: "")
        avatar.show(name: "")
        unnamedRow.addPrefix(avatar)
        append(Label(title).styled("heading"))
        append(list)
        hidden()
    }

    /// Shows these people, and after them those who are announced and not linked yet, and the
    /// number of those without a name; rows that stay keep their position and focus.
    func show(
        _ people: [NearbyList.Person], _ announced: [NearbyList.Announced],
        unnamed: String? = nil, now: Timestamp
    ) {
        let nameless = people.filter(\.isUnnamed)
        let entries =
            people.map { person in
                NearbyEntry(
                    person, isOnlyUnnamed: nameless.count { $0.mate == person.mate } < 2,
                    way: way(to: person), now: now)
            } + announced.map { NearbyEntry($0, now: now) }
        let wanted = Set(entries.map(\.id))
        rows = rows.filter { wanted.contains($0.key) }
        for entry in entries {
            let row = rows[entry.id] ?? NearbyRow(entry, context)
            rows[entry.id] = row
            row.show(entry)
        }
        if let unnamed { unnamedRow.title = unnamed }
        let shown: [ActionRow] =
            entries.compactMap { rows[$0.id] } + (unnamed == nil ? [] : [unnamedRow])
        if !zip(list.rows, shown).allSatisfy({ $0 === $1 }) || list.rows.count != shown.count {
            list.replaceRows(with: shown)
        }
        isVisible = !shown.isEmpty
    }

    /// Returns the way to a mate, by the location that they share.
    private func way(to person: NearbyList.Person) -> String? {
        guard let key = person.person else { return nil }
        let mate = context.people.mates.first { $0.person == key }
        return context.people.way(to: mate?.location?.coordinate)
    }
}

/// The first cause that prevents people from being found, its fix, and the command for it with a
/// button that copies it.
@MainActor
final class EmptyReasonView: Box {
    private let cause = Label().width(characters: sideCharacters)
    private let fix = Label().styled("dim").width(characters: sideCharacters)
    private let command = Label().styled("command").selectable().named(localized("Command"))
        .width(characters: sideCharacters - 10)
    private let copy = Button(localized("Copy")).named(localized("Copy the command"))
    private let line: Box

    init() {
        line = Box(.across, spacing: 8, [command.expanding(across: true), copy])
        super.init(.down, spacing: 8)
        styled("reason")
        for view in [cause, fix, line] { append(view) }
        copy.aligned(.end, .centre).onClick { [weak self] in
            guard let self else { return }
            Clipboard.copy(command.text)
            show(isCopied: true)
        }
        hidden()
    }

    private func show(isCopied: Bool) {
        copy.text = isCopied ? localized("Copied") : localized("Copy")
        copy.named(isCopied ? localized("Copied") : localized("Copy the command"))
    }

    /// Shows a reason; nil shows nothing.
    func show(_ reason: NearbyList.EmptyReason?) {
        cause.text = reason?.cause.string ?? ""
        fix.text = reason?.fix.string ?? ""
        let text = reason?.command?.string ?? ""
        if text != command.text { show(isCopied: false) }
        command.text = text
        line.isVisible = !text.isEmpty
        isVisible = reason != nil
    }
}

/// The offer of a practice mate, with a button that starts or ends it.
@MainActor
final class PracticeView: Box {
    private let sentence = Label().styled("dim").width(characters: sideCharacters)
    private let button = Button("")
    private var action: PanelAction?

    init() {
        super.init(.down, spacing: 8)
        append(sentence)
        append(button.aligned(.start))
        button.onClick { [weak self] in self?.action?.perform() }
        hidden()
    }

    /// Shows an offer; nil shows nothing.
    func show(_ offer: PracticeOffer?) {
        isVisible = offer != nil
        guard let offer else { return }
        sentence.text = offer.sentence
        action = offer.action
        button.isVisible = offer.action != nil
        guard let title = offer.action?.title, title != button.text else { return }
        button.text = title
        button.named(title)
    }
}
