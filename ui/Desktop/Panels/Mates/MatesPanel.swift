import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The mates, their last locations, and a button to ask each for a walk.
@MainActor
final class MatesPanel: Panel {
    static let id = "mates"
    static let title = "Mates"
    static let icon = "system-users-symbolic"
    static let accepts: [Offer.Kind: String] = [.person: "Ask for a walk"]

    private let context: PanelContext
    private let list = MateListView()
    private let scroller: Scroller

    init(context: PanelContext) {
        self.context = context
        scroller = Scroller(list)
        list.onAsk = { [weak self] in self?.ask($0) }
        list.onShow = { [weak self] in self?.context.map.select(id: $0.person.string) }
    }

    var page: Widget? { scroller }
    var badge: Int { context.people.mates.count }

    var mapLayer: MapLayer {
        MapLayer(
            markers: MateText.markers(of: context.people, now: context.clock.nodeTime))
    }

    func update() {
        list.show(
            context.people, now: context.clock.nodeTime, waysToMeet: context.waysToMeet)
    }

    func open(_ marker: MapMarker) -> Bool {
        let mate = context.people.mates.first { $0.person.string == marker.id }
        mate.map(ask)
        return mate != nil
    }

    func accept(_ offer: Offer) {
        guard case .person(let person) = offer else { return }
        context.people.mates.first { $0.person == person }.map(ask)
    }

    private func ask(_ mate: MateList.Mate) {
        let name = context.people.names[mate.person] ?? mate.suffix
        let sheet = WalkSheet(
            node: context.node, to: mate, name: name,
            meeting: context.meetingPoint(with: mate.place?.coordinate))
        sheet.onDone = { [context, weak sheet] isSent in
            sheet.map(context.dismiss)
            if isSent { context.showPage(of: RequestsPanel.id) }
        }
        context.present(sheet)
        sheet.focusMessage()
    }
}
