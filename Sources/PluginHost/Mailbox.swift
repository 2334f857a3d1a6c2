internal import PluginKit
internal import Synchronization

/// The deliveries that wait for one plugin. Changes to one record or group wait only once, and the
/// number of messages is limited, with the oldest dropped, so no sender can fill it.
final class Mailbox: Sendable {
    /// One thing to deliver.
    enum Delivery: Sendable {
        case changes([RecordChange])
        case message(TopicMessage)
        case link(Peer, isUp: Bool)
        case acknowledgement(SpaceDescriptor, Peer)
        case shared(SpaceDescriptor, Peer)
        case members(SpaceDescriptor)
        case neighbourhoods
        case content(Blob, SpaceDescriptor)
        case nearby
        case whereabouts(Whereabouts)
        case ranged([RangeMeasurement])
        case relations
        case mutedWords
    }

    /// The maximum number of messages and link changes that wait.
    static let waitingMax = 512

    private struct State {
        var changes: [RecordChange] = []
        var known: Set<RecordChange> = []
        var groups: [SpaceDescriptor] = []
        var areNeighbourhoodsChanged = false
        var isNearbyChanged = false
        var areRelationsChanged = false
        var areMutedWordsChanged = false
        var whereabouts: Whereabouts?
        var ranged: [DeviceID: RangeMeasurement] = [:]
        var others: [Delivery] = []
    }

    private let state = Mutex(State())
    private let wake: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wake, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds records that changed.
    func put(_ changes: [RecordChange]) {
        state.withLock { state in
            for change in changes where state.known.insert(change).inserted {
                state.changes.append(change)
            }
        }
        continuation.yield()
    }

    /// Adds a group whose members changed; each group waits once.
    func put(membersOf group: SpaceDescriptor) {
        state.withLock { state in
            if !state.groups.contains(group) { state.groups.append(group) }
        }
        continuation.yield()
    }

    /// Adds that a neighbourhood was joined or left; several changes wait as one.
    func putNeighbourhoodChange() {
        state.withLock { $0.areNeighbourhoodsChanged = true }
        continuation.yield()
    }

    /// Adds a change of the people nearby; several wait as one.
    func putNearbyChange() {
        state.withLock { $0.isNearbyChanged = true }
        continuation.yield()
    }

    /// Adds a change of relations; several wait as one.
    func putRelationsChange() {
        state.withLock { $0.areRelationsChanged = true }
        continuation.yield()
    }

    /// Adds a change of the muted words; several wait as one.
    func putMutedWordsChange() {
        state.withLock { $0.areMutedWordsChanged = true }
        continuation.yield()
    }

    /// Adds a location report in place of an earlier one that was not delivered yet.
    func put(_ whereabouts: Whereabouts) {
        state.withLock { $0.whereabouts = whereabouts }
        continuation.yield()
    }

    /// Adds a measurement in place of an earlier one of its device that was not delivered yet.
    func put(_ measurement: RangeMeasurement) {
        state.withLock { $0.ranged[measurement.device] = measurement }
        continuation.yield()
    }

    /// Adds any other delivery.
    func put(_ delivery: Delivery) {
        state.withLock { state in
            state.others.append(delivery)
            if state.others.count > Mailbox.waitingMax { state.others.removeFirst() }
        }
        continuation.yield()
    }

    /// Delivers everything, one at a time, until the task is cancelled.
    func handOver(_ deliver: (Delivery) async -> Void) async {
        for await _ in wake { await handOverWaiting(deliver) }
    }

    /// Delivers the waiting events, and those that arrive during the delivery, one at a time.
    func handOverWaiting(_ deliver: (Delivery) async -> Void) async {
        while let delivery = next() { await deliver(delivery) }
    }

    /// Whether nothing waits.
    var isEmpty: Bool {
        state.withLock { state in
            state.changes.isEmpty && state.groups.isEmpty && state.others.isEmpty
                && !state.areNeighbourhoodsChanged && !state.isNearbyChanged
                && !state.areRelationsChanged && !state.areMutedWordsChanged
                && state.whereabouts == nil && state.ranged.isEmpty
        }
    }

    private func next() -> Delivery? {
        state.withLock { state in
            if !state.changes.isEmpty {
                defer { (state.changes, state.known) = ([], []) }
                return .changes(state.changes)
            }
            if state.areRelationsChanged {
                state.areRelationsChanged = false
                return .relations
            }
            if state.areMutedWordsChanged {
                state.areMutedWordsChanged = false
                return .mutedWords
            }
            if !state.groups.isEmpty { return .members(state.groups.removeFirst()) }
            if state.areNeighbourhoodsChanged {
                state.areNeighbourhoodsChanged = false
                return .neighbourhoods
            }
            if !state.others.isEmpty { return state.others.removeFirst() }
            if state.isNearbyChanged {
                state.isNearbyChanged = false
                return .nearby
            }
            if let whereabouts = state.whereabouts {
                state.whereabouts = nil
                return .whereabouts(whereabouts)
            }
            guard !state.ranged.isEmpty else { return nil }
            defer { state.ranged = [:] }
            return .ranged(state.ranged.values.sorted { $0.device < $1.device })
        }
    }
}
