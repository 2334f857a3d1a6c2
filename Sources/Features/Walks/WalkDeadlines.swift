internal import PluginKit

/// The times when open requests run out. Of one person at most ``StoredWalk/listedPerPersonMax``
/// are kept, those that are due first.
struct WalkDeadlines {
    private var times: [PersonID: [EntityID: Timestamp]] = [:]

    var isEmpty: Bool { times.isEmpty }

    /// The earliest of them.
    var next: Timestamp? { times.values.lazy.flatMap(\.values).min() }

    /// Sets the time when a request runs out; nil if it is not open.
    mutating func set(_ deadline: Timestamp?, of request: StoredWalk) {
        var own = times[request.person] ?? [:]
        own[request.id] = deadline
        if own.count > StoredWalk.listedPerPersonMax,
            let last = own.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        {
            own[last.key] = nil
        }
        times[request.person] = own.isEmpty ? nil : own
    }

    /// Forgets a request.
    mutating func remove(_ id: EntityID) {
        for person in times.keys { times[person]?[id] = nil }
        times = times.filter { !$0.value.isEmpty }
    }

    /// Removes the requests that have run out.
    /// - Returns: their ids.
    mutating func removeDue(now: Timestamp) -> [EntityID] {
        let due = times.values.flatMap { $0.filter { $0.value <= now }.keys }.sorted()
        for id in due { remove(id) }
        return due
    }
}
