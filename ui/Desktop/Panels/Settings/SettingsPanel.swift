import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import NodeAPI
import PanelKit

/// The settings of the node in the window's preferences, as the node lists them. It has no page,
/// and follows the setting `theme`.
@MainActor
final class SettingsPanel: Panel {
    static let id = "settings"
    static let title = localized("Settings")
    static let icon = "preferences-system-symbolic"

    /// The query of the panel.
    enum Query: CaseIterable { case list }

    /// Returns the query with the events that make it stale: a setting may be changed by another
    /// command, too.
    static func queries(
        ask: @escaping @MainActor (Query) async throws -> Void
    ) -> StaleQueries<Query> {
        StaleQueries(
            .after(ConfigEvents.changed, .list),
            .after(NearbyEvents.changed, .list) { $0.concernsVisibility }, ask: ask)
    }

    private let node: any NodeConnection
    private var settings: [Setting] = []
    private var asked: StaleQueries<Query>?
    /// The controls that are in the window now.
    private weak var view: SettingsView?

    init(context: PanelContext) {
        node = context.node
        asked = Self.queries { [weak self] _ in try await self?.ask() }
        asked?.onFault = context.report
    }

    var queries: (any PanelQueries)? { asked }

    var preferences: Widget? {
        let made = SettingsView()
        made.onSet = { [weak self, weak made] name, value in self?.set(name, to: value, in: made) }
        made.show(settings)
        view = made
        return made
    }

    private func ask() async throws {
        settings = try await node.call(ConfigCommands.list).settings
        view?.show(settings)
        ColourScheme(settings).apply()
    }

    /// Changes a setting; a value that is not allowed is refused with a sentence that says what is.
    private func set(_ name: String, to value: String, in view: SettingsView?) {
        Task { [node] in
            do {
                _ = try await node.call(
                    ConfigCommands.set,
                    ChangeSetting(name: try SettingName(name), value: try SettingValue(value)))
                view?.setFault(nil, of: name)
            } catch {
                view?.setFault(CommandFault(error).sentence, of: name)
            }
        }
    }
}

extension ColourScheme {
    /// The scheme that the settings name; the desktop's if they name none.
    init(_ settings: [Setting]) {
        let theme = settings.first { $0.name.string == ThemeSetting.name }
        self =
            switch theme.flatMap({ ThemeSetting(rawValue: $0.value.string) }) {
            case .light: .light
            case .dark: .dark
            case .system, nil: .desktop
            }
    }
}
