import Contract
import Testing

struct NameOrKeyTests {
    private let ann = Key(digit: "a", "1")
    private let ben = Key(digit: "a", "2")
    private let cem = Key(digit: "c", "3")

    private func resolve(_ words: String, names: [Key: String]) throws -> Key {
        try NameOrKey(words).resolve(
            among: [ann, ben, cem], named: { names[$0] }, what: "mate", listedBy: "mates list")
    }

    @Test func `a name means the one who has it, in upper or lower case`() throws {
        let names = [ann: "Ann", ben: "벤", cem: "Zoë"]
        #expect(try resolve("Ann", names: names) == ann)
        #expect(try resolve(" ann ", names: names) == ann)
        #expect(try resolve("벤", names: names) == ben)
        #expect(try resolve("Zoe\u{308}", names: names) == cem)
    }

    @Test func `six digits mean a key, and five a name`() throws {
        #expect(try resolve("CCCCCC", names: [:]) == cem)
        #expect(throws: CommandFault.notFound("There is no mate ccccc; see 'mates list'.")) {
            try resolve("ccccc", names: [:])
        }
        #expect(try resolve("ccccc", names: [ann: "ccccc"]) == ann)
    }

    @Test func `a name that looks like another's key never stands for it`() throws {
        #expect(try resolve("cccccc", names: [ann: "cccccc"]) == cem)
        #expect(try resolve("dddddd", names: [ann: "DDDDDD"]) == ann)
    }

    @Test func `several meanings are a conflict that says what to do`() {
        #expect(
            throws: CommandFault.conflict(
                "Several begin with aaaaaa; give more digits of the mate's key.")
        ) { try resolve("aaaaaa", names: [:]) }
        #expect(
            throws: CommandFault.conflict(
                "Several are called Bo; name the mate by key, which 'mates list' shows.")
        ) { try resolve("Bo", names: [ann: "Bo", cem: "bo"]) }
    }

    @Test func `a name that is shown with digits of its key counts without them too`() throws {
        let names = [ann: "Ann · aaaaaa", cem: "Cem · aaaaaa"]
        for words in ["Ann · aaaaaa", "ann", "Ann"] {
            #expect(try resolve(words, names: names) == ann)
        }
        // These digits are no part of Cem's key, but of the name.
        #expect(throws: CommandFault.self) { try resolve("Cem", names: names) }
        // A name that only looks like a name with digits does not hide the exact name.
        #expect(try resolve("Ann", names: [ann: "Ann · aaaaaa", cem: "Ann"]) == cem)
        #expect(
            throws: CommandFault.conflict(
                "Several are called Ann; name the mate by key, which 'mates list' shows.")
        ) { try resolve("Ann", names: [ann: "Ann · aaaaaa", cem: "Ann · cccccc"]) }
    }

    @Test func `a repeated candidate counts once`() throws {
        let key = try NameOrKey("cccccc").resolve(
            among: [cem, cem], what: "mate", listedBy: "mates list")
        #expect(key == cem)
    }

    @Test func `the same digits are equal, also in different parameters`() throws {
        #expect(try NameOrKey("ABCDEF", field: "to") == NameOrKey("abcdef", field: "with"))
        #expect(try NameOrKey("abcdef", field: "to") != NameOrKey("abcde0", field: "to"))
        #expect(try NameOrKey("Ann") != NameOrKey("ann"))
    }

    @Test(arguments: ["", "  ", "a\nb", String(repeating: "x", count: 65)])
    func `words that are no line of text are refused`(words: String) {
        #expect(throws: CommandFault.self) { try NameOrKey(words) }
    }
}

extension Key {
    fileprivate init(digit: Character, _ last: Character) {
        do {
            self = try Key(String(repeating: digit, count: 63) + String(last))
        } catch { preconditionFailure("\(error)") }
    }
}
