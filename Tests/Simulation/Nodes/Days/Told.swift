/// The possible values of something by the answers of commands: one value if every command was
/// answered, several if a node was killed before its answer.
struct Told<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value]
    /// Whether answered commands may be undone, for example by a restored home.
    private(set) var isDoubted = false

    /// Creates a known value.
    init(_ value: Value) { values = [value] }

    /// The last requested value.
    var last: Value { values[values.count - 1] }
    /// The value if it is certain.
    var sure: Value? { values.count == 1 ? values[0] : nil }

    /// Adds a value that a command is about to set; until the answer it may have either.
    mutating func attempt(_ value: Value) { if !values.contains(value) { values.append(value) } }

    /// Records a successful command. A doubted value may later reappear.
    mutating func settle(_ value: Value) {
        values = isDoubted ? values.filter { $0 != value } + [value] : [value]
    }

    /// Records a refused command.
    mutating func refuse(_ value: Value) {
        if values.count > 1, !isDoubted { values.removeAll { $0 == value } }
    }

    /// Adds values that are possible from now on, independent of answers.
    mutating func doubt(_ others: some Sequence<Value>) {
        let last = last
        for value in others { attempt(value) }
        isDoubted = true
        settle(last)
    }

    /// Records the result of a command that was to set a value.
    mutating func conclude(_ value: Value, _ answer: Answer<some Sendable>) {
        switch answer {
        case .done: settle(value)
        case .refused: refuse(value)
        case .unknown: break
        }
    }
}
