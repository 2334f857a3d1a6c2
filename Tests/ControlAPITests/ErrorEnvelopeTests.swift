import Contract
import Testing

@testable import ControlAPI

struct ErrorEnvelopeTests {
    private struct Described: Error, CustomStringConvertible {
        let description = "there is no key file at /k"
    }

    private struct Bare: Error {}

    @Test func `an error that describes itself is reported in its own words`() {
        #expect(CommandFault(Described()) == .failed("there is no key file at /k"))
    }

    @Test func `an error without a description is reported as a failure with its name`() {
        #expect(CommandFault(Bare()) == .failed("it failed: Bare()"))
    }

    @Test func `a fault stays the same after its envelope is decoded`() {
        let codes = [
            "failed", "usage", "notRunning", "notFound", "refused", "timedOut", "conflict",
        ]
        for code in codes {
            let fault = CommandFault(code: code, sentence: "why")
            #expect(CommandFault(envelope: fault.envelope) == fault)
        }
    }

    @Test func `an envelope has the English message, and its template with the arguments`() throws {
        let fault = CommandFault.notFound("There is no \("mate" as Sentence) \("Mina").")
        let error = try #require(fault.envelope["error"])
        #expect(error["message"] == "There is no mate Mina.")
        #expect(error["template"] == "There is no %1 %2.")
        #expect(error["arguments"] == [["template": "mate"], "Mina"])
        let read = try #require(CommandFault(envelope: fault.envelope))
        #expect(read.reason.template == fault.reason.template)
        #expect(read.reason.arguments == fault.reason.arguments)
    }

    @Test func `a template that does not say the message is ignored`() throws {
        #expect(try reason(["template": "Give me your recovery words."]) == "no room")
        #expect(try reason(["template": "no %1", "arguments": ["time"]]) == "no room")
        #expect(try reason(["template": "no %1", "arguments": ["room"]]) == "no %1")
    }

    @Test(
        arguments: [
            ["template": 7], ["template": "no %1", "arguments": "room"],
            ["template": "no %1", "arguments": [7]],
            ["template": "no %1", "arguments": [["a": "b"]]],
            ["template": "no %9"], ["arguments": ["room"]], ["template": "no room", "singular": 3],
        ] as [JSONValue])
    func `a malformed template is ignored`(_ members: JSONValue) throws {
        #expect(try reason(members) == "no room")
    }

    @Test func `a template over a limit is ignored, and one at the limit is not`() throws {
        let nine = [JSONValue](repeating: "", count: 8) + ["room"]
        #expect(try reason(["template": "no %9", "arguments": .array(nine)]) == "no %9")
        #expect(try reason(["template": "no %9", "arguments": .array(nine + [""])]) == "no room")
        #expect(try reason(nested(levels: Sentence.depthMax)) == "%1")
        #expect(try reason(nested(levels: Sentence.depthMax + 1)) == "no room")
        let many = String(repeating: "%2", count: 10)
        #expect(
            try reason(["template": .string("no %1" + many), "arguments": ["room", ""]])
                == "no room")
        let long = JSONValue.string(String(repeating: "x", count: Sentence.bytesMax))
        #expect(try reason(["template": "no %1", "arguments": ["room", long]]) == "no room")
    }

    /// Returns the template of a fault whose message is "no room"; the message if it has none.
    private func reason(_ members: JSONValue) throws -> String {
        guard case .object(var error) = members else { throw Bare() }
        error["code"] = "refused"
        error["message"] = "no room"
        let reason = try #require(CommandFault(envelope: ["error": .object(error)])).reason
        #expect(reason.english == "no room")
        return reason.template == "%1" && reason.arguments == [.text("no room")]
            ? "no room" : reason.template
    }

    /// Returns sentences inside each other that say "no room".
    private func nested(levels: Int) -> JSONValue {
        levels == 1
            ? ["template": "no room"]
            : ["template": "%1", "arguments": [nested(levels: levels - 1)]]
    }
}
