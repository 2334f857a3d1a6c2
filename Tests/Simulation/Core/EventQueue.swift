/// A queue of planned events by virtual time. Events with the same time keep the order of planning.
struct EventQueue<Event> {
    /// The time of an event and the index at which it is stored, so that the heap moves small
    /// values.
    private struct Planned {
        let milliseconds: Int64
        let sequence: UInt64
        let place: Int

        func precedes(_ other: Planned) -> Bool {
            (milliseconds, sequence) < (other.milliseconds, other.sequence)
        }
    }

    private var heap: [Planned] = []
    private var sequence: UInt64 = 0
    private var events: [Event?] = []
    private var freePlaces: [Int] = []

    /// Adds an event.
    mutating func plan(_ event: Event, at milliseconds: Int64) {
        heap.append(
            Planned(milliseconds: milliseconds, sequence: sequence, place: keep(event)))
        sequence += 1
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the next event that is due by a time, or nil.
    mutating func next(by limit: Int64) -> (milliseconds: Int64, event: Event)? {
        guard let first = heap.first, first.milliseconds <= limit else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while let least = leastChild(of: parent), heap[least].precedes(heap[parent]) {
            heap.swapAt(parent, least)
            parent = least
        }
        guard let event = events[first.place].take() else { return nil }
        freePlaces.append(first.place)
        return (first.milliseconds, event)
    }

    private mutating func keep(_ event: Event) -> Int {
        guard let place = freePlaces.popLast() else {
            events.append(event)
            return events.count - 1
        }
        events[place] = event
        return place
    }

    private func leastChild(of parent: Int) -> Int? {
        let (left, right) = (2 * parent + 1, 2 * parent + 2)
        guard left < heap.count else { return nil }
        return right < heap.count && heap[right].precedes(heap[left]) ? right : left
    }
}
