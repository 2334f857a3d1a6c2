import Contract
import Testing

@testable import CommandLineKit

struct DiagnosisTextTests {
    private func check(_ state: JSONValue, _ fix: JSONValue? = nil) -> JSONValue {
        .record(["id": "daemon", "state": state, "finding": "As found.", "fix": fix])
    }

    @Test func `a failed check is shown with its remedy`() {
        let diagnosis: JSONValue = [
            "checks": [
                check("ok"), check("skipped"),
                check("failed", ["advice": "Start it.", "command": "sudo start"]),
            ]
        ]
        #expect(DiagnosisText.hasFailure(diagnosis))
        #expect(
            DiagnosisText.text(for: diagnosis) == """
                ok       As found.
                skipped  As found.
                failed   As found.
                         -> Start it.
                         -> sudo start

                Fix this first: As found.

                """)
    }

    @Test func `a skipped check is not a failure`() {
        let diagnosis: JSONValue = ["checks": [check("ok"), check("skipped")]]
        #expect(!DiagnosisText.hasFailure(diagnosis))
        #expect(DiagnosisText.text(for: diagnosis).hasSuffix("finding each other.\n"))
    }
}
