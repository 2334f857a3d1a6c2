import Synchronization

/// The way from where sightings are made to their one reader. It holds the newest value of each
/// instance instead of a list of events: a reader however slow costs a bounded amount of memory,
/// and still learns everything that is true in the end.
final class SightingFeed: Sendable {
    private struct Content {
        var sightings: [String: Sighting] = [:]
        var told: [String: Sighting] = [:]
        var unread: [String] = []
        var isUnread: Set<String> = []
        var state: DiscoveryState = .starting
        var toldState: DiscoveryState?
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
        AsyncStream { await self.next() } onCancel: { self.finish() }
    }

    /// Says what is now known of an instance; nil when it is gone.
    func set(_ sighting: Sighting?, for instance: String) {
        change { content in
            guard content.sightings[instance] != sighting else { return }
            content.sightings[instance] = sighting
            if content.isUnread.insert(instance).inserted { content.unread.append(instance) }
        }
    }

    /// Says how discovery is doing.
    func set(_ state: DiscoveryState) {
        change { $0.state = state }
    }

    /// The state that was set last.
    var state: DiscoveryState { content.withLock { $0.state } }

    /// Ends the events once all that is unread was read.
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
            // A second reader would steal events: it gets none at all.
            if !isAlone { reader.resume(returning: nil) }
        }
    }

    /// Changes the content and tells the waiting reader what came of it.
    ///
    /// The reader is resumed with the lock open: to resume a task takes the task's own lock, which
    /// whoever cancels it holds while `finish()` waits for this one.
    @discardableResult
    private func change<Outcome: Sendable>(_ body: (inout sending Content) -> Outcome) -> Outcome {
        let (outcome, delivery) = content.withLock { content in
            let outcome = body(&content)
            return (outcome, Self.takeDelivery(from: &content))
        }
        delivery?.reader.resume(returning: delivery?.event)
        return outcome
    }

    /// The waiting reader and what it is to get, taken out; nil where nobody waits or there is
    /// nothing to tell.
    private static func takeDelivery(from content: inout Content) -> Delivery? {
        guard let reader = content.reader else { return nil }
        let event = takeEvent(from: &content)
        guard event != nil || content.finished else { return nil }
        content.reader = nil
        return Delivery(reader: reader, event: event)
    }

    private static func takeEvent(from content: inout Content) -> DiscoveryEvent? {
        if content.toldState != content.state {
            content.toldState = content.state
            return .stateChanged(content.state)
        }
        while !content.unread.isEmpty {
            let instance = content.unread.removeFirst()
            content.isUnread.remove(instance)
            let (old, new) = (content.told[instance], content.sightings[instance])
            content.told[instance] = new
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
