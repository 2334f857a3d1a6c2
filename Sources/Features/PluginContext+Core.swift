internal import PluginKit

/// Times that a record may hold.
enum RecordTimes {
    /// Milliseconds since 1970: the range of a stamp.
    static let milliseconds: ClosedRange<Int64> = 0...Timestamp.millisecondsMax
}

extension PluginContext {
    /// Authors a batch in a space, and opens the space first if it is not open yet.
    @discardableResult
    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID] {
        try await replica.open(space)
        return try await replica.author(edits, in: space)
    }

    /// Publishes an event that the manifest declares.
    func publish<Body>(_ event: Event<Body>, _ body: Body) async {
        await events.publish(event, body)
    }

    /// Returns the space of me and another person.
    func pair(with person: PersonID) -> SpaceDescriptor { .between(me, person) }

    /// The time by the node's corrected clock.
    var now: Timestamp { clock.wallTime }

    /// Returns the people I blocked.
    func blockedPeople() async throws -> Set<PersonID> {
        try await replica.people(in: SharedViews.blocked)
    }
}
