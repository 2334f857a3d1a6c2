import Contract
import ControlAPI
public import GtkKit
import InterestsAPI
public import PanelKit

/// The window's part of interests: a page on which the user chooses them, looks for people who
/// share them, and sees the best match.
@MainActor
public final class InterestsPanel: Panel {
    /// The name of the plugin.
    public static let id = "interests"
    /// The title of the page.
    public static let title = localized("Interests")
    /// A heart.
    public static let icon = "emote-love-symbolic"

    private let context: PanelContext
    private let model: InterestsModel
    private let view = InterestsView()

    /// A panel that shows nothing before the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = InterestsModel(node: context.node, clock: context.clock)
        model.queries.onFault = context.report
        model.onChange = { [weak self] in
            self?.update()
            self?.context.changed()
        }
        view.onLook = { [weak self] isOn in self?.perform { try await $0.look(isOn) } }
        view.onMeet = { [weak self] in self?.perform { try await $0.meet() } }
        view.onNextTopic = { [weak self] in self?.model.showNextTopic() }
        view.onChange = { [weak self] in self?.choose() }
        view.chooser.onSet = { [weak self] in self?.model.set($0, isChosen: $1) }
        view.chooser.onSave = { [weak self] in self?.save() }
        view.chooser.onCancel = { [weak self] in _ = self?.back() }
        view.onMap { [weak self] in self?.update() }
    }

    /// The page.
    public var page: Widget? { view }
    /// One while a match waits that the page has not shown.
    public var badge: Int { model.hasNews ? 1 : 0 }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { model.queries }

    /// Shows the time that is left and the match; a page that is not shown costs nothing.
    public func update() {
        guard view.isMapped else { return }
        view.show(model.screen, choosing: model.draft)
        model.markMatchSeen()
    }

    /// Goes back from the choice of interests to the page.
    public func back() -> Bool {
        guard model.endChoosing() else { return false }
        view.focusChange()
        return true
    }

    private func choose() {
        model.beginChoosing()
        view.chooser.begin()
    }

    private func save() {
        Task {
            do {
                try await model.save()
                view.focusChange()
            } catch {
                view.chooser.setFault(CommandFault(error).shown())
            }
        }
    }

    /// Performs an action of the user; a refusal is shown in a bar, and the switch turns back.
    private func perform(_ action: @escaping @MainActor (InterestsModel) async throws -> Void) {
        Task {
            do { try await action(model) } catch {
                context.report(error)
                update()
            }
        }
    }
}
