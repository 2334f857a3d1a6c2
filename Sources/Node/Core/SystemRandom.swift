public import PluginKit

/// The system's cryptographic randomness.
public struct SystemRandom: RandomSource {
    /// Creates the source; it has no state.
    public init() {}

    /// Returns fresh random bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
