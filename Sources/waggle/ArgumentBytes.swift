import Glibc

/// The words that this process was started with, as they were given: Swift's own list has other
/// characters in place of bytes that are no UTF-8.
enum ArgumentBytes {
    /// The words without the program's name.
    static var words: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { place in
            guard let word = unsafe CommandLine.unsafeArgv[place] else { return nil }
            return unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
        }
    }
}
