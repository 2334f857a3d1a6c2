public import Records

// What a node needs to know of an exchange.
extension OpenExchange {
    /// The logs that are here, in no order.
    public var logs: some Collection<LogName> { book.logs.keys }

    /// Whether a peer may have more of a device's logs than is here: it offers more, or its offer
    /// is not read to its end.
    public func isBehind(_ peer: DeviceID, on author: DeviceID) -> Bool {
        guard let link = links[peer], link.remoteDigest != nil else { return false }
        return link.scan != .idle || link.missing.logs.contains { $0.device == author }
    }

    /// Whether a peer was asked for a piece and has not answered. Another piece of it is not
    /// decoded.
    public func awaitsPiece(from peer: DeviceID) -> Bool {
        links[peer]?.asked.contains { if case .piece = $0.subject { true } else { false } } ?? false
    }
}

extension Message {
    /// Returns the channel of a PASSED without decoding its run; nil if the frame is none or does
    /// not begin with a channel.
    public static func channel(ofPassed payload: [UInt8], type: UInt8) -> UInt64? {
        guard type == FrameType.passed.rawValue else { return nil }
        var reader = ByteReader(payload)
        return try? reader.varint()
    }
}
