import Contract
import Records
import Testing

@Suite struct SchemaTests {
    private struct Sample: CommandRequest {
        enum Size: String, Choice { case small, big }
        struct Spot: Codable, Hashable, Sendable { var latitude: Latitude }

        var name: Text<1, 8>
        var person: NameOrKey?
        var size: Size
        var spot: Spot?
        var tags: [Text<1, 5>]
        var isLoud: Bool?
        var count: Whole<0, 99>
        var atMs: Timestamp?

        static let help = [
            "name": "n", "person": "p", "size": "s", "spot": "l", "tags": "t", "isLoud": "b",
            "count": "c", "atMs": "m",
        ]
        static let positional = ["person"]
    }

    private static let command = Command<Sample, Done>(.action, "try", "it", help: "Tries.")

    private func field(_ changes: [String: JSONValue?]) -> String? {
        var values: [String: JSONValue] = ["name": "x", "size": "big", "tags": [], "count": 1]
        for (name, value) in changes { values[name] = value }
        do throws(CommandFault) {
            let arguments = try Arguments(checking: values, against: Self.command.declaration)
            _ = try arguments.request(as: Sample.self)
            return nil
        } catch {
            guard case .usage(_, let field) = error else { return "no usage" }
            return field
        }
    }

    @Test func `a struct's schema has its members in order, and optional ones are not required`() {
        #expect(
            Schema.of(Sample.self)
                == .object([
                    .init("name", .text(.line(1...8))),
                    .init("person", .text(.line(1...64)), isRequired: false),
                    .init("size", .text(.choice(["small", "big"]))),
                    .init(
                        "spot", .object([.init("latitude", .number(-90...90))]), isRequired: false),
                    .init("tags", .list(.text(.line(1...5)))),
                    .init("isLoud", .boolean, isRequired: false),
                    .init("count", .integer(0...99)),
                    .init("atMs", .integer(0...Timestamp.millisecondsMax), isRequired: false),
                ]))
    }

    @Test func `a timestamp and a text have the limits of a record`() {
        #expect(Stamp.max.time == .max)
        #expect(TextRule.textBytesMax == Limits.valueBytesMax)
    }

    @Test func `positional parameters come first`() {
        #expect(Self.command.declaration.parameters.map(\.name).first == "person")
    }

    @Test(
        arguments: [
            ("name", "12345678", "123456789"), ("name", "가나다라마바사아", "가나다라마바사아자"),
            ("name", "x", "  "), ("name", "x", "a\nb"), ("person", "Ann", " "),
            ("person", "0aF3c1", .string(String(repeating: "0", count: 65))),
            ("size", "small", "medium"), ("count", 99, 100),
            ("count", 0, -1), ("count", 0, 0.5), ("spot", ["latitude": 90], ["latitude": 90.1]),
            ("spot", ["latitude": -90], [:]),
            ("tags", ["a&b=c", "C++", "x,y", "한글"], ["a", "123456"]),
            ("atMs", 140_737_488_355_327, 140_737_488_355_328), ("isLoud", true, "true"),
            ("person", "abcdef", .null), ("name", "x", .null),
        ] as [(String, JSONValue, JSONValue)])
    func `a value at its limit is accepted, and the error for one past it names the field`(
        name: String, good: JSONValue, bad: JSONValue
    ) {
        #expect(field([name: good]) == nil)
        #expect(field([name: bad]) == name)
    }

    @Test(
        arguments: [
            (
                .text(.line(1...5)), "123456",
                "'wish' holds '123456', which must have 1 to 5 characters; it has 6"
            ),
            (.integer(0...9), 10, "'wish' holds '2', which must be a whole number from 0 to 9"),
            (
                .object([.init("at", .text(.line(1...5)))]), ["at": "123456"],
                "'wish' holds '2.at', which must have 1 to 5 characters; it has 6"
            ),
        ] as [(Schema, JSONValue, String)])
    func `an element that breaks a rule is named by its text, or else by its number`(
        element: Schema, bad: JSONValue, sentence: String
    ) {
        let good: JSONValue =
            switch element {
            case .text: "a"
            case .integer: 1
            default: ["at": "a"]
            }
        var said: String?
        do throws(CommandFault) {
            try Schema.list(element, count: 0...8).check([good, bad], field: "wish")
        } catch {
            if case .usage(let sentence, _) = error { said = sentence.english }
        }
        #expect(said == sentence)
    }

    @Test func `a request is decoded from its own JSON`() throws {
        let request = Sample(
            name: try Text(" 강 "), person: try NameOrKey("ABCDEF", field: "person"), size: .small,
            spot: .init(latitude: try Latitude(37.5, field: "latitude")),
            tags: [try Text("a,b"), try Text("C++")], isLoud: false, count: try Whole(7),
            atMs: nil)
        let arguments = Arguments(request)
        #expect(
            arguments.json == [
                "name": "강", "person": "abcdef", "size": "small", "spot": ["latitude": 37.5],
                "tags": ["a,b", "C++"], "isLoud": false, "count": 7,
            ])
        #expect(try arguments.request(as: Sample.self) == request)
    }

    @Test func `an answer with an unknown member is read and one without a member is refused`()
        throws
    {
        struct Answer: Codable, Equatable { var id: Int }
        let newer: JSONValue = ["id": 1, "colour": "red"]
        #expect(try newer.decoded(as: Answer.self) == Answer(id: 1))
        #expect(throws: JSONValue.Mismatch.self) {
            try JSONValue.object([:]).decoded(as: Answer.self)
        }
    }
}
