public import Links
public import Records

/// Links over TLS 1.3, as one device's endpoint makes them.
public struct TLSTransport: Transport {
    private let endpoint: LinkEndpoint

    /// The transport of an endpoint.
    public init(_ endpoint: LinkEndpoint) { self.endpoint = endpoint }

    public func dial(
        _ address: LinkAddress, expecting: DeviceID?
    ) async throws(LinkFault) -> any DeviceLink {
        try await endpoint.dial(address, expecting: expecting)
    }

    public func listen(port: UInt16) async throws(ListenFault) -> any LinkArrivals {
        try await endpoint.listen(port: port)
    }
}

extension Link: DeviceLink {}

extension LinkListener: LinkArrivals {
    /// The next link that another device dialled, for the same one reader.
    public func nextLink() async -> (any DeviceLink)? {
        var iterator = links.makeAsyncIterator()
        return await iterator.next()
    }
}
