/// A queue whose elements may become obsolete while they wait. Each element has a number, by which
/// the owner decides at the end of the wait whether it is still current.
struct NumberedQueue<Element> {
    private var elements: [(element: Element, number: Int)] = []
    private var head = 0

    /// The number of waiting elements, including obsolete ones.
    var count: Int { elements.count - head }

    mutating func append(_ element: Element, number: Int) {
        elements.append((element, number))
    }

    /// Removes obsolete elements.
    mutating func compact(where isCurrent: (Element, Int) -> Bool) {
        elements = elements[head...].filter { isCurrent($0.element, $0.number) }
        head = 0
    }

    /// Removes and returns the first current element. Obsolete elements before it are removed.
    mutating func popFirst(where isCurrent: (Element, Int) -> Bool) -> Element? {
        while head < elements.count {
            let (element, number) = elements[head]
            head += 1
            if head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
            if isCurrent(element, number) { return element }
        }
        return nil
    }
}
