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
        context.obtain(PostCommands.settings, NoParameters()) { [weak self] in
            self?.show($0, otherwise: false)
        }
    }

    private func save(_ isOn: Bool) {
        context.obtain(PostCommands.editSettings, EditPostSettings(views: isOn)) { [weak self] in
            // After a refusal the switch shows what is saved.
            self?.show($0, otherwise: !isOn)
        }
    }

    private func show(_ settings: PostSettings?, otherwise isCounted: Bool) {
        counted.isOn = settings?.views ?? isCounted
    }
}
