public import Contract

/// A diagnosis as text for a person: one line for every check, and the remedy below a failed one.
public enum DiagnosisText {
    /// Whether any check failed.
    public static func hasFailure(_ diagnosis: JSONValue) -> Bool {
        checks(diagnosis).contains { $0["state"]?.string == "failed" }
    }

    /// Returns the lines, ending with a line end; the last one says what to fix first.
    public static func text(for diagnosis: JSONValue) -> String {
        let checks = checks(diagnosis)
        let failed = checks.first { $0["state"]?.string == "failed" }
        let verdict =
            failed.map { "Fix this first: " + ($0["finding"]?.string ?? "") }
            ?? "Nothing here keeps people from finding each other."
        return (checks.flatMap(lines) + ["", verdict.harmless]).joined(separator: "\n") + "\n"
    }

    private static func checks(_ diagnosis: JSONValue) -> [JSONValue] {
        diagnosis["checks"]?.array ?? []
    }

    private static func lines(_ check: JSONValue) -> [String] {
        let state = check["state"]?.string ?? "?"
        let finding = check["finding"]?.string ?? ""
        let fix = [check["fix"]?["advice"], check["fix"]?["command"]].compactMap { $0?.string }
        return [state.harmless.padded(to: 9) + finding.harmless]
            + fix.map { String(repeating: " ", count: 9) + "-> " + $0.harmless }
    }
}
