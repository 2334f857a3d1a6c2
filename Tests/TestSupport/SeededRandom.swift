public import PluginKit
internal import Synchronization

/// Bytes that nobody can predict who does not know the seed.
public final class SeededRandom: RandomSource {
    private let generator: Mutex<SeededGenerator>

    /// A source whose every byte follows from the seed.
    public init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    /// The next bytes of the seed.
    public func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}
