/// The notices for the person since the node's start, and those not yet in the inbox.
struct Notices: Sendable {
    /// The maximum number of subjects reported to the person. Subjects are people, devices of this
    /// home, and limits. A peer cannot create subjects.
    static let subjectsMax = 4096

    private struct Subject: Hashable {
        let kind: Notice.Kind
        let reference: String
    }

    /// The latest notices, oldest first; at most ``Notice/keptMax``.
    private(set) var all: [Notice] = []
    /// The subjects of which the person was told, also in notices that are not kept.
    private var told: Set<Subject> = []
    /// Notices that wait for the inbox until writing is safe.
    private var unposted: [Notice] = []

    /// Whether the person was not told of a subject yet, and there is room for one more.
    func mayTell(_ kind: Notice.Kind, about reference: String) -> Bool {
        told.count < Notices.subjectsMax
            && !told.contains(Subject(kind: kind, reference: reference))
    }

    /// Adds a notice.
    mutating func add(_ notice: Notice) {
        told.insert(Subject(kind: notice.kind, reference: notice.reference))
        all.append(notice)
        if all.count > Notice.keptMax { all.removeFirst() }
    }

    /// Removes the notices of a kind about a subject; the person may be told of it again.
    mutating func remove(_ kind: Notice.Kind, about reference: String) {
        told.remove(Subject(kind: kind, reference: reference))
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
