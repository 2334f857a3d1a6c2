package import Records
package import Replica

/// The changes by batches that were committed together.
package struct CommitNews: Sendable {
    /// The records that changed, each once.
    package let changes: [RecordChange]
    /// The groups whose membership changed, in the order of their ids.
    package let regrouped: [SpaceID]

    /// Collects changes that no batch made: records that expired or made room.
    package init(changes: [RecordChange]) {
        self.changes = changes
        regrouped = []
    }

    /// Collects the changes of commits.
    package init(_ commits: [Commit]) {
        var known: Set<RecordChange> = []
        changes = commits.flatMap(\.changes).filter { known.insert($0).inserted }
        regrouped = Set(commits.filter(\.membershipChanged).map(\.space)).sorted()
    }
}
