internal import PhotoFormat
internal import Synchronization

/// The right to run one of a limited number of workers, in the order of asking.
final class WorkerSlots: Sendable {
    private struct Waiting {
        let number: Int
        let continuation: CheckedContinuation<PhotoFault?, Never>
    }

    private struct State {
        var freeCount: Int
        var waiting: [Waiting] = []
        var nextNumber = 0
    }

    private let state: Mutex<State>

    /// The number of callers that wait for a slot.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Creates slots, so many of which are free.
    init(count: Int) {
        state = Mutex(State(freeCount: max(count, 1)))
    }

    /// Waits for a slot. Who gets one must ``release()`` it.
    /// - Throws: ``PhotoFault/busy``, ``PhotoFault/cancelled``
    func acquire() async throws(PhotoFault) {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let fault = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(Waiting(number: number, continuation: continuation))
            }
        } onCancel: {
            removeWaiting(number)?.continuation.resume(returning: .cancelled)
        }
        if let fault { throw fault }
    }

    private func enqueue(_ waiting: Waiting) {
        // The handler of a cancellation that came before this found nothing to remove.
        let answer: PhotoFault?? = state.withLock { state in
            if Task.isCancelled { return .some(.cancelled) }
            if state.freeCount > 0 {
                state.freeCount -= 1
                return .some(nil)
            }
            if state.waiting.count >= PhotoLimits.waitingCountMax { return .some(.busy) }
            state.waiting.append(waiting)
            return nil
        }
        if let answer { waiting.continuation.resume(returning: answer) }
    }

    private func removeWaiting(_ number: Int) -> Waiting? {
        state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
    }

    /// Returns a slot, to the one that waits longest.
    func release() {
        let next: Waiting? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.freeCount += 1
            return nil
        }
        next?.continuation.resume(returning: nil)
    }
}
