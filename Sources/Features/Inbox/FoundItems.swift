internal import PluginKit
internal import Synchronization

/// The last postings of open items that this device has found to be true since it started.
final class FoundItems: Sendable {
    private let postings = Mutex<[InboxSubject: Int64]>([:])

    /// Records that the last posting of an item is true. If too many are remembered, all are
    /// forgotten; they are found again when their features look.
    func record(_ state: StoredItems.State) {
        postings.withLock { postings in
            if postings.count >= InboxLimits.foundCountMax { postings = [:] }
            postings[state.subject] = state.posting
        }
    }

    /// Whether the last posting of an item was found true.
    func contains(_ state: StoredItems.State) -> Bool {
        postings.withLock { $0[state.subject] == state.posting }
    }

    /// Forgets an item that was settled.
    func forget(_ subject: InboxSubject) { postings.withLock { $0[subject] = nil } }
}
