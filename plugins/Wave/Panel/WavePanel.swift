import Contract
public import FeaturesAPI
public import GtkKit
public import PanelKit
import WaveAPI

/// The page of waves: the waves that arrived, and a button to wave at a mate.
@MainActor
public final class WavePanel: Panel {
    /// The id of the panel.
    public static let id = "wave"
    /// The title of the page.
    public static let title = localized("Waves")
    /// A face that smiles.
    public static let icon = "face-smile-symbolic"
    /// A person can be waved at.
    public static let accepts: [Offer.Kind: String] = [.person: localized("Wave…")]

    private let context: PanelContext
    private let model: WaveModel
    private let list = Box(.down, spacing: 6).role(.list).named(localized("Waves"))
    private let scroller: Scroller
    private var rows: [RecordKey: WaveRow] = [:]

    /// Creates a panel that shows nothing until the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = WaveModel(node: context.node)
        let wave = Button(localized("Wave")).suggested()
        scroller = Scroller(Box(.down, spacing: 6, [wave.margin(12), list]))
        model.queries.onFault = context.report
        model.onChange = { [weak self] in self?.update() }
        wave.onClick { [weak self] in self?.present() }
    }

    /// The page.
    public var page: Widget? { scroller }
    /// The queries that the page shows.
    public var queries: (any PanelQueries)? { model.queries }

    /// Shows the waves with their ages as they are now; the window calls it once a second.
    public func update() {
        rows = rows.filter { id, _ in model.waves.contains { $0.id == id } }
        for wave in model.waves {
            row(for: wave).update(
                model.line(of: wave, names: context.people.names, now: context.clock.nodeTime))
        }
        list.replaceChildren(with: model.waves.compactMap { rows[$0.id] })
    }

    /// Whether the person is a mate; only mates are waved at.
    public func canAccept(_ offer: Offer) -> Bool {
        offer.person.map(context.people.isMate) ?? false
    }

    /// Opens the sheet that waves at a person.
    public func accept(_ offer: Offer) {
        if let person = offer.person { present(to: person) }
    }

    /// Offers to wave back at the person of an item in the inbox.
    public func answers(to item: InboxList.Item) -> [PanelAction] {
        guard item.kind == "wave",
            let wave = model.waves.first(where: { item.ref?.string == "wave-\($0.id.string)" })
        else { return [] }
        return [
            PanelAction(localized("Wave back…")) { [weak self] in self?.present(to: wave.from) }
        ]
    }

    /// Returns the row of a wave. Its menu has the actions of other panels for the person who
    /// waved.
    private func row(for wave: WaveList.Wave) -> WaveRow {
        if let row = rows[wave.id] { return row }
        let more = MenuButton { [context] in context.actions(for: .person(wave.from)) }
        let row = WaveRow(more.titled(localized("More for this wave")))
        rows[wave.id] = row
        return row
    }

    private func present(to person: Key? = nil) {
        let sheet = WaveSheet(model: model, people: context.people, to: person)
        sheet.onDone = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusFirst()
    }
}
