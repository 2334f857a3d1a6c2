internal import Records
internal import Replica

/// What the tables show of one note, by names that are the same on every replica.
package struct NoteRow: Hashable, Sendable {
    let creator: PersonID
    /// The batch that began the note.
    let stamp: Stamp
    let device: DeviceID
    let number: UInt64
    /// The columns as they are stored.
    private(set) var columns: [String: Value] = [:]
    private(set) var sets: [String: Set<Value>] = [:]

    /// A note that a batch began, with nothing in it yet.
    init(creator: PersonID, batch: ReferenceModel.Batch) {
        self.creator = creator
        (stamp, device, number) = (batch.stamp, batch.log.device, batch.number)
    }

    /// A row of the table joined with its log, its sets still empty.
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

    /// Puts an element into a set.
    mutating func add(_ element: Value, to set: String) { sets[set, default: []].insert(element) }

    /// Shows a field's value, nil where nothing counts, or the elements where it is a set.
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
    /// As it stands in a column: a boolean as 0 or 1, a list as JSON text of its (plain) texts.
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
    /// Whether another field names who writes this one.
    var isNamed: Bool { if case .named = writer { true } else { false } }

    /// Whether an operation is of the kind that the field merges, and its value within limits.
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
    /// The field that is written, or nil.
    var fieldNumber: UInt64? {
        switch action {
        case .set(let field, _), .add(let field, _), .remove(let field, _), .count(let field, _):
            field
        default: nil
        }
    }
}
