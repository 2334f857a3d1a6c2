import Contract
import NodeAPI
import Testing

@testable import CommandLineKit

struct DiagnosisTextTests {
    private func check(
        _ state: NodeDiagnosis.Check.State, _ fix: NodeDiagnosis.Fix? = nil
    ) -> NodeDiagnosis.Check {
        NodeDiagnosis.Check(id: .daemon, state: state, finding: "As found.", fix: fix)
    }

    @Test func `a failed check is shown with its remedy`() {
        let fix = NodeDiagnosis.Fix(advice: "Start it.", command: "sudo start")
        let diagnosis = NodeDiagnosis(checks: [check(.ok), check(.skipped), check(.failed, fix)])
        #expect(diagnosis.firstFailure?.fix == fix)
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
        let diagnosis = NodeDiagnosis(checks: [check(.ok), check(.skipped)])
        #expect(diagnosis.firstFailure == nil)
        #expect(DiagnosisText.text(for: diagnosis).hasSuffix("finding each other.\n"))
    }
}
