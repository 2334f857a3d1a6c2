/// A priority queue, smallest value first.
struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    /// Adds a value.
    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the smallest value; nil if there is none.
    mutating func popFirst() -> Element? {
        guard !elements.isEmpty else { return nil }
        elements.swapAt(0, elements.count - 1)
        let first = elements.removeLast()
        var parent = 0
        while let child = smallestChild(of: parent), elements[child] < elements[parent] {
            elements.swapAt(child, parent)
            parent = child
        }
        return first
    }

    private func smallestChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < elements.count else { return nil }
        let right = left + 1
        return right < elements.count && elements[right] < elements[left] ? right : left
    }
}
