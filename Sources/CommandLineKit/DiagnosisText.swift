public import Contract
public import NodeAPI

/// A diagnosis as text for a person: one line for every check, and the remedy below a failed one.
public enum DiagnosisText {
    /// Returns the lines, ending with a line end; the last one says what to fix first.
    public static func text(
        for diagnosis: NodeDiagnosis, in catalogue: Catalogue = .current
    ) -> String {
        let verdict: Sentence =
            diagnosis.firstFailure.map { "Fix this first: \($0.finding.sentence)" }
            ?? "Nothing here keeps people from finding each other."
        let checks = diagnosis.checks.flatMap { lines($0, catalogue) }
        let recovery = diagnosis.recovery.map { [catalogue.text($0.sentence).harmless, ""] } ?? []
        return (recovery + checks + ["", catalogue.text(verdict).harmless]).joined(separator: "\n")
            + "\n"
    }

    private static func lines(
        _ check: NodeDiagnosis.Check, _ catalogue: Catalogue
    ) -> [String] {
        let advice = (check.fix?.advice.sentence).map(catalogue.text)
        let fix = [advice, check.fix?.command?.string].compactMap { $0 }
        let state = catalogue.text(Sentence(declared: check.state.rawValue))
        return [state.padded(to: 9) + catalogue.text(check.finding.sentence).harmless]
            + fix.map { String(repeating: " ", count: 9) + "-> " + $0.harmless }
    }
}
