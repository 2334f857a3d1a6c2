import Contract
public import GtkKit
public import PanelKit
import WaveAPI

/// The page of waves: the waves that arrived, and a button to wave at a mate.
@MainActor
public final class WavePanel: Panel {
    /// The id of the panel.
    public static let id = "wave"
    /// The title of the page.
    public static let title = "Waves"
    /// A face that smiles.
    public static let icon = "face-smile-symbolic"

    private let context: PanelContext
    private let model: WaveModel
    private let list = Box(.down, spacing: 6).role(.list).named("Waves")
    private let scroller: Scroller

    /// Creates a panel that shows nothing until the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = WaveModel(node: context.node)
        let wave = Button("Wave").suggested()
        scroller = Scroller(Box(.down, spacing: 6, [wave.margin(12), list]))
        model.queries.onFault = context.report
        model.onChange = { [weak self] in self?.show() }
        wave.onClick { [weak self] in self?.present() }
    }

    /// The page.
    public var page: Widget? { scroller }
    /// The queries that the page shows.
    public var queries: (any PanelQueries)? { model.queries }

    private func show() {
        list.replaceChildren(
            with: model.waves.map { wave in
                let name = context.people.names[wave.from] ?? "Somebody"
                let age = AgeText.ago(since: wave.atMs, now: context.clock.nodeTime)
                return Label("\(name): \(wave.greeting) · \(age)").margin(6)
            })
    }

    private func present() {
        let sheet = WaveSheet(model: model, people: context.people)
        sheet.onDone = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusFirst()
    }
}
