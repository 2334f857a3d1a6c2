import Synchronization

/// Limits the number of event streams, so that connections remain for commands.
final class StreamSlots: Sendable {
    /// The right to one event stream, held until it is released.
    final class Slot: Sendable {
        private let slots: StreamSlots

        fileprivate init(_ slots: StreamSlots) {
            self.slots = slots
        }

        deinit {
            slots.reservedCount.withLock { $0 -= 1 }
        }
    }

    /// The maximum number of streams.
    let limit: Int
    private let reservedCount = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns a slot, or nil if all are in use.
    func reserve() -> Slot? {
        let isFree = reservedCount.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? Slot(self) : nil
    }
}
