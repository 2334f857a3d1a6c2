import Records

/// Two device ids for use in tests.
enum DeviceIDs {
    static let one = DeviceID(raw: Digest.header.hash([1]))
    static let two = DeviceID(raw: Digest.header.hash([2]))
}
