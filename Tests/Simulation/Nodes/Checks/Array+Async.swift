extension Array {
    /// Returns the elements for which something is true, which is found out one after the other.
    func asyncFilter(_ isWanted: (Element) async throws -> Bool) async rethrows -> [Element] {
        var elements: [Element] = []
        for element in self where try await isWanted(element) { elements.append(element) }
        return elements
    }

    /// Transforms the elements one after the other.
    func asyncMap<Value>(
        _ transform: (Element) async throws -> Value
    ) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
