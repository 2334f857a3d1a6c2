import Contract
import Testing

/// Choices to which a newer node may add values, and texts that may be empty.
@Suite struct OpenChoiceTests {
    private enum Colour: String, OpenChoice { case red, green, unknown }

    @Test func `a value of a newer node is read as unknown, and the schema lists the known ones`()
        throws
    {
        #expect(try JSONValue.string("green").decoded(as: Colour.self) == .green)
        #expect(try JSONValue.string("blue").decoded(as: Colour.self) == .unknown)
        #expect(Schema.of(Colour.self) == .text(.choice(["red", "green"])))
        #expect(JSONValue(encoding: Colour.red) == "red")
    }

    @Test func `a text that may be empty may be blank, and no other text may`() throws {
        #expect(try Text<0, 3>("").string.isEmpty)
        #expect(try Text<0, 3>(" \u{200b} ").string.isEmpty)
        #expect(try Text<0, 3>("abc").string == "abc")
        #expect(throws: CommandFault.self) { try Text<0, 3>("abcd") }
        #expect(throws: CommandFault.self) { try Text<0, 3>("a\nb") }
        #expect(throws: CommandFault.self) { try Text<1, 3>("") }
    }
}
