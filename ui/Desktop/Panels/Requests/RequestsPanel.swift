import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The walk requests, and after them the rest of the inbox.
@MainActor
final class RequestsPanel: Panel {
    static let id = "requests"
    static let title = "Inbox"
    static let icon = "mail-unread-symbolic"
    static let accepts: [Offer.Kind: String] = [
        .person: "Ask for a walk…", .location: "Ask for a walk here…",
    ]

    /// A query of the panel.
    enum Query: CaseIterable {
        case walks, inbox
    }

    /// Returns the queries with the events that make them stale.
    static func queries(
        ask: @escaping @MainActor (Query) async throws -> Void
    ) -> StaleQueries<Query> {
        StaleQueries(
            .after(WalkEvents.changed, .walks), .after(InboxEvents.changed, .inbox), ask: ask)
    }

    private let context: PanelContext
    private let list = RequestListView()
    private let scroller: Scroller
    private var asked: StaleQueries<Query>?
    private var state = RequestsState()

    init(context: PanelContext) {
        self.context = context
        scroller = Scroller(list)
        asked = Self.queries { [weak self] in try await self?.ask($0) }
        asked?.onFault = context.report
        asked?.onSettled = { [weak self] in
            self?.update()
            self?.context.changed()
        }
        list.onAnswer = { [weak self] in self?.answer($0, $1) }
    }

    var page: Widget? { scroller }
    var badge: Int { state.openCount }
    var queries: (any PanelQueries)? { asked }
    var mapLayer: MapLayer { MapLayer(markers: state.markers(names: context.people.names)) }

    var bars: [PanelBar] {
        state.bars(context.people, now: context.clock.now) { [weak self] in self?.answer($0, $1) }
    }

    func update() {
        list.show(
            state, names: context.people.names, now: context.clock.now,
            time: context.clock.nodeTime)
    }

    func open(_ item: MapItem) -> Bool {
        guard state.walks.requests.contains(where: { $0.id.string == item.id }) else {
            return false
        }
        context.showPage()
        return true
    }

    func canAccept(_ offer: Offer) -> Bool {
        if case .person(let person) = offer { return context.people.isMate(person) }
        return context.people.hasMates
    }

    func accept(_ offer: Offer) {
        let mates = context.people.mates
        switch offer {
        case .person(let person):
            let location = mates.first { $0.person == person }?.location?.coordinate
            present(for: [person], meeting: context.meetingPoint(with: location))
        case .location(let location, let name):
            present(
                for: mates.map(\.person).filter(context.people.isMate),
                meeting: MeetingPoint(offered: location, name: name), locationName: name)
        case .track, .photo, .date, .device: break
        }
    }

    /// Opens the sheet that asks one of these mates for a walk.
    private func present(
        for mates: [Key], meeting point: MeetingPoint, locationName: String? = nil
    ) {
        guard !mates.isEmpty else { return }
        let sheet = WalkSheet(
            node: context.node, to: mates, names: context.people.names, meeting: point,
            locationName: locationName)
        sheet.onDone = { [context, weak sheet] isSent in
            sheet.map(context.dismiss)
            if isSent { context.showPage() }
        }
        context.present(sheet)
        sheet.focusFirst()
    }

    private func ask(_ query: Query) async throws {
        switch query {
        case .walks:
            state.walks = try await context.node.call(WalkCommands.list)
            state.countedAt = context.clock.now
        case .inbox: state.inbox = try await context.node.call(InboxCommands.list)
        }
    }

    private func answer(_ id: RecordKey, _ answer: RequestAnswer) {
        let request = WalkReference(id: RecordPrefix(id))
        switch answer {
        case .accept: context.perform(WalkCommands.accept, request)
        case .decline: context.perform(WalkCommands.decline, request)
        case .cancel: context.perform(WalkCommands.cancel, request)
        case .handled:
            context.perform(InboxCommands.handle, InboxReference(id: RecordPrefix(id)))
        }
    }
}
