import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The mates, their last locations, and the actions of the other panels for each.
@MainActor
final class MatesPanel: Panel {
    static let id = "mates"
    static let title = "Mates"
    static let icon = "system-users-symbolic"

    private let context: PanelContext
    private let list: MateListView
    private let scroller: Scroller

    init(context: PanelContext) {
        self.context = context
        list = MateListView(context)
        scroller = Scroller(list)
        list.onShow = { [weak self] in self?.context.map.select(id: $0.person.string) }
    }

    var page: Widget? { scroller }

    var mapLayer: MapLayer {
        MapLayer(
            markers: MateText.markers(of: context.people, now: context.clock.nodeTime))
    }

    func update() {
        list.show(
            context.people, now: context.clock.nodeTime, waysToMeet: context.waysToMeet)
    }

    func open(_ item: MapItem) -> Bool {
        guard case .marker(let marker) = item, let offer = marker.offer, case .person = offer,
            let action = context.actions(for: offer).first
        else { return false }
        action.perform()
        return true
    }
}
