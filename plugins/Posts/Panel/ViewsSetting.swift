import Contract
import ControlAPI
import GtkKit
import PanelKit
import PostsAPI

/// Whether the user is counted among the people who viewed a post, in the preferences.
@MainActor
final class ViewsSetting: Box {
    private let context: PanelContext
    private let counted = Switch()
    private let row = ActionRow(
        localized("Count my views of posts"),
        subtitle: localized("Everyone in the neighbourhood can then see which posts you read."))

    init(_ context: PanelContext) {
        self.context = context
        super.init(.down, spacing: 8)
        append(Label(localized("Neighbourhood")).styled("heading"))
        counted.named(localized("Count my views of posts"))
        row.addMainSuffix(counted)
        append(RowList([row]))
        counted.onTurn { [weak self] in self?.save($0) }
        ask(EditPostSettings())
    }

    private func save(_ isOn: Bool) { ask(EditPostSettings(views: isOn)) }

    private func ask(_ request: EditPostSettings) {
        context.obtain(PostCommands.settings, request) { [weak self] settings in
            guard let self else { return }
            // After a refusal the switch shows what is saved.
            counted.isOn = settings?.views ?? !(request.views ?? true)
        }
    }
}
