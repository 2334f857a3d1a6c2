/// What is to happen, by virtual time; what was planned first comes first at one time.
struct EventQueue<Event> {
    private struct Planned {
        let milliseconds: Int64
        let sequence: UInt64
        let event: Event

        func precedes(_ other: Planned) -> Bool {
            (milliseconds, sequence) < (other.milliseconds, other.sequence)
        }
    }

    private var heap: [Planned] = []
    private var sequence: UInt64 = 0

    /// Plans an event.
    mutating func plan(_ event: Event, at milliseconds: Int64) {
        heap.append(Planned(milliseconds: milliseconds, sequence: sequence, event: event))
        sequence += 1
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out the next event that is due by a time, or nil.
    mutating func next(by limit: Int64) -> (milliseconds: Int64, event: Event)? {
        guard let first = heap.first, first.milliseconds <= limit else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while let least = leastChild(of: parent), heap[least].precedes(heap[parent]) {
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.milliseconds, first.event)
    }

    private func leastChild(of parent: Int) -> Int? {
        let (left, right) = (2 * parent + 1, 2 * parent + 2)
        guard left < heap.count else { return nil }
        return right < heap.count && heap[right].precedes(heap[left]) ? right : left
    }
}
