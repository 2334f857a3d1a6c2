public import Localization

/// The reasons why two nodes may not find each other: checks in the order in which problems should
/// be fixed.
public struct Diagnosis: Hashable, Sendable, Codable {
    /// All checks in order.
    public let checks: [Check]

    /// The first failed check. It should be fixed first, because later ones may fail because of it.
    public var firstFailure: Check? { checks.first { $0.state == .failed } }

    /// Creates a diagnosis from checks in order.
    public init(checks: [Check]) {
        self.checks = checks
    }

    /// The check of one cause.
    public struct Check: Hashable, Sendable, Codable {
        /// The checked part of the system. The raw values appear in JSON.
        public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
            /// The system bus, the Avahi daemon, the network interfaces, the port, the clock, a
            /// peer's dial.
            case bus, daemon, interface, port, clock, dialBack
        }

        /// The result of a check.
        public enum State: String, Hashable, Sendable, Codable {
            /// The check succeeded, failed, or was not possible.
            case ok, failed, skipped
        }

        /// The checked part of the system.
        public let id: Cause
        /// The result.
        public let state: State
        /// The finding as a sentence; for a skipped check, the reason for skipping it.
        public let finding: Sentence
        /// The remedy, present exactly if the check failed.
        public let fix: Fix?

        static func ok(_ id: Cause, _ finding: Sentence) -> Check {
            Check(id: id, state: .ok, finding: finding, fix: nil)
        }

        static func skipped(_ id: Cause, because reason: Sentence) -> Check {
            Check(id: id, state: .skipped, finding: reason, fix: nil)
        }

        static func failed(_ id: Cause, _ finding: Sentence, fix: Fix) -> Check {
            Check(id: id, state: .failed, finding: finding, fix: fix)
        }
    }

    /// A remedy for a failed check.
    public struct Fix: Hashable, Sendable, Codable {
        /// The advice as a sentence.
        public let advice: Sentence
        /// A command that fixes the problem or shows more, if there is one.
        public let command: String?

        /// Creates a remedy.
        public init(_ advice: Sentence, command: String? = nil) {
            self.advice = advice
            self.command = command
        }
    }
}
