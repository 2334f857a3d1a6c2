import Contract
import Testing

struct RecordPrefixTests {
    @Test func `a prefix means all ids that begin with its digits`() throws {
        let ids = try RecordPrefix("ABCDEF1").ids
        #expect(ids.lowerBound.string == "abcdef1" + String(repeating: "0", count: 25))
        #expect(ids.upperBound.string == "abcdef1" + String(repeating: "f", count: 25))
    }

    @Test func `a whole id means itself`() throws {
        let id = try RecordKey(String(repeating: "7", count: 32))
        #expect(RecordPrefix(id).ids == id...id)
    }

    @Test(arguments: ["", "12345", "abcdeg", String(repeating: "0", count: 33), "１２３４５６"])
    func `other texts are refused`(text: String) {
        #expect(
            throws: CommandFault.usage("'id' must be 6 to 32 hexadecimal digits", field: "id")
        ) { try RecordPrefix(text) }
    }

    @Test func `the one record that was found is returned`() throws {
        let prefix = try RecordPrefix("abcdef")
        #expect(try prefix.onlyMatch(in: ["a"], of: "note", listedBy: "group show") == "a")
        #expect(throws: CommandFault.notFound("There is no note abcdef; see 'group show'.")) {
            try prefix.onlyMatch(in: [String](), of: "note", listedBy: "group show")
        }
        #expect(
            throws: CommandFault.conflict(
                "Several begin with abcdef; give more digits of the note's id.")
        ) { try prefix.onlyMatch(in: ["a", "b"], of: "note", listedBy: "group show") }
    }
}
