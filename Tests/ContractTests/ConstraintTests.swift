import Contract
import Testing

/// Constraints that are types.
@Suite struct ConstraintTests {
    @Test func `a bounded number holds the ends of its range, and nothing past them`() throws {
        #expect(try Latitude(-90).value == -90 && Latitude(90).value == 90)
        for wrong in [(-90.0).nextDown, 90.0.nextUp, .nan, .infinity] {
            #expect(throws: CommandFault.self) { try Latitude(wrong) }
            #expect(throws: (any Error).self) {
                try JSONValue.number(wrong).decoded(as: Latitude.self)
            }
        }
        #expect(Schema.of(Longitude.self) == .number(-180...180))
        #expect(Longitude.example.value == -180)
    }

    @Test func `the fault of a bounded number names its field`() {
        #expect(
            throws: CommandFault.usage(
                "'latitude' must be a number from -90 to 90", field: "latitude")
        ) { try Latitude(91, field: "latitude") }
    }

    @Test func `the kind of an inbox item is a word of 1 to 32 bytes, of any plugin`() throws {
        let longest = String(repeating: "x", count: 32)
        #expect(try InboxKind(longest).string == longest)
        #expect(try JSONValue.string("later").decoded(as: InboxKind.self) == "later")
        for wrong in ["", " ", longest + "x", String(repeating: "강", count: 11), "a\nb"] {
            #expect(throws: CommandFault.self) { try InboxKind(wrong) }
        }
        #expect(JSONValue(encoding: "walk" as InboxKind) == "walk")
    }

    @Test func `the path of a file is absolute and has no zero byte`() throws {
        #expect(try FilePath("/a\n b").string == "/a\n b")
        #expect(
            throws: CommandFault.usage(
                "'file' must be the absolute path of a file, from /", field: "file")
        ) { try FilePath("a") }
        #expect(
            throws: CommandFault.usage("'file' must not contain a zero byte", field: "file")
        ) { try FilePath("/a\0b") }
    }
}
