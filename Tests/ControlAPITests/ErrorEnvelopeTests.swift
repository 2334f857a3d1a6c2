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
}
