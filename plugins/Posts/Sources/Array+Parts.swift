extension Array {
    /// Returns the elements in parts of at most so many, in their order.
    func inParts(of countMax: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: countMax).map { self[$0..<Swift.min($0 + countMax, count)] }
    }
}
