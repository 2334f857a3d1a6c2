import Synchronization

/// The source that is set by hand: by a click on the map or a command.
public final class HandSetLocation: LocationSource {
    private struct State {
        var latest: Fix?
        var nextReader = 0
        var readers: [Int: AsyncStream<Fix?>.Continuation] = [:]
    }

    private let state: Mutex<State>

    /// Starts with the fix that was kept from before, if there is one.
    public init(_ kept: Fix? = nil) {
        state = Mutex(State(latest: kept))
    }

    /// The fix set last; nil after ``clear()``.
    public var latest: Fix? { state.withLock { $0.latest } }

    /// Says where the device is from now on; readers hear of it only where that changes something.
    public func set(_ fix: Fix) {
        change(to: fix)
    }

    /// Forgets the position: readers get nil.
    public func clear() {
        change(to: nil)
    }

    /// The latest fix at once and then each change; see ``LocationSource/fixes()``.
    public func fixes() -> AsyncStream<Fix?> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Fix?.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            let number = state.nextReader
            state.nextReader += 1
            state.readers[number] = reader
            reader.yield(state.latest)
            return number
        }
        reader.onTermination = { [weak self] _ in self?.forget(reader: number) }
        return stream
    }

    private func change(to fix: Fix?) {
        // Yielding under the lock keeps two changes in one order for all readers.
        state.withLock { state in
            guard state.latest != fix else { return }
            state.latest = fix
            for reader in state.readers.values { reader.yield(fix) }
        }
    }

    private func forget(reader number: Int) {
        state.withLock { state in
            _ = state.readers.removeValue(forKey: number)
        }
    }
}
