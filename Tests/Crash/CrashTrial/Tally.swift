/// Counts passed and failed cases, and prints each failure with the command that repeats it.
struct Tally {
    private let part: String
    private(set) var passedCount = 0
    private(set) var failedCount = 0

    /// The number of failures printed in full; there may be thousands of one kind.
    private static let shownFailuresMax = 10

    init(_ part: String) { self.part = part }

    /// Counts one case.
    /// - Parameter complaint: nil if the case passed.
    mutating func count(seed: UInt64, number: Int, _ name: String, _ complaint: String?) {
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
