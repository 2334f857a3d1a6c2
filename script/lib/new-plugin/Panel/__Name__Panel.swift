import Contract
import ControlAPI
public import GtkKit
public import PanelKit
import __Name__API

/// The page of __name__: the entries and a button that adds one.
@MainActor
public final class __Name__Panel: Panel {
    /// The id of the panel.
    public static let id = "__name__"
    /// The title of the page.
    public static let title = localized("__Name__")
    /// A list.
    public static let icon = "view-list-symbolic"

    private let context: PanelContext
    private let model: __Name__Model
    private let list = Box(.down, spacing: 6).role(.list).named(localized("__Name__"))
    private let scroller: Scroller
    private var rows: [RecordKey: Label] = [:]

    /// Creates a panel that shows nothing until the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = __Name__Model(node: context.node)
        let add = Button(localized("New entry")).suggested()
        scroller = Scroller(Box(.down, spacing: 6, [add.margin(12), list]))
        model.queries.onFault = context.report
        model.onChange = { [weak self] in self?.update() }
        add.onClick { [weak self] in self?.present() }
    }

    /// The page.
    public var page: Widget? { scroller }
    /// The queries that the page shows.
    public var queries: (any PanelQueries)? { model.queries }

    /// Shows the entries with their ages as they are now; the window calls it once a second.
    public func update() {
        rows = rows.filter { id, _ in model.entries.contains { $0.id == id } }
        for entry in model.entries {
            let row = rows[entry.id] ?? Label().margin(6)
            row.text = model.line(of: entry, now: context.clock.nodeTime)
            rows[entry.id] = row
        }
        list.replaceChildren(with: model.entries.compactMap { rows[$0.id] })
    }

    private func present() {
        let sheet = Add__Name__Sheet(model: model)
        sheet.onDone = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusFirst()
    }
}
