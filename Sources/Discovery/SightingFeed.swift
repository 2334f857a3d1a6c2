import Synchronization

/// The connection between the producers of sightings and their one reader. It stores the newest
/// value of each instance instead of a list of events: a slow reader costs a bounded amount of
/// memory and still learns the final state.
final class SightingFeed: Sendable {
    private struct Content {
        var sightings: [String: Sighting] = [:]
        var delivered: [String: Sighting] = [:]
        var unread: [String] = []
        var isUnread: Set<String> = []
        var state: DiscoveryState = .starting
        var deliveredState: DiscoveryState?
        var reader: CheckedContinuation<DiscoveryEvent?, Never>?
        var finished = false
    }

    private struct Delivery {
        let reader: CheckedContinuation<DiscoveryEvent?, Never>
        let event: DiscoveryEvent?
    }

    private let content = Mutex(Content())

    /// The events for the one reader.
    var events: AsyncStream<DiscoveryEvent> {
        AsyncStream {
            await self.next()
        } onCancel: {
            self.finish()
        }
    }

    /// Sets the sighting of an instance; nil if the instance is gone.
    func set(_ sighting: Sighting?, for instance: String) {
        change { content in
            guard content.sightings[instance] != sighting else { return }
            content.sightings[instance] = sighting
            if content.isUnread.insert(instance).inserted { content.unread.append(instance) }
        }
    }

    /// Sets the state of discovery.
    func set(_ state: DiscoveryState) {
        change { $0.state = state }
    }

    /// The last state that was set.
    var state: DiscoveryState { content.withLock { $0.state } }

    /// Ends the events after all unread ones were read.
    func finish() {
        change { $0.finished = true }
    }

    private func next() async -> DiscoveryEvent? {
        await withCheckedContinuation { reader in
            let isAlone = change { content in
                guard content.reader == nil else { return false }
                content.reader = reader
                return true
            }
            // A second reader would take events from the first, so its sequence is empty.
            if !isAlone { reader.resume(returning: nil) }
        }
    }

    /// Changes the content and passes a resulting event to the waiting reader.
    ///
    /// The reader is resumed without holding the lock. Resuming a task takes the task's own lock,
    /// and a thread that cancels the task holds that lock while its `finish()` waits for this one.
    @discardableResult
    private func change<Outcome: Sendable>(_ body: (inout sending Content) -> Outcome) -> Outcome {
        let (outcome, delivery) = content.withLock { content in
            let outcome = body(&content)
            return (outcome, Self.removeDelivery(from: &content))
        }
        delivery?.reader.resume(returning: delivery?.event)
        return outcome
    }

    /// Removes the waiting reader and returns it with its event; nil if there is no reader or no
    /// event.
    private static func removeDelivery(from content: inout Content) -> Delivery? {
        guard let reader = content.reader else { return nil }
        let event = removeEvent(from: &content)
        guard event != nil || content.finished else { return nil }
        content.reader = nil
        return Delivery(reader: reader, event: event)
    }

    private static func removeEvent(from content: inout Content) -> DiscoveryEvent? {
        if content.deliveredState != content.state {
            content.deliveredState = content.state
            return .stateChanged(content.state)
        }
        while !content.unread.isEmpty {
            let instance = content.unread.removeFirst()
            content.isUnread.remove(instance)
            let (old, new) = (content.delivered[instance], content.sightings[instance])
            content.delivered[instance] = new
            if let event = event(instance, from: old, to: new) { return event }
        }
        return nil
    }

    private static func event(
        _ instance: String, from old: Sighting?, to new: Sighting?
    ) -> DiscoveryEvent? {
        guard old != new else { return nil }
        guard let new else { return .disappeared(instance: instance) }
        return old == nil ? .appeared(new) : .changed(new)
    }
}
