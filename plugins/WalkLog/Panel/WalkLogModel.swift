import Contract
import ControlAPI
import FeaturesAPI
import PanelKit
import WalkLogAPI

/// The panel's knowledge of walks, and its queries to the node.
@MainActor
final class WalkLogModel {
    /// A query of the panel, in the order in which they are asked.
    enum Query: CaseIterable, Sendable {
        /// The recording, and accepted walk requests.
        case status
        /// The way that is being recorded.
        case track
        /// The recorded walks.
        case walks
        /// The sums of weeks.
        case totals
        /// The mates who see the walks.
        case shared
    }

    /// Called when another state is to be shown.
    var onChange: @MainActor () -> Void = {}
    /// The recording that the node reported last; nil before its first answer.
    private(set) var status: WalkLogStatus?
    /// The way that is being recorded.
    private(set) var track: [WalkTrack.Place] = []
    /// The recorded walks, newest first, as far as they were asked.
    private(set) var walks: [RecordedWalk] = []
    /// Whether there are older walks.
    private(set) var hasMore = false
    /// The sums of weeks and months.
    private(set) var totals: WalkTotals?
    /// The walks that mates see or show.
    private(set) var shared: [SharedWalk] = []
    /// The open walk; nil while the list is shown.
    private(set) var selected: OpenWalk?
    /// The way of the open walk.
    private(set) var selectedTrack: WalkTrack?

    /// The queries that are repeated after an event.
    private(set) lazy var queries = StaleQueries<Query>(
        .after(WalkLogEvents.changed, .status) { $0.concerns(.recording, .track, .walks) },
        .after(WalkLogEvents.changed, .track) { $0.concerns(.recording, .track) },
        .after(WalkLogEvents.changed, .walks, .totals) { $0.concerns(.walks) },
        .after(WalkLogEvents.changed, .shared) { $0.concerns(.shared) },
        .after(WalkEvents.changed, .status),
        .after(MateEvents.changed, .status, .walks, .shared) { $0.concernsNames }
    ) { [weak self] in try await self?.ask($0) }

    private let node: any NodeConnection
    private let clock: PanelClock
    private var statusReceivedAt = Duration.zero
    private var pagesCount = 1

    /// The number of walks that the list has more of each time.
    private static let pageCount = 20
    /// The most shared walks on the page.
    private static let sharesCountMax = 50
    /// The most points of a way on the map.
    private static let trackPoints = 2000

    /// A model that knows nothing before its queries are asked.
    init(node: any NodeConnection, clock: PanelClock) {
        self.node = node
        self.clock = clock
        queries.onSettled = { [weak self] in self?.onChange() }
    }

    /// The time since the node reported the recording.
    var passed: Duration { max(.zero, clock.now - statusReceivedAt) }

    /// Opens a walk, and asks for its way.
    /// - Returns: false if another walk was opened meanwhile, or this one was closed.
    func open(_ walk: OpenWalk) async throws -> Bool {
        selected = walk
        selectedTrack = nil
        onChange()
        let track = try await track(of: walk)
        guard selected?.id == walk.id else { return false }
        selectedTrack = track
        onChange()
        return true
    }

    private func track(of walk: OpenWalk) async throws -> WalkTrack {
        switch walk {
        case .mine(let walk):
            let request = ShowTrack(
                id: RecordPrefix(walk.id), points: Whole(clamping: Self.trackPoints))
            return try await node.call(WalkLogCommands.track, request)
        // A way that is shared has few points already.
        case .mates(let walk):
            return try await node.call(
                WalkLogCommands.way, WalkLogReference(id: RecordPrefix(walk.id)))
        }
    }

    /// Closes the open walk.
    func close() {
        selected = nil
        selectedTrack = nil
        onChange()
    }

    /// Shows older walks, too.
    func askMore() {
        pagesCount += 1
        queries.askAgain([.walks])
    }

    /// The walks that mates show, and the user's shares of walks that are not in the list any more;
    /// the newest are enough for the page.
    var sharesOfOthers: [SharedWalk] {
        let listed = Set(walks.map(\.id))
        return Array(
            shared.lazy.filter { share in
                !share.mine || !self.hasMore && !(share.walk.map(listed.contains) ?? false)
            }.prefix(Self.sharesCountMax))
    }

    /// Returns the mates who see a walk, each with what they see.
    func shares(of walk: RecordedWalk) -> [SharedWalk] {
        shared.filter { $0.mine && $0.walk == walk.id }
    }

    /// Returns the newest walks, at most so many, and whether there are older ones.
    private func newest(_ count: Int) async throws -> ([RecordedWalk], Bool) {
        var (found, hasMore): ([RecordedWalk], Bool) = ([], true)
        while hasMore, found.count < count {
            let page = try await node.call(
                WalkLogCommands.list,
                ListWalks(
                    before: found.last.map { RecordPrefix($0.id) },
                    count: Whole(clamping: count - found.count)))
            guard !page.walks.isEmpty else { return (found, false) }
            found += page.walks
            hasMore = page.more
        }
        return (found, hasMore)
    }

    private func ask(_ query: Query) async throws {
        switch query {
        case .status:
            status = try await node.call(WalkLogCommands.status)
            statusReceivedAt = clock.now
        case .track:
            let request = ShowTrack(points: Whole(clamping: Self.trackPoints))
            track = try await node.call(WalkLogCommands.track, request).points
        case .walks:
            (walks, hasMore) = try await newest(pagesCount * Self.pageCount)
            if let found = walks.first(where: { $0.id == selected?.mine?.id }) {
                selected = .mine(found)
            }
        case .totals: totals = try await node.call(WalkLogCommands.totals)
        case .shared:
            shared = try await node.call(WalkLogCommands.shared).walks
            guard case .mates(let open) = selected else { return }
            // A mate may have taken it back.
            if let found = shared.first(where: { $0.id == open.id }) {
                selected = .mates(found)
            } else {
                close()
            }
        }
    }
}
