import PluginKit
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

    @Test func `texts become what the declaration says`() throws {
        let values = try arguments([
            ("state", "5"), ("near", "12.5"), ("open", "yes"), ("keywords", "a, b"),
            ("keywords", "c"),
        ])
        #expect(values["state"] == "5")
        #expect(values["near"] == 12.5)
        #expect(values["open"] == true)
        #expect(values["keywords"] == ["a", "b", "c"])
    }

    @Test(arguments: [("near", "far"), ("near", "inf"), ("near", "nan"), ("open", "maybe")])
    func `a text of another type is refused with the name`(name: String, text: String) {
        guard case .usage(let sentence, let field) = fault([(name, text)]) else {
            Issue.record("it was taken")
            return
        }
        #expect(field == name)
        #expect(sentence.contains("'\(text)'"))
    }

    @Test func `one value given twice is refused`() {
        let fault = fault([("state", "a"), ("state", "b")])
        #expect(fault == .usage("'state' is given twice", field: "state"))
    }

    @Test func `an unknown name is refused with those there are`() {
        #expect(fault([("stat", "a")])?.sentence.contains("state, keywords, near, open") == true)
    }

    @Test func `arguments come back from the query they are sent as`() throws {
        let sent = try Arguments(
            checking: [
                "state": "a&b=c d/강", "near": -0.5, "open": false, "keywords": ["x", "y"],
            ], against: SampleCommands.list)
        let query = SampleCommands.list.query(for: sent)
        #expect(
            query == "state=a%26b%3Dc%20d%2F%EA%B0%95&keywords=x&keywords=y&near=-0.5&open=false")
    }
}
