internal import Records

/// One log as a space names it: its rows from first to last, and the number up to which it counts.
///
/// A side of a fork is ignored if none of its batches count: the rows before it and the one side
/// that counts are one log. So two replicas name the same logs if the same batches count in both,
/// whatever other batches they store.
///
/// Example: row *a* has batches 1 to 4, and the rows *b* and *c* both continue it with a batch 5.
/// If both count, the space names three logs: *a* to 4, *b* and *c*. If a cut leaves only *b*, it
/// names one log *a* that reaches to the end of *b*, just as a replica that never saw *c*.
struct LogPath {
    /// The log's name and reach.
    let state: LogState
    /// The rows that contain it; the last may count in part only.
    let rows: [LogName]

    /// Returns the logs of a space, in order.
    static func all(of entries: SharedMap<LogName, SpaceState.LogEntry>) -> [LogPath] {
        var sides: [LogName: [LogName]] = [:]
        for (name, entry) in entries where entry.counts {
            if let origin = entry.origin { sides[origin, default: []].append(name) }
        }
        var paths: [LogPath] = []
        var starts = entries.filter { $0.value.origin == nil }.map(\.key)
        while let start = starts.popLast() {
            var rows = [start]
            while let row = rows.last, let entry = entries[row], entry.counted == entry.high,
                let next = sides[row]
            {
                guard next.count == 1 else {
                    starts += next
                    break
                }
                rows += next
            }
            if let path = LogPath(start, rows, entries) { paths.append(path) }
        }
        return paths.sorted { $0.state.log < $1.state.log }
    }

    /// Fails if none of the rows counts.
    private init?(
        _ name: LogName, _ rows: [LogName], _ entries: SharedMap<LogName, SpaceState.LogEntry>
    ) {
        guard let low = entries[name]?.low,
            let last = rows.last(where: { entries[$0]?.counts ?? false }),
            let end = entries[last]
        else { return nil }
        state = LogState(log: name, low: low, high: end.counted, headHash: end.countedHash)
        self.rows = rows
    }
}
