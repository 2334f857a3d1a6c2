import Contract
import Testing

@Suite struct KeyPrefixTests {
    private let keys = ["abcdef1", "abcdef2", "123456f"]

    private func resolve(_ text: String) throws -> String {
        try NameOrKey(text, field: "to").resolve(among: keys, what: "mate", listedBy: "mates list")
    }

    @Test func `the only key that begins with the digits is found, also by capitals`() throws {
        #expect(try resolve("123456") == "123456f")
        #expect(try resolve("ABCDEF1") == "abcdef1")
    }

    @Test func `a prefix of two keys is a conflict, and a prefix of none is not found`() {
        #expect(
            throws: CommandFault.conflict(
                "Several begin with abcdef; give more digits of the mate's key.")
        ) {
            try resolve("abcdef")
        }
        #expect(throws: CommandFault.notFound("There is no mate 999999; see 'mates list'.")) {
            try resolve("999999")
        }
    }

    @Test func `digits match exactly the keys that begin with them`() throws {
        let prefix = try NameOrKey("ABCDEF")
        #expect(keys.filter(prefix.matches) == ["abcdef1", "abcdef2"])
    }

    @Test func `a repeated candidate counts once`() throws {
        let key = try NameOrKey("123456").resolve(
            among: keys + keys, what: "mate", listedBy: "mates list")
        #expect(key == "123456f")
    }

    @Test func `prefixes with the same digits are equal, also in different parameters`() throws {
        #expect(try NameOrKey("ABCDEF", field: "to") == NameOrKey("abcdef", field: "with"))
        #expect(try NameOrKey("abcdef", field: "to") != NameOrKey("abcde0", field: "to"))
    }
}
