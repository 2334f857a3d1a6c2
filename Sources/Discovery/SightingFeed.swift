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
            change { content in
                // A second reader would steal events: it gets none at all.
                guard content.reader == nil else { return reader.resume(returning: nil) }
                content.reader = reader
            }
        }
    }

    private func change(_ body: (inout sending Content) -> Void) {
        content.withLock { content in
            body(&content)
            guard let reader = content.reader else { return }
            let event = Self.takeEvent(from: &content)
            guard event != nil || content.finished else { return }
            content.reader = nil
            reader.resume(returning: event)
        }
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
