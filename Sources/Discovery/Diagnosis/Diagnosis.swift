/// Why two nodes might not find each other: checks in the order in which to mend what they found.
public struct Diagnosis: Hashable, Sendable, Codable {
    /// All checks, in their order.
    public let checks: [Check]

    /// The first check that failed: mend this one first, since later ones may fail because of it.
    public var firstFailure: Check? { checks.first { $0.state == .failed } }

    /// Takes the checks in their order.
    public init(checks: [Check]) {
        self.checks = checks
    }

    /// One cause that was looked at.
    public struct Check: Hashable, Sendable, Codable {
        /// What was looked at; the raw values appear in JSON.
        public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
            case bus, daemon, interface, port, clock, dialBack
        }

        /// How it turned out.
        public enum State: String, Hashable, Sendable, Codable {
            case ok, failed, skipped
        }

        /// What was looked at.
        public let id: Cause
        /// How it turned out.
        public let state: State
        /// What was found, as a sentence; for a skipped check, why it was skipped.
        public let finding: String
        /// How to mend it; present exactly where the check failed.
        public let fix: Fix?

        static func ok(_ id: Cause, _ finding: String) -> Check {
            Check(id: id, state: .ok, finding: finding, fix: nil)
        }

        static func skipped(_ id: Cause, because reason: String) -> Check {
            Check(id: id, state: .skipped, finding: reason, fix: nil)
        }

        static func failed(_ id: Cause, _ finding: String, fix: Fix) -> Check {
            Check(id: id, state: .failed, finding: finding, fix: fix)
        }
    }

    /// How to mend a cause.
    public struct Fix: Hashable, Sendable, Codable {
        /// What to do, as a sentence.
        public let advice: String
        /// The command that does it or shows more, where there is one.
        public let command: String?

        /// Takes a sentence and the command that goes with it.
        public init(_ advice: String, command: String? = nil) {
            self.advice = advice
            self.command = command
        }
    }
}
