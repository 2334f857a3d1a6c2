import Synchronization

/// Limits the number of event streams, so that connections remain for commands.
final class StreamPlaces: Sendable {
    /// The right to one event stream, held until it is released.
    final class Place: Sendable {
        private let places: StreamPlaces

        fileprivate init(_ places: StreamPlaces) {
            self.places = places
        }

        deinit {
            places.reservedCount.withLock { $0 -= 1 }
        }
    }

    /// The maximum number of streams.
    let limit: Int
    private let reservedCount = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns a place, or nil if all are in use.
    func reserve() -> Place? {
        let isFree = reservedCount.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
