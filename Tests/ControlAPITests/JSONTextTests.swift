import Contract
import Testing

@testable import ControlAPI

struct JSONTextTests {
    private func fault(_ text: String) -> JSONFault? {
        do {
            _ = try JSONValue(parsing: text.utf8)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "null", "true", "false", "0", "-7", "9007199254740993", "1.5", "\"\"", "[]", "{}",
        "[1,[2,[3]]]", "{\"a\":{\"b\":[null,false]},\"c\":\"d\"}",
        "\"quote \\\" backslash \\\\ tab \\t\"", "\"산책 🐕\"",
    ])
    func `a text reads back as written and is written the same again`(text: String) throws {
        let value = try JSONValue(parsing: text.utf8)
        #expect(value.jsonText() == text)
        #expect(try JSONValue(parsing: value.jsonText(isIndented: true).utf8) == value)
    }

    @Test func `escapes and surrogate pairs become characters`() throws {
        let value = try JSONValue(parsing: #""\u0041\ud83d\udc36\/\b\f\n\r""#.utf8)
        #expect(value == .string("A🐶/\u{8}\u{C}\n\r"))
    }

    @Test func `a fault names the line and the column`() {
        #expect(fault("{\n  \"a\": tru\n}").map { [$0.line, $0.column] } == [2, 8])
        #expect(fault("[1 2]").map { [$0.line, $0.column] } == [1, 4])
        #expect(
            fault("")?.sentence.english == "the JSON is wrong at line 1, column 1: "
                + "expected a value, found the end")
    }

    @Test(arguments: [
        "{\"a\":1,}", "[1,]", "{a:1}", "{\"a\" 1}", "01", "1.", "1e", "-", "+1", ".5", "nul", "1 2",
        "\"open", "\"tab\tin text\"", #""\x""#, #""\u12G4""#, #""\u+123""#, #""\ud83d""#,
        #""\ud83dA""#, #""\udc36""#, "[", "{", "{\"a\":1", "{\"a\":1,\"a\":2}", "1e999", "'a'",
    ])
    func `a text that is not JSON is refused`(text: String) {
        #expect(fault(text) != nil)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: JSONFault.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    }

    @Test func `nesting at the limit is read, and one level more is refused`() {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
        }
        #expect(fault(nested(APILimits.nestingMax)) == nil)
        #expect(fault(nested(APILimits.nestingMax + 1)) != nil)
        #expect(fault(String(repeating: "[", count: 200_000)) != nil)
    }

    @Test func `a whole number too large for 64 bits becomes a number`() throws {
        #expect(try JSONValue(parsing: "9223372036854775807".utf8) == .integer(.max))
        #expect(
            try JSONValue(parsing: "9223372036854775808".utf8) == .number(9_223_372_036_854_775_808)
        )
    }

    @Test(arguments: ["-0", "-0.0", "-0e3", "0e9"])
    func `zero is written without sign or fraction`(text: String) throws {
        #expect(try JSONValue(parsing: text.utf8).jsonText() == "0")
    }

    @Test func `a number that is not finite is written as null`() {
        #expect(JSONValue.array([.number(.nan), .number(.infinity)]).jsonText() == "[null,null]")
    }

    @Test func `control characters are written escaped, including those of a terminal`() {
        #expect(JSONValue.string("\u{1B}[31m\u{9B}").jsonText() == #""\u001b[31m\u009b""#)
    }
}
