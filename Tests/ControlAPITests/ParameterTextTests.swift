import Contract
import Foundation
import Testing

@testable import ControlAPI

struct ParameterTextTests {
    private func arguments(_ items: [(String, String)]) throws(CommandFault) -> Arguments {
        try SampleCommands.list.arguments(fromQuery: items.map { (name: $0.0, text: $0.1) })
    }

    private func fault(_ items: [(String, String)]) -> CommandFault? {
        do {
            _ = try arguments(items)
            return nil
        } catch {
            return error
        }
    }

    @Test func `texts become values of the declared types`() throws {
        let values = try arguments([
            ("state", "5"), ("near", "12.5"), ("open", "yes"), ("keywords", "a, b"),
            ("keywords", "c"),
        ])
        #expect(values["state"] == "5")
        #expect(values["near"] == 12.5)
        #expect(values["open"] == true)
        #expect(values["keywords"] == ["a, b", "c"])
    }

    @Test(arguments: [("near", "far"), ("near", "inf"), ("near", "nan"), ("open", "maybe")])
    func `a text of another type is refused with its parameter's name`(name: String, text: String) {
        guard case .usage(let sentence, let field) = fault([(name, text)]) else {
            Issue.record("it was taken")
            return
        }
        #expect(field == name)
        #expect(sentence.english.contains("'\(text)'"))
    }

    @Test(arguments: ["+5", "0x10", "1e3", "5.0", " 5", "５", "", "-", "9223372036854775808"])
    func `a whole number is accepted only in digits`(text: String) throws {
        let years = Parameter.optional("age", .integer, "Years.")
        #expect(throws: CommandFault.self) { try years.value(fromText: text) }
        #expect(try years.value(fromText: "-12") == -12)
    }

    @Test(arguments: ["+5", "0x10", "0x1p4", "1e999", "5.", ".5", " 5", "５", "", "-"])
    func `a number is accepted only in JSON's notation`(text: String) throws {
        let latitude = Parameter.optional("latitude", .number(nil), "Degrees north.")
        #expect(throws: CommandFault.self) { try latitude.value(fromText: text) }
        #expect(try latitude.value(fromText: "-1.5e-05") == -0.000015)
    }

    @Test func `a single value given twice is refused`() {
        let fault = fault([("state", "a"), ("state", "b")])
        #expect(fault == .usage("'state' is given twice", field: "state"))
    }

    @Test func `an unknown name is refused, and the error lists the known ones`() {
        #expect(fault([("stat", "a")])?.sentence.contains("state, keywords, near, open") == true)
    }

    @Test(arguments: [
        ["a&b=c", "C++", "x,y", "한글"], [""], ["", "a"], ["[1]"], [#"["a"]"#, "b"], ["[", "]"], [],
    ])
    func `a list comes back from the query it is sent as`(words: [String]) throws {
        let sent = try Arguments(
            checking: ["keywords": .array(words.map(JSONValue.string))],
            against: SampleCommands.list)
        let items = SampleCommands.list.query(for: sent).split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], (parts.count > 1 ? parts[1] : "").removingPercentEncoding ?? "")
        }
        #expect(try arguments(items).texts("keywords") == words)
    }

    @Test func `arguments are decoded from the query they are sent as`() throws {
        let sent = try Arguments(
            checking: [
                "state": "a&b=c d/강", "near": -0.5, "open": false, "keywords": ["x", "y"],
            ], against: SampleCommands.list)
        let query = SampleCommands.list.query(for: sent)
        #expect(
            query == "state=a%26b%3Dc%20d%2F%EA%B0%95&keywords=x&keywords=y&near=-0.5&open=false")
    }
}
