internal import Records

/// A declared field with what follows from the declarations for its merging.
final class MaterialisedField: Sendable {
    let field: RecordCollection.Field
    let number: UInt64
    /// Its place among the columns; nil for a set.
    let column: Int?
    /// The fields whose writer is named in this one.
    let named: [RecordCollection.Field]
    /// Whether a register must keep its value, because the column may show another: there are
    /// several slots, or a sum, or the value counts only with the right creating batch, or others
    /// ask it for a name.
    let keepsValue: Bool
    /// Whether there is a register per writing person.
    let keepsSlots: Bool

    private init(
        _ field: RecordCollection.Field, column: Int?, named: [RecordCollection.Field]
    ) {
        self.field = field
        number = field.number
        keepsSlots = field.writer.isNamed
        self.column = column
        self.named = named
        keepsValue =
            field.writer.isNamed || field.merge == .counter || field.merge == .append
            || !named.isEmpty
    }

    /// The fields of a collection, each at the index that is its number.
    static func byNumber(
        of collection: RecordCollection, columns: [RecordCollection.Field]
    ) -> [MaterialisedField?] {
        // A number beyond the format's is a mistake that the check of declarations names.
        let declared = collection.fields.filter { $0.number <= Limits.fieldNumberMax }
        let count = declared.map { Int($0.number) + 1 }.max() ?? 0
        var result = [MaterialisedField?](repeating: nil, count: count)
        for field in declared where result[Int(field.number)] == nil {
            result[Int(field.number)] = MaterialisedField(
                field, column: columns.firstIndex { $0.number == field.number },
                named: collection.fields.filter { $0.writer == .named(inField: field.name) })
        }
        return result
    }
}
