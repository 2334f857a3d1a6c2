import Contract
import ControlAPI
import FeaturesAPI
import InterestsAPI
import PanelKit

/// The panel's knowledge of interests, without widgets.
@MainActor
final class InterestsModel {
    /// A query of the panel.
    enum Query: CaseIterable { case status }

    /// Called when another state is to be shown.
    var onChange: @MainActor () -> Void = {}
    /// The state that the node reported last; nil before its first answer.
    private(set) var status: InterestsStatus?
    /// The interests that are being chosen; nil while the page shows the user's own.
    private(set) var draft: InterestDraft?
    /// The number of further topics that the user asked for since the match began.
    private(set) var topicsCount = 0
    /// Whether the page has shown the match.
    private(set) var isMatchSeen = false
    /// The queries to the node. The name of the match may change with the people nearby.
    private(set) lazy var queries = StaleQueries<Query>(
        .after(InterestsEvents.changed, .status),
        .after(NearbyEvents.changed, .status) { [weak self] in
            $0.concernsPeople && self?.status?.match != nil
        }
    ) { [weak self] _ in try await self?.askStatus() }

    private let node: any NodeConnection
    private let clock: PanelClock
    private var measuredAt = Duration.zero

    /// A model that knows nothing before its query is asked.
    init(node: any NodeConnection, clock: PanelClock) {
        self.node = node
        self.clock = clock
    }

    /// The page as it is now.
    var screen: InterestsScreen {
        InterestsScreen(status, topicsCount: topicsCount, timeLeft: countdown, now: clock.now)
    }

    /// Whether a match waits that the page has not shown.
    var hasNews: Bool { status?.match != nil && !isMatchSeen }

    /// Records that the page shows the match.
    func markMatchSeen() {
        guard hasNews else { return }
        isMatchSeen = true
        onChange()
    }

    /// Begins to choose interests.
    func beginChoosing() {
        draft = InterestDraft(status?.interests ?? [])
        onChange()
    }

    /// Goes back to the interests of the user without saving.
    /// - Returns: false if none were being chosen, or the user has none yet.
    func endChoosing() -> Bool {
        guard draft != nil, status?.chosen.isEmpty == false else { return false }
        draft = nil
        onChange()
        return true
    }

    /// Chooses an interest, or no longer.
    func set(_ interest: Interest, isChosen: Bool) {
        guard draft?.chosen.contains(interest) != isChosen else { return }
        draft?.set(interest, isChosen: isChosen)
        onChange()
    }

    /// Saves the chosen interests.
    /// - Throws: the rule that they break, else the node's fault; they then stay as they are.
    func save() async throws {
        guard let draft else { return }
        receive(try await node.call(InterestsCommands.choose, try draft.request()))
        self.draft = nil
        onChange()
    }

    /// Begins to look, or stops.
    func look(_ isOn: Bool) async throws {
        receive(try await node.call(isOn ? InterestsCommands.look : InterestsCommands.stop))
        onChange()
    }

    /// Says that the user has met the match. The drop that begins has a sheet of its own.
    func meet() async throws { receive(try await node.call(InterestsCommands.met)) }

    /// Shows the next topic that the match is good for.
    func showNextTopic() {
        topicsCount += 1
        onChange()
    }

    private func askStatus() async throws {
        receive(try await node.call(InterestsCommands.show))
        if draft == nil, status?.chosen.isEmpty == true { draft = InterestDraft() }
        onChange()
    }

    private func receive(_ answer: InterestsStatus) {
        if answer.match?.sinceMs != status?.match?.sinceMs {
            topicsCount = 0
            isMatchSeen = false
        }
        status = answer
        measuredAt = clock.now
    }

    private var countdown: Countdown? {
        status?.secondsLeft.map {
            Countdown(timeLeft: .seconds($0.value), measuredAt: measuredAt)
        }
    }
}

extension InterestsStatus {
    /// The chosen interests, as values.
    var interests: [Interest] { chosen.map(\.interest.interest) }
}
