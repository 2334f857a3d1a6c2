internal import HashTreeCollections

/// A dictionary of which copies share what they have in common, so that changing one entry of a
/// copy costs the same whatever the number of entries.
///
/// A transaction changes a copy of a space's state. With plain dictionaries, each batch of an open
/// space would copy the entries of thousands of logs.
struct SharedMap<Key: Hashable, Value>: Sequence, ExpressibleByDictionaryLiteral {
    typealias Element = (key: Key, value: Value)

    private var tree: TreeDictionary<Key, Value> = [:]

    init(dictionaryLiteral elements: (Key, Value)...) {
        for (key, value) in elements { tree[key] = value }
    }

    /// The number of entries.
    var count: Int { tree.count }
    /// Whether there is no entry.
    var isEmpty: Bool { tree.isEmpty }
    /// The keys, in no order.
    var keys: some Sequence<Key> { lazy.map(\.key) }
    /// The values, in the order of ``keys``.
    var values: some Sequence<Value> { lazy.map(\.value) }

    subscript(key: Key) -> Value? {
        get { tree[key] }
        set { tree[key] = newValue }
        _modify { yield &tree[key] }
    }

    subscript(key: Key, default missing: @autoclosure () -> Value) -> Value {
        get { tree[key] ?? missing() }
        _modify { yield &tree[key, default: missing()] }
    }

    /// Sets a value.
    /// - Returns: the value before, if there was one.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
        tree.updateValue(value, forKey: key)
    }

    /// Removes an entry.
    /// - Returns: its value, if there was one.
    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? { tree.removeValue(forKey: key) }

    func makeIterator() -> Iterator { Iterator(tree: tree.makeIterator()) }

    struct Iterator: IteratorProtocol {
        fileprivate var tree: TreeDictionary<Key, Value>.Iterator

        mutating func next() -> Element? { tree.next() }
    }
}

extension SharedMap: Sendable where Key: Sendable, Value: Sendable {}
