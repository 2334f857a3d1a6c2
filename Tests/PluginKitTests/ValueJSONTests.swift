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
