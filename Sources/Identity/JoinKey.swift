internal import Crypto
public import Records

/// The key that a joining code gives, with which two devices prove to each other that they know the
/// code, and the public name by which the right device recognises it.
///
/// A proof names both devices, as their link proved them, and the role of the one that proves. So a
/// proof is worthless on another link, between other devices, and if it is sent back.
public struct JoinKey: Sendable {
    /// The name of the code. It says nothing about the secret.
    public let name: JoinCodeName
    private let key: SymmetricKey
    /// The 40 bytes that the secret gives: the key, then the name.
    var derived: [UInt8] { unsafe key.withUnsafeBytes { unsafe Array($0) } + nameBytes }
    private var nameBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: name.raw)
        return bytes
    }

    /// The two roles in a joining.
    public enum Role: UInt8, Sendable {
        /// The new device, which types the code.
        case joiner = 1
        /// The device that shows the code.
        case adder = 2
    }

    /// Derives key and name: HKDF-SHA256 without salt, with the purpose's prefix as info. The first
    /// 32 of 40 bytes are the key, the others the name.
    init(secret: [UInt8]) {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Digest.joinKey.prefix,
            outputByteCount: 40)
        let bytes = unsafe derived.withUnsafeBytes { unsafe Array($0) }
        key = SymmetricKey(data: bytes.prefix(32))
        name = JoinCodeName(raw: bytes.dropFirst(32).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Returns the proof of one of two linked devices: HMAC-SHA256 over the purpose's prefix, the
    /// role and both devices.
    public func proof(of role: Role, joiner: DeviceID, adder: DeviceID) -> Bytes32 {
        let code = HMAC<SHA256>.authenticationCode(
            for: JoinKey.proven(role, joiner, adder), using: key)
        guard let bytes = Bytes32(Array(code)) else {
            preconditionFailure("HMAC-SHA256 has 32 bytes")
        }
        return bytes
    }

    /// Whether a proof is right. The comparison takes the same time for every wrong proof.
    public func isProof(
        _ proof: Bytes32, of role: Role, joiner: DeviceID, adder: DeviceID
    ) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            proof.bytes, authenticating: JoinKey.proven(role, joiner, adder), using: key)
    }

    /// Returns the six digits that both devices show after both proofs.
    public func checkCode(joiner: DeviceID, adder: DeviceID) -> String {
        let bytes = Array(
            HMAC<SHA256>.authenticationCode(
                for: Digest.checkCode.prefix + joiner.bytes + adder.bytes, using: key))
        let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private static func proven(_ role: Role, _ joiner: DeviceID, _ adder: DeviceID) -> [UInt8] {
        Digest.joinProof.prefix + [role.rawValue] + joiner.bytes + adder.bytes
    }
}

/// The public name of a joining code: 64 bits that derive from it. A device that shows another code
/// recognises by it that a question is not for it.
public struct JoinCodeName: Hashable, Sendable {
    /// The name as a number.
    public let raw: UInt64

    /// Creates a name from a received number.
    public init(raw: UInt64) { self.raw = raw }
}
