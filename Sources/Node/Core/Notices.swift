/// The notices for the person since the node's start, and those of them that the inbox lacks still.
struct Notices: Sendable {
    /// All notices, oldest first; at most ``Notice/keptMax``.
    private(set) var all: [Notice] = []
    /// Notices that wait for the inbox until writing is safe.
    private var unposted: [Notice] = []

    /// Whether there is a notice of a kind about a subject.
    func contains(_ kind: Notice.Kind, about reference: String) -> Bool {
        all.contains { $0.kind == kind && $0.reference == reference }
    }

    /// Adds a notice.
    mutating func add(_ notice: Notice) {
        all.append(notice)
        if all.count > Notice.keptMax { all.removeFirst() }
    }

    /// Removes the notices of a kind about a subject.
    mutating func remove(_ kind: Notice.Kind, about reference: String) {
        all.removeAll { $0.kind == kind && $0.reference == reference }
        unposted.removeAll { $0.kind == kind && $0.reference == reference }
    }

    /// Keeps a notice until it may be posted to the inbox.
    mutating func postLater(_ notice: Notice) { unposted.append(notice) }

    /// Removes and returns the notices that wait for the inbox.
    mutating func removeUnposted() -> [Notice] {
        defer { unposted = [] }
        return unposted
    }
}
