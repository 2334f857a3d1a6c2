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
    public static let title = "__Name__"
    /// A list.
    public static let icon = "view-list-symbolic"

    private let context: PanelContext
    private let model: __Name__Model
    private let list = Box(.down, spacing: 6).role(.list).named("__Name__")
    private let scroller: Scroller

    /// Creates a panel that shows nothing until the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = __Name__Model(node: context.node)
        let add = Button("New entry").suggested()
        scroller = Scroller(Box(.down, spacing: 6, [add.margin(12), list]))
        model.queries.onFault = context.report
        model.onChange = { [weak self] in self?.show() }
        add.onClick { [weak self] in self?.present() }
    }

    /// The page.
    public var page: Widget? { scroller }
    /// The queries that the page shows.
    public var queries: (any PanelQueries)? { model.queries }

    private func show() {
        list.replaceChildren(
            with: model.entries.map { entry in
                let age = AgeText.ago(since: entry.atMs, now: context.clock.nodeTime)
                return Label("\(entry.text) · \(age)").margin(6)
            })
    }

    private func present() {
        let sheet = Add__Name__Sheet(model: model)
        sheet.onDone = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusFirst()
    }
}
