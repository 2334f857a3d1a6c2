/// The length field of a frame over the limit.
struct OverlongHeader {
    let bytes: [UInt8]
    let length: Int

    private static let ofNoFrameEver = [
        OverlongHeader(bytes: [0x80, 0, 0, 0], length: 2_147_483_648),
        OverlongHeader(bytes: [0xFF, 0xFF, 0xFF, 0xFF], length: 4_294_967_295),
    ]

    /// Two absurd lengths, and the first length over the limit before HELLO was accepted.
    static let allBeforeHello =
        ofNoFrameEver + [OverlongHeader(bytes: [0, 0, 0x40, 1], length: 16_385)]

    /// Two absurd lengths, and the first length over the limit after HELLO was accepted.
    static let allAfterHello =
        ofNoFrameEver + [OverlongHeader(bytes: [0, 4, 0, 1], length: 262_145)]
}
