import Contract
import ControlAPI
import PanelKit
import __Name__API

/// The panel's knowledge of entries, without widgets.
@MainActor
final class __Name__Model {
    /// A query of the panel.
    enum Query: CaseIterable { case list }

    /// Called when other entries are to be shown.
    var onChange: @MainActor () -> Void = {}
    /// The entries, newest first.
    private(set) var entries: [__Name__Entry] = []
    /// The queries to the node; a changed entry makes the list stale.
    private(set) lazy var queries = StaleQueries<Query>(.after(__Name__Events.changed, .list)) {
        [weak self] _ in
        try await self?.askList()
    }

    private let node: any NodeConnection

    /// A model that knows nothing before its query is asked.
    init(node: any NodeConnection) {
        self.node = node
    }

    /// Adds an entry. The event of the change renews the list.
    /// - Throws: ``CommandFault/usage(_:field:)`` if the text breaks its rule, else what the node
    ///   answers.
    func add(_ text: String) async throws {
        let request = Add__Name__(text: try Text(text, field: "text"))
        _ = try await node.call(__Name__Commands.add, request)
    }

    /// Returns an entry as the list shows it at a moment.
    func line(of entry: __Name__Entry, now: Timestamp) -> String {
        "\(entry.text) · \(AgeText.ago(since: entry.atMs, now: now))"
    }

    private func askList() async throws {
        entries = try await node.call(__Name__Commands.list).entries
        onChange()
    }
}
