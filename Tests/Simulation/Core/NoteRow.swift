internal import Records
internal import Replica

/// The content of the tables for one note, by names that are equal on every replica.
package struct NoteRow: Hashable, Sendable {
    let creator: PersonID
    /// The stamp of the batch that created the note.
    let stamp: Stamp
    let device: DeviceID
    let number: UInt64
    /// The columns as they are stored.
    private(set) var columns: [String: Value] = [:]
    private(set) var sets: [String: Set<Value>] = [:]

    /// Creates an empty note that a batch created.
    init(creator: PersonID, batch: ReferenceModel.Batch) {
        self.creator = creator
        (stamp, device, number) = (batch.stamp, batch.log.device, batch.number)
    }

    /// Creates a note from a row of the table joined with its log, with empty sets.
    init?(_ row: Row) {
        guard let creator = row.person("creator"), let device = row.device("device"),
            let stamp = row.integer("stamp").flatMap({ Stamp(rawValue: UInt64($0)) }),
            let number = row.integer("number")
        else { return nil }
        (self.creator, self.device, self.stamp) = (creator, device, stamp)
        self.number = UInt64(number)
        for field in RecordCollection.simulatedNote.fields {
            if field.merge == .addWinsSet {
                sets[field.name] = []
            } else {
                columns[field.name] = row[field.name]
            }
        }
    }

    /// Adds an element to a set.
    mutating func add(_ element: Value, to set: String) { sets[set, default: []].insert(element) }

    /// Sets a field's value, nil if no write counts, or the elements of a set.
    mutating func show(
        _ field: RecordCollection.Field, _ value: Value?, _ elements: Set<Value>
    ) {
        switch (field.merge, field.type) {
        case (.addWinsSet, _): sets[field.name] = elements
        case (.counter, .integer(let range)):
            guard case .integer(let sum) = value ?? .integer(0) else { return }
            columns[field.name] = .integer(min(max(sum, range.lowerBound), range.upperBound))
        default: columns[field.name] = (value ?? .null).stored
        }
    }
}

extension Value {
    /// The value as it is stored in a column: a boolean as 0 or 1, a list as JSON of its texts.
    fileprivate var stored: Value {
        switch self {
        case .boolean(let value): .integer(value ? 1 : 0)
        case .list(let elements):
            .text(
                "["
                    + elements.map {
                        if case .text(let text) = $0 { "\"\(text)\"" } else { "" }
                    }.joined(separator: ",") + "]")
        default: self
        }
    }
}

extension RecordCollection.Field {
    /// Whether another field contains the writer of this field.
    var isNamed: Bool { if case .named = writer { true } else { false } }

    /// Whether an operation fits the field's merge rule, and its value the field's limits.
    func accepts(_ action: Operation.Action) -> Bool {
        switch (merge, action) {
        case (.lastWriter, .set(_, let value)), (.firstWriter, .set(_, let value)),
            (.append, .set(_, let value)):
            type.admits(value)
        case (.addWinsSet, .add(_, let value)): value != .null && type.admits(value)
        case (.addWinsSet, .remove), (.counter, .count): true
        default: false
        }
    }
}

extension Operation {
    /// The number of the written field, or nil.
    var fieldNumber: UInt64? {
        switch action {
        case .set(let field, _), .add(let field, _), .remove(let field, _), .count(let field, _):
            field
        default: nil
        }
    }
}
