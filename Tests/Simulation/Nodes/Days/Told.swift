/// What something may be, by what its person was told: one value where every command was answered,
/// several where a node was killed before it said what became of one.
struct Told<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value]
    /// Whether what was answered may be gone again, as after an older home was put back.
    private(set) var isDoubted = false

    /// It is this.
    init(_ value: Value) { values = [value] }

    /// The last that was asked for.
    var last: Value { values[values.count - 1] }
    /// The value, where only one can be.
    var sure: Value? { values.count == 1 ? values[0] : nil }

    /// A command is about to make it this: until the answer comes it may be either.
    mutating func attempt(_ value: Value) { if !values.contains(value) { values.append(value) } }

    /// The answer was yes. What is doubted may be this too: what was lost may come back later.
    mutating func settle(_ value: Value) {
        values = isDoubted ? values.filter { $0 != value } + [value] : [value]
    }

    /// The answer was no.
    mutating func refuse(_ value: Value) {
        if values.count > 1, !isDoubted { values.removeAll { $0 == value } }
    }

    /// It may be any of these from now on, whatever is answered.
    mutating func doubt(_ others: some Sequence<Value>) {
        let last = last
        for value in others { attempt(value) }
        isDoubted = true
        settle(last)
    }

    /// Takes what came of a command that was to make it this.
    mutating func conclude(_ value: Value, _ answer: Answer) {
        switch answer {
        case .done: settle(value)
        case .refused: refuse(value)
        case .unknown: break
        }
    }
}
