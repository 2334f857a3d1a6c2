public import PluginKit

/// The system's cryptographic randomness.
public struct SystemRandom: RandomSource {
    /// The source; it has no state.
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
