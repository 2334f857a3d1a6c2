import Contract
import Testing

/// Texts of answers, and the digits that tell people of one name apart.
@Suite struct ShownTextTests {
    /// Characters of one to seven Unicode scalars.
    private static let characters = [
        "x", "강", "\u{1100}\u{1161}\u{11A8}", "e\u{301}", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "\n",
    ]

    @Test(arguments: characters)
    func `a text of the maximum length is kept, and one character more is cut`(
        character: String
    ) throws {
        let five = String(repeating: character, count: 5)
        #expect(ShownText<5>(clipping: five).string.utf8.elementsEqual(five.utf8))
        #expect(ShownText<5>(clipping: five + character).string.utf8.elementsEqual(five.utf8))
        #expect(try ShownText<5>(five).string == five)
        #expect(throws: CommandFault.self) { try ShownText<5>(five + character) }
    }

    @Test(arguments: ["", " ", "a&b=c", " 안녕 \n하세요\t", "e\u{301}", "\u{202e}abc", "\r\n", "\0"])
    func `a text within the limits comes back byte for byte`(text: String) throws {
        let shown = ShownText<20>(clipping: text)
        #expect(shown.string.utf8.elementsEqual(text.utf8))
        let json = JSONValue(encoding: shown)
        #expect(json == .string(text))
        #expect(try json.decoded(as: ShownText<20>.self) == shown)
    }

    @Test func `a character may have many scalars, and all of them together have a limit`() throws {
        let marks = String(repeating: "\u{301}", count: 31)
        #expect(try ShownText<2>("e" + marks).string.unicodeScalars.count == 32)
        #expect(
            throws: CommandFault.usage(
                "'name' must have at most 32 code points; it has 33", field: "name")
        ) { try ShownText<2>("e" + marks + "\u{301}", field: "name") }
        let cut = ShownText<2>(clipping: "e" + marks + "\u{301}\u{301}")
        #expect(cut == "e" + marks)
        #expect(try ShownText<2>(cut.string) == cut)
    }

    @Test func `a text that is cut within a character can be read again`() throws {
        let family = "👨\u{200d}" + String(repeating: "\u{301}", count: 40) + "\u{200d}👩"
        for text in [family, "x" + family, family + family, "🇰🇷🇰🇷🇰🇷"] {
            let cut = ShownText<2>(clipping: text)
            #expect(try ShownText<2>(cut.string) == cut)
        }
    }

    @Test func `a text that is too long is refused with a sentence that names its member`() throws {
        struct Answer: Codable { var name: ShownText<3>? }
        #expect(
            throws: CommandFault.usage(
                "'name' must have at most 3 characters; it has 4", field: "name")
        ) { try JSONValue.object(["name": "abcd"]).decoded(as: Answer.self) }
        #expect(try JSONValue.object(["name": "abc"]).decoded(as: Answer.self).name == "abc")
        #expect(try JSONValue.object([:]).decoded(as: Answer.self).name == nil)
    }

    @Test func `a text of a request has the same maximum in an answer`() {
        #expect(Schema.of(Text<1, 50>.Shown.self) == .text(.shown(charactersMax: 50)))
        #expect(Schema.of(Lines<1, 2000>.Shown.self) == .text(.shown(charactersMax: 2000)))
        #expect(ShownNickname.max == TextRule.nickname.characters.upperBound)
        #expect(ShownText<50>.schema.expectation == "a text of at most 50 characters")
    }

    @Test func `a name holds the longest nickname with digits of the key after it`() throws {
        let nickname = String(repeating: "안", count: TextRule.nickname.characters.upperBound)
        let longest = "\(nickname) · \(KeySuffix.example)"
        #expect(longest.count == PersonName.max)
        #expect(try PersonName(longest) == longest)
    }

    @Test func `a key's suffix is its first six digits, and nothing else is one`() throws {
        let key = try Key(String(repeating: "0123456789abcdef", count: 4))
        #expect(KeySuffix(key).string == "012345")
        #expect(try KeySuffix("ABCDEF").string == "abcdef")
        for wrong in ["", "01234", "0123456", "01234g", " 12345", "０１２３４５"] {
            #expect(throws: CommandFault.self) { try KeySuffix(wrong) }
        }
    }

    @Test func `a difference of moments is at most the whole range of moments`() throws {
        let most = Int(Timestamp.millisecondsMax)
        for number in [-most, -1, 0, most] {
            #expect(try TimeDifference(number).milliseconds == number)
            let json = JSONValue(encoding: TimeDifference(clamping: number))
            #expect(json == .integer(Int64(number)))
        }
        #expect(TimeDifference(clamping: most + 1).milliseconds == most)
        #expect(TimeDifference(clamping: .min).milliseconds == -most)
        #expect(throws: CommandFault.self) { try TimeDifference(most + 1) }
        #expect(throws: CommandFault.self) { try TimeDifference(-most - 1) }
    }

    @Test func `a profile in an answer is cut to its limits, without an age out of range`() {
        let long = String(repeating: "안", count: 21)
        let cut = ShownProfile(ProfileFields(nickname: long, dogName: long, age: 100))
        #expect(cut.nickname == String(repeating: "안", count: 20))
        #expect(cut.dogName == String(repeating: "안", count: 15))
        #expect(cut.age == nil)
        let shown = ShownProfile(ProfileFields(nickname: "Ann", age: 99, sex: .female))
        #expect(JSONValue(encoding: shown) == ["nickname": "Ann", "age": 99, "sex": "female"])
    }
}
