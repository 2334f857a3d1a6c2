import Records

/// Two devices to name in claims.
enum DeviceIDs {
    static let one = DeviceID(raw: Digest.header.hash([1]))
    static let two = DeviceID(raw: Digest.header.hash([2]))
}
