/// Counts what passed and failed, and prints each failure with the command that shows it again.
struct Tally {
    private let part: String
    private(set) var passedCount = 0
    private(set) var failedCount = 0

    /// Failures printed in full; there may be thousands of one kind.
    private static let shownFailuresMax = 10

    init(_ part: String) { self.part = part }

    /// Takes one case.
    /// - Parameter complaint: what is wrong; nil where nothing is.
    mutating func take(seed: UInt64, number: Int, _ name: String, _ complaint: String?) {
        guard let complaint else {
            passedCount += 1
            return
        }
        failedCount += 1
        guard failedCount <= Tally.shownFailuresMax else { return }
        print("✗ \(name): \(complaint)")
        print("    again: script/crash \(part) --seed \(seed) --only \(number)")
    }

    /// The line that `script/crash` adds up.
    var line: String { "\(passedCount) passed, \(failedCount) failed" }
}
