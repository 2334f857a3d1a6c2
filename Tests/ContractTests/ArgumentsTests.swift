import Contract
import Testing

@Suite struct ArgumentsTests {
    private static let declaration = CommandDeclaration(
        "test", "try", .action, help: "Tries.",
        parameters: [
            .required("name", .text, "A name."), .optional("count", .integer, "How many."),
            .optional("share", .number(nil), "A share."), .optional("loud", .boolean, "Loud."),
            .optional("size", .text(.choice(["small", "big"])), "A size."),
            .optional("words", .list(.text), "Words."),
        ], result: .done)

    private func check(_ values: [String: JSONValue]) throws(CommandFault) -> Arguments {
        try Arguments(checking: values, against: Self.declaration)
    }

    /// Returns the field that a call is refused for.
    private func field(_ values: [String: JSONValue]) -> String? {
        do throws(CommandFault) {
            _ = try check(values)
            return nil
        } catch {
            guard case .usage(_, let field) = error else { return nil }
            return field
        }
    }

    @Test func `values of the declared types are accepted`() throws {
        let arguments = try check([
            "name": "x", "count": 3, "share": 1, "loud": false, "size": "big",
            "words": ["a", "b"],
        ])
        #expect(arguments["name"] == "x")
        #expect(arguments["share"]?.number == 1)
        #expect(arguments["loud"] == false && arguments.texts("words") == ["a", "b"])
    }

    private static let illTyped: [(String, JSONValue)] = [
        ("count", 1.5), ("count", "3"), ("share", "1"), ("loud", 1), ("size", "medium"),
        ("words", "a"), ("words", [1]), ("name", 1),
    ]

    @Test(arguments: illTyped)
    func `a value of another type is refused, and the error names its field`(
        _ name: String, _ value: JSONValue
    ) {
        #expect(field(["name": "x"].merging([name: value]) { _, new in new }) == name)
    }

    @Test func `a whole number may be written with a decimal point`() throws {
        #expect(try check(["name": "x", "count": 3.0])["count"]?.integer == 3)
    }

    @Test func `the error names a missing or unknown parameter`() {
        #expect(field([:]) == "name")
        #expect(field(["name": .null]) == "name")
        #expect(field(["name": "x", "nmae": "y"]) == "nmae")
    }

    @Test func `null is refused for a parameter that may be left out`() throws {
        #expect(field(["name": "x", "count": .null]) == "count")
        #expect(try check(["name": "x"])["count"] == nil)
    }
}
