public import PluginKit

/// The values that both sides compute alike from the two keys and the two nonces.
public struct DropTranscript: Hashable, Sendable {
    private let hash: Bytes32

    /// Joins the two sides; their order makes no difference.
    public init(
        _ one: (device: DeviceID, nonce: Bytes32), _ other: (device: DeviceID, nonce: Bytes32)
    ) {
        let (low, high) = one.device < other.device ? (one, other) : (other, one)
        hash = Digest.checkCode.hash(
            low.device.bytes + high.device.bytes + low.nonce.bytes + high.nonce.bytes)
    }

    /// Six digits that both screens show: the first eight bytes, modulo a million. A man in the
    /// middle has two other keys, and committed to his nonces before he saw any: his two codes
    /// agree once in a million tries.
    public var checkCode: String {
        let number = hash.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The meeting that both edges name: the last sixteen bytes, which the code does not reveal.
    public var meeting: Bytes16 {
        guard let meeting = Bytes16(hash.bytes.suffix(16)) else {
            preconditionFailure("a hash has 32 bytes")
        }
        return meeting
    }

    /// Returns the commitment that a side sends before either reveals its nonce. It covers the
    /// device key, so that a device cannot reuse the commitment of another one.
    public static func commitment(of device: DeviceID, nonce: Bytes32) -> Bytes32 {
        Digest.commitment.hash([1] + device.bytes + nonce.bytes)
    }

    /// Returns the id of the drop, which is the same on both sides, in either order.
    public static func id(_ one: Bytes32, _ other: Bytes32) -> Bytes16 {
        Bytes16(
            prefixOf: Digest.commitment.hash(
                [2] + min(one, other).bytes + max(one, other).bytes))
    }
}
