import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The people nearby, and the visibility of the user's own name.
@MainActor
final class NearbyPanel: Panel {
    static let id = "nearby"
    static let title = "Nearby"
    static let icon = "network-wireless-symbolic"

    private enum Query: CaseIterable {
        case people, visibility
    }

    private let context: PanelContext
    private let view: NearbyView
    private let scroller: Scroller
    private var asked: StaleQueries<Query>?
    private var nearby: NearbyList?
    private var visibility: Visibility?
    /// The time when the seconds of the visibility were counted, on the window's clock.
    private var countedAt = Duration.zero

    init(context: PanelContext) {
        self.context = context
        view = NearbyView(context)
        scroller = Scroller(view)
        asked = StaleQueries([
            "nearby": [.people, .visibility], "link": [.people], "status": [.people],
        ]) { [weak self] in try await self?.ask($0) }
        asked?.onFault = context.report
        view.visibility.onChange = { isForEveryone in
            context.perform(
                isForEveryone ? NearbyCommands.showToEveryone : NearbyCommands.showToMates)
        }
    }

    var page: Widget? { scroller }
    var queries: (any PanelQueries)? { asked }

    func update() {
        view.show(nearby, now: context.clock.nodeTime, waysToMeet: context.waysToMeet)
        view.visibility.show(visibility, takenAt: countedAt, now: context.clock.now)
    }

    private func ask(_ query: Query) async throws {
        switch query {
        case .people: nearby = try await context.node.call(NearbyCommands.list)
        case .visibility:
            visibility = try await context.node.call(NearbyCommands.visibility)
            countedAt = context.clock.now
        }
        update()
    }
}
