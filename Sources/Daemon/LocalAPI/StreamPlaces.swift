import Synchronization

/// The places for event streams, so that listeners leave connections for commands.
final class StreamPlaces: Sendable {
    /// One place, taken until it is let go.
    final class Place: Sendable {
        private let places: StreamPlaces

        fileprivate init(_ places: StreamPlaces) {
            self.places = places
        }

        deinit {
            places.takenCount.withLock { $0 -= 1 }
        }
    }

    /// How many there are.
    let limit: Int
    private let takenCount = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// A place, or nil where all are taken.
    func take() -> Place? {
        let isFree = takenCount.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
