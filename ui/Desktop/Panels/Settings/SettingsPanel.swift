import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import NodeAPI
import PanelKit

/// The window's preferences: the settings of the node as it lists them, the blocked people, the
/// muted words and the user's data. The panel has no page, and follows the setting `theme`.
@MainActor
final class SettingsPanel: Panel {
    static let id = "settings"
    static let title = localized("Settings")
    static let icon = "preferences-system-symbolic"

    /// A query of the panel.
    enum Query: CaseIterable { case list, blocked, muted, visibility }

    /// Returns the queries with the events that make them stale. The source of the location is
    /// known to ``People``: a receiver reports another location every second.
    static func queries(
        ask: @escaping @MainActor (Query) async throws -> Void
    ) -> StaleQueries<Query> {
        StaleQueries(
            .after(ConfigEvents.changed, .list),
            .after(NearbyEvents.changed, .visibility) { $0.concernsVisibility },
            .after(MateEvents.changed, .blocked) { $0.concernsNames },
            .after(MutedWordEvents.changed, .muted), ask: ask)
    }

    private let context: PanelContext
    private var content = PreferencesView.Content()
    private var asked: StaleQueries<Query>?
    /// The controls that are in the window now.
    private weak var view: PreferencesView?

    init(context: PanelContext) {
        self.context = context
        asked = Self.queries { [weak self] in try await self?.ask($0) }
        asked?.onFault = context.report
    }

    var queries: (any PanelQueries)? { asked }

    var preferences: Widget? {
        let made = PreferencesView(context) { [weak self] in self?.content ?? .init() }
        view = made
        return made
    }

    private func ask(_ query: Query) async throws {
        switch query {
        case .list:
            content.settings = try await context.node.call(ConfigCommands.list).settings
            ColourScheme(content.settings).apply()
        case .blocked:
            content.blocked = try await context.node.call(MateCommands.blocked).blocked
        case .muted:
            content.muted = try await context.node.call(MutedWordCommands.list).words
        case .visibility:
            content.visibility = try await context.node.call(NearbyCommands.visibility)
            content.countedAt = context.clock.now
        }
        view?.update()
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
