internal import Foundation
internal import GRDB
internal import Records

extension Value {
    /// The form of the value in a column: a boolean as 0 or 1, a list as JSON text.
    var sql: DatabaseValue {
        switch self {
        case .null: .null
        case .boolean(let value): (value ? 1 : 0).databaseValue
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): value.sql
        case .list(let elements): Value.json(elements).databaseValue
        }
    }

    /// The value of a column.
    init(stored value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .blob(let bytes): self = .bytes(Array(bytes))
        }
    }

    /// Returns a JSON array of the texts among the elements, with only one possible spelling, so
    /// that replicas agree.
    static func json(_ elements: [Value]) -> String {
        let texts = elements.compactMap { element -> String? in
            if case .text(let text) = element { "\"" + escaped(text) + "\"" } else { nil }
        }
        return "[" + texts.joined(separator: ",") + "]"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension [UInt8] {
    /// A blob.
    var sql: DatabaseValue { Data(self).databaseValue }
}

extension Identifier32 {
    /// A blob of 32 bytes.
    var sql: DatabaseValue { bytes.sql }
}

extension Identifier16 {
    /// A blob of 16 bytes.
    var sql: DatabaseValue { bytes.sql }
}

extension Stamp {
    /// An integer; a stamp is below 2⁶³.
    var sql: DatabaseValue { Int64(clamping: rawValue).databaseValue }
}

extension GRDB.Row {
    /// Returns the bytes of a column; none if it is null.
    func bytes(_ index: Int) -> [UInt8] {
        let value: Data? = self[index]
        return value.map(Array.init) ?? []
    }

    /// Returns an identifier of 32 bytes.
    /// - Throws: ``RecordFault/truncated`` if the column holds something else.
    func identifier<ID: Identifier32>(_ index: Int, as type: ID.Type) throws(RecordFault) -> ID {
        guard let id = ID(bytes: bytes(index)) else { throw .truncated }
        return id
    }

    /// Returns a stamp.
    /// - Throws: ``RecordFault/notCanonical(_:)`` if the column holds no stamp.
    func stamp(_ index: Int) throws(RecordFault) -> Stamp {
        let raw: Int64 = self[index] ?? -1
        guard let raw = UInt64(exactly: raw), let stamp = Stamp(rawValue: raw) else {
            throw .notCanonical("a stored stamp")
        }
        return stamp
    }
}

extension Records.Row {
    /// Runs a statement and returns its rows.
    static func all(
        of statement: Statement, _ arguments: StatementArguments = []
    ) throws -> [Records.Row] {
        let columns = Columns(statement.columnNames)
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: arguments)
        var rows: [Records.Row] = []
        // GRDB reads every row into the same object, from which the values are copied once.
        while let row = try cursor.next() {
            rows.append(Records.Row(columns, row.databaseValues.map(Value.init(stored:))))
        }
        return rows
    }
}
