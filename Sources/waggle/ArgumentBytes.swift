import Foundation

/// The words that this process was started with, byte for byte. Swift's own list replaces bytes
/// that are not UTF-8, and is empty if a preloaded library has moved the environment, from which
/// Swift finds it.
enum ArgumentBytes {
    /// The words without the program's name.
    static var words: [[UInt8]] {
        let line = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/cmdline"))) ?? Data()
        // Each word ends with a zero, including the last.
        return line.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { Array($0) }
    }
}
