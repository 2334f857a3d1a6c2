/// Bytes drawn from an injected generator, so that a test can repeat them.
enum RandomBytes {
    /// Returns `count` bytes.
    static func array(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
