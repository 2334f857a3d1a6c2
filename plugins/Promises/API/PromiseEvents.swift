public import Contract

/// The events of promises.
public enum PromiseEvents {
    /// A promise changed.
    public static let changed = Event<PromiseChange>(
        "promise", help: "A promise changed, or people moved on the way there.")
}

/// The body of ``PromiseEvents/changed``.
public struct PromiseChange: EventBody {
    /// A part of a promise.
    public enum Part: String, OpenChoice {
        /// Its terms, its phase, and whether I take part.
        case plan
        /// The people who take part, agreed, set out or arrived; whether my location is shared.
        case attendance
        /// The locations of people on the way.
        case locations = "positions"
        /// Debts and titles.
        case ledger
        /// A part that a newer node added.
        case unknown
    }

    /// The promise; nil if any may have changed.
    public var promise: Key?
    /// The parts that changed; nil if any may have.
    public var parts: [Part]?

    /// Creates the value.
    public init(promise: Key? = nil, parts: [Part]? = nil) {
        self.promise = promise
        self.parts = parts
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        switch parts {
        case [.plan]: "A promise was made, changed or called off."
        case [.attendance]: "Someone agreed to a promise, left it, set out or arrived."
        case [.locations]: "Someone on the way to a promise moved."
        case [.ledger]: "Debts and titles changed."
        default: nil
        }
    }

    /// Whether one of these parts may have changed.
    public func concerns(_ some: Part...) -> Bool {
        parts.map { $0.contains { $0 == .unknown || some.contains($0) } } ?? true
    }
}
