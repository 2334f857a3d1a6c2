import Foundation

/// The words that this process was started with, as they were given: Swift's own list has other
/// characters in place of bytes that are no UTF-8, and is empty where a preloaded library has moved
/// the environment, from which Swift finds it.
enum ArgumentBytes {
    /// The words without the program's name.
    static var words: [[UInt8]] {
        let line = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/cmdline"))) ?? Data()
        // Each word ends with a zero, also the last.
        return line.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { Array($0) }
    }
}
