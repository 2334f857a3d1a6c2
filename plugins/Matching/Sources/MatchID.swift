internal import PluginKit

/// The id of a request or of a match: the first 8 bytes of the device that made it, then 8 random
/// bytes.
///
/// Messages go to all devices of a person. A device that does not hold an id answers for it only if
/// it made the id, since another device of its person may hold it.
struct MatchID: Hashable, Comparable, Sendable {
    /// The 16 bytes.
    let raw: Bytes16

    /// The number of bytes of the device in an id.
    private static let deviceBytesCount = 8

    /// Reads an id.
    init(raw: Bytes16) { self.raw = raw }

    /// Makes an id on a device from random bytes, of which the last 8 are used.
    init(madeBy device: DeviceID, nonce: Bytes16) {
        let bytes =
            device.bytes.prefix(Self.deviceBytesCount)
            + nonce.bytes.suffix(Self.deviceBytesCount)
        guard let raw = Bytes16(Array(bytes)) else { preconditionFailure("8 and 8 bytes are 16") }
        self.raw = raw
    }

    /// Whether the device made the id, as far as its bytes tell.
    func isMade(by device: DeviceID) -> Bool {
        raw.bytes.prefix(Self.deviceBytesCount)
            .elementsEqual(device.bytes.prefix(Self.deviceBytesCount))
    }

    /// The id in hexadecimal digits.
    var digits: String { EntityID(raw: raw).description }

    static func < (one: MatchID, other: MatchID) -> Bool {
        one.raw.bytes.lexicographicallyPrecedes(other.raw.bytes)
    }
}
