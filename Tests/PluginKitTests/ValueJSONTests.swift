import PluginKit
import Records
import Testing

@Suite struct ValueJSONTests {
    @Test(arguments: [
        Records.Value.boolean(true), .integer(-5), .real(1.5), .text("가"),
        .list([.text("a"), .text("b")]),
    ])
    func `a record's value is converted to JSON and back`(_ value: Records.Value) throws {
        #expect(Records.Value(try #require(JSONValue(value))) == value)
    }

    @Test func `bytes and null have no JSON, and an object is not a value`() {
        #expect(JSONValue(Records.Value.bytes([1])) == nil)
        #expect(JSONValue(Records.Value.null) == nil)
        #expect(Records.Value(JSONValue.object([:])) == nil)
    }

    @Test func `rows are equal if they have the same columns, in any order`() {
        let row = Row(Row.Columns(["a", "b"]), [.integer(1), .null])
        #expect(row == Row(["b": .null, "a": .integer(1)]))
        #expect(row == Row(Row.Columns(["b", "a"]), [.null, .integer(1)]))
        #expect(row.hashValue == Row(["a": .integer(1), "b": .null]).hashValue)
        #expect(row != Row(["a": .integer(1)]) && row != Row(["a": .integer(1), "b": .text("")]))
        #expect(row["a"] == .integer(1) && row["c"] == .null)
    }

    @Test func `the first of two columns with one name has it`() {
        let row = Row(Row.Columns(["a", "b", "a"]), [.integer(1), .integer(2), .integer(3)])
        #expect(row == Row(["a": .integer(1), "b": .integer(2)]))
    }

    @Test func `a column's list of texts is read from JSON, and any other JSON is not`() {
        let row = Row([
            "good": .text(#"["a","\"b\"","가"]"#), "empty": .text("[]"), "bad": .text("[1]"),
            "broken": .text(#"["a"#), "number": .integer(1),
        ])
        #expect(row.texts("good") == ["a", "\"b\"", "가"])
        #expect(row.texts("empty") == [])
        for column in ["bad", "broken", "number", "absent"] { #expect(row.texts(column) == nil) }
    }
}
