public import PluginKit
internal import Synchronization

/// A source of bytes that cannot be predicted without the seed.
public final class SeededRandom: RandomSource {
    private let generator: Mutex<SeededGenerator>

    /// Creates a source whose every byte depends on the seed alone.
    public init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    /// Returns the next bytes.
    public func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}
