/// A queue whose elements may lose their meaning while they wait. Each has a number, by which the
/// owner tells at the end of the wait whether it is still the one that was meant.
struct NumberedQueue<Element> {
    private var elements: [(element: Element, number: Int)] = []
    private var head = 0

    /// How many elements wait, those without meaning included.
    var count: Int { elements.count - head }

    mutating func append(_ element: Element, number: Int) {
        elements.append((element, number))
    }

    /// Throws away what no longer means anything.
    mutating func compact(where isMeant: (Element, Int) -> Bool) {
        elements = elements[head...].filter { isMeant($0.element, $0.number) }
        head = 0
    }

    /// Takes the first element that still means something; those before it are thrown away.
    mutating func popFirst(where isMeant: (Element, Int) -> Bool) -> Element? {
        while head < elements.count {
            let (element, number) = elements[head]
            head += 1
            if head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
            if isMeant(element, number) { return element }
        }
        return nil
    }
}
