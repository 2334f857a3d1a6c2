internal import Contract
public import NodeAPI

/// A diagnosis as text for a person: one line for every check, and the remedy below a failed one.
public enum DiagnosisText {
    /// Returns the lines, ending with a line end; the last one says what to fix first.
    public static func text(for diagnosis: NodeDiagnosis) -> String {
        let verdict =
            diagnosis.firstFailure.map { "Fix this first: " + $0.finding.string }
            ?? "Nothing here keeps people from finding each other."
        return (diagnosis.checks.flatMap(lines) + ["", verdict.harmless]).joined(separator: "\n")
            + "\n"
    }

    private static func lines(_ check: NodeDiagnosis.Check) -> [String] {
        let fix = [check.fix?.advice.string, check.fix?.command?.string].compactMap { $0 }
        return [check.state.rawValue.padded(to: 9) + check.finding.string.harmless]
            + fix.map { String(repeating: " ", count: 9) + "-> " + $0.harmless }
    }
}
