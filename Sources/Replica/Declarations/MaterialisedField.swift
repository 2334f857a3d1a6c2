internal import Records

/// A declared field, and the facts that its merging needs.
final class MaterialisedField: Sendable {
    let field: RecordCollection.Field
    let number: UInt64
    /// Its index among the columns; nil for a set.
    let column: Int?
    /// The fields whose writer this field names.
    let named: [RecordCollection.Field]
    /// Whether a register must keep its value because the column may show another one: if the field
    /// has several slots, is a sum, counts only with the right creating batch, or names a writer.
    let keepsValue: Bool
    /// Whether each writing person has a register.
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

    /// Returns the fields of a collection, each at the index that is its number.
    static func byNumber(
        of collection: RecordCollection, columns: [RecordCollection.Field]
    ) -> [MaterialisedField?] {
        // A number over the format's limit is a mistake that ``DeclarationCheck`` reports.
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
