import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The mates, their last locations, and the actions of the other panels for each.
@MainActor
final class MatesPanel: Panel {
    static let id = "mates"
    static let title = localized("Mates")
    static let icon = "system-users-symbolic"
    /// A person nearby who is no mate can be blocked, as a mate can in their details.
    static let accepts: [Offer.Kind: String] = [.stranger: localized("Block…")]

    private let context: PanelContext
    private lazy var list = MateListView(context) { [weak self] in
        self?.own(for: $0) ?? []
    } contact: { [weak self] in
        self?.contact(of: $0)
    }
    private let search = MateSearch()
    private lazy var view = Box(
        .down, [search, Scroller(list).expanding(across: true, down: true)])
    private let blocking: Blocking
    private let export: ExportDialog
    /// The nicknames that were typed and not saved.
    private var unsentNicknames: [Key: String] = [:]

    init(context: PanelContext) {
        self.context = context
        blocking = Blocking(context)
        export = ExportDialog(context)
        search.onChange = { [weak self] in self?.update() }
    }

    var page: Widget? { view }

    /// Ctrl+F searches the mates while their page is in front.
    var shortcuts: [Shortcut] {
        [
            Shortcut(
                KeyPress(.character("f"), isControl: true),
                localized("Find a mate, on the page of mates"), isOfPage: true
            ) { [weak self] in
                self?.search.begin()
            }
        ]
    }

    var mapLayer: MapLayer {
        MapLayer(
            markers: MateText.markers(
                of: context.people.mates, context.people, now: context.clock.nodeTime,
                // The map is painted once a second, so one that arrives is there in a moment.
                photo: { [context] in context.personPhotos.picture(of: $0) {} }))
    }

    func update() {
        let mates = context.people.mates
        search.show(matesCount: mates.count)
        list.show(
            search.found(among: mates, called: context.people.names), of: mates,
            now: context.clock.nodeTime, waysToMeet: context.waysToMeet)
    }

    /// Ends the search.
    func back() -> Bool {
        guard search.end() else { return false }
        list.focusFirst()
        return true
    }

    /// Asks whether to block a person nearby.
    func accept(_ offer: Offer) {
        guard case .stranger(let person, let name) = offer else { return }
        blocking.ask(about: person, name: name)
    }

    /// A mate's new device can be answered by blocking the mate.
    func answers(to item: InboxList.Item) -> [PanelAction] {
        guard item.kind == "mates", let person = item.person else { return [] }
        let name = context.people.name(of: person)
        return [
            PanelAction(localized("Block…")) { [weak self] in
                self?.blocking.ask(about: person, name: name)
            }
        ]
    }

    func open(_ item: MapItem) -> Bool {
        guard case .marker(let marker) = item, let offer = marker.offer, case .person = offer,
            let action = context.actions(for: offer).first
        else { return false }
        action.perform()
        return true
    }
}

// MARK: - One mate

extension MatesPanel {
    private func mate(_ person: Key) -> MateList.Mate? {
        context.people.mates.first { $0.person == person }
    }

    private func name(of mate: MateList.Mate) -> String {
        context.people.name(of: mate.person)
    }

    /// The actions of this page for a mate: the map, if it shows them, their nickname, a contact
    /// for other programs, and their details.
    private func own(for person: Key) -> [PanelAction] {
        let map =
            mate(person)?.location == nil
            ? []
            : [
                PanelAction(localized("Show on the map")) { [weak self] in
                    self?.context.map.select(id: person.string)
                }
            ]
        let nickname = PanelAction(localized("Nickname…")) { [weak self] in
            self?.askNickname(of: person)
        }
        let contact = PanelAction(localized("Save as a contact…")) { [weak self] in
            self?.saveContact(of: person)
        }
        let details = PanelAction(localized("Details…")) { [weak self] in
            self?.showDetails(of: person)
        }
        return map + [nickname] + (mate(person)?.state == .mate ? [contact] : []) + [details]
    }

    /// Asks for a file, and writes what the mate shared to it.
    private func saveContact(of person: Key) {
        guard let contact = contact(of: person) else { return }
        export.ask(title: localized("Save as a contact"), contact)
    }

    /// Returns what a mate shared as a contact; nil if they are no mate yet.
    private func contact(of person: Key) -> Export<ExportMate>? {
        guard mate(person)?.state == .mate else { return nil }
        return Export(
            named: context.people.name(of: person), ending: DroppedContact.ending,
            MateCommands.export
        ) { ExportMate(person: NameOrKey(person), vcard: $0) }
    }

    private func showDetails(of person: Key) {
        guard let mate = mate(person) else { return }
        let now = context.clock.nodeTime
        let way = context.people.way(to: mate.location?.coordinate)
        let measured = context.people.measuredWay(to: person, now: now)
        let location = MateText.location(of: mate, way: way, measured: measured, now: now).map {
            (title: localized("Location"), text: $0)
        }
        let card = mate.profile.rows.map { (title: $0.field.label, text: $0.text) }
        let sheet = MateSheet(
            person: person, name: name(of: mate), context: context,
            presence: MateText.presence(of: mate, now: now),
            rows: ownName(of: mate) + card + [location].compactMap { $0 },
            actions: context.actions(for: .person(person)) + own(for: person).dropLast(),
            endings: endings(of: mate))
        sheet.onClose = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusClose()
    }

    /// The name that the mate has chosen, if the user calls them something else.
    private func ownName(of mate: MateList.Mate) -> [(title: String, text: String)] {
        guard mate.ownNickname != nil, let name = mate.profile.nickname else { return [] }
        return [(localized("Calls themselves"), name.string)]
    }

    private func askNickname(of person: Key) {
        guard let mate = mate(person) else { return }
        let nickname = mate.ownNickname?.string
        let sheet = NicknameSheet(
            node: context.node, person: person, name: mate.profile.displayName,
            nickname: nickname, draft: unsentNicknames[person])
        var isSent = false
        sheet.onDone = { [weak self, context, weak sheet] sent in
            isSent = sent
            if sent { self?.unsentNicknames[person] = nil }
            sheet.map(context.dismiss)
        }
        context.present(
            sheet,
            onDismiss: { [weak self, weak sheet] in
                guard !isSent, let text = sheet?.text else { return }
                self?.unsentNicknames[person] = text == (nickname ?? "") ? nil : text
            })
        sheet.focusFirst()
    }

    private func endings(of mate: MateList.Mate) -> [PanelAction] {
        let (context, name, person) = (context, name(of: mate), NameOrKey(mate.person))
        return [
            PanelAction(localized("Block…")) { [weak self] in
                self?.blocking.ask(about: mate.person, name: name)
            },
            PanelAction(localized("Remove…")) {
                context.confirm(
                    localized("Remove \(name)?"),
                    localized(
                        "You will no longer be mates. To become mates again, do a drop when you meet."
                    ),
                    button: localized("Remove")
                ) {
                    context.perform(MateCommands.remove, MateReference(person: person))
                }
            },
        ]
    }
}
