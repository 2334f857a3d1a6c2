import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import NodeAPI
import PanelKit

/// The people nearby, and the visibility of the user's own name.
@MainActor
final class NearbyPanel: Panel {
    static let id = "nearby"
    static let title = localized("Nearby")
    static let icon = "network-wireless-symbolic"

    /// A query of the panel.
    enum Query: CaseIterable {
        case people, visibility, ranging
    }

    /// Returns the queries with the events that make them stale.
    static func queries(
        ask: @escaping @MainActor (Query) async throws -> Void
    ) -> StaleQueries<Query> {
        StaleQueries(
            .after(NearbyEvents.changed, .people) { $0.concernsPeople },
            .after(NearbyEvents.changed, .visibility) { $0.concernsVisibility },
            .after(RangingEvents.changed, .ranging),
            // The reason why no one is seen names the state of discovery.
            .after(StatusEvents.changed, .people) { $0.discovery != nil || $0.concernsAll },
            ask: ask)
    }

    private let context: PanelContext
    private let view: NearbyView
    private let scroller: Scroller
    private var asked: StaleQueries<Query>?
    private var nearby: NearbyList?
    private var visibility: Visibility?
    /// Whether something here measures distances.
    private var canMeasure = false
    /// Whether the node has not yet answered the last question for measurements.
    private var isMeasuring = false
    /// The time when the seconds of the visibility were counted, on the window's clock.
    private var countedAt = Duration.zero
    /// The address that was typed and not added.
    private var unsentAddress = ""

    init(context: PanelContext) {
        self.context = context
        view = NearbyView(context)
        scroller = Scroller(view)
        asked = Self.queries { [weak self] in try await self?.ask($0) }
        asked?.onFault = context.report
        view.onLookAgain = { [weak self] in self?.lookAgain() }
        view.onAddAddress = { [weak self] in self?.addAddress() }
        view.visibility.onChange = { isForEveryone in
            context.perform(
                isForEveryone ? NearbyCommands.showToEveryone : NearbyCommands.showToMates)
        }
    }

    var page: Widget? { scroller }
    var queries: (any PanelQueries)? { asked }

    var shortcuts: [Shortcut] {
        [
            Shortcut(
                KeyPress(.character("r"), isControl: true),
                localized(
                    "Look for people nearby again")
            ) {
                [weak self] in
                self?.context.showPage()
                self?.lookAgain()
            }
        ]
    }

    /// Shows the page, and measures distances while it is on the screen.
    func update() {
        show()
        measure()
    }

    private func show() {
        view.show(
            nearby, now: context.clock.nodeTime, waysToMeet: context.waysToMeet,
            practice: context.practice)
        view.visibility.show(visibility, measuredAt: countedAt, now: context.clock.now)
    }

    private func measure() {
        guard canMeasure, !isMeasuring else { return }
        isMeasuring = true
        Task {
            defer { isMeasuring = false }
            do {
                let ways = try await context.node.call(RangingCommands.measure).measurements
                nearby?.show(ways)
                context.people.measured = (nearby?.byPerson(ways) ?? [:], context.clock.nodeTime)
                show()
                context.changed()
            } catch {
                context.report(error)
            }
        }
    }

    /// Queries the people nearby again, and the reason if there are none.
    private func lookAgain() {
        nearby = nil
        show()
        asked?.askAgain(Query.allCases)
    }

    private func addAddress() {
        let sheet = AddressSheet(node: context.node, text: unsentAddress)
        var isSent = false
        sheet.onDone = { [weak self, context, weak sheet] sent in
            isSent = sent
            if sent { self?.unsentAddress = "" }
            sheet.map(context.dismiss)
        }
        context.present(
            sheet,
            onDismiss: { [weak self, weak sheet] in
                if !isSent, let sheet { self?.unsentAddress = sheet.text }
            })
        sheet.focusFirst()
    }

    private func ask(_ query: Query) async throws {
        switch query {
        case .people: nearby = try await context.node.call(NearbyCommands.list)
        case .visibility:
            visibility = try await context.node.call(NearbyCommands.visibility)
            countedAt = context.clock.now
        case .ranging:
            canMeasure = try await context.node.call(RangingCommands.show).isAvailable
        }
        show()
    }
}
