public import Links
public import Records

/// Links over TLS 1.3, made by a device's endpoint.
public struct TLSTransport: Transport {
    private let endpoint: LinkEndpoint

    /// Creates the transport of an endpoint.
    public init(_ endpoint: LinkEndpoint) { self.endpoint = endpoint }

    /// Makes a link over TLS; see ``LinkEndpoint/dial(_:expecting:)``.
    public func dial(
        _ address: LinkAddress, expecting: DeviceID?
    ) async throws(LinkFault) -> any DeviceLink {
        try await endpoint.dial(address, expecting: expecting)
    }

    /// Accepts links over TLS; see ``LinkEndpoint/listen(host:port:)``.
    public func listen(port: UInt16) async throws(ListenFault) -> any LinkArrivals {
        try await endpoint.listen(port: port)
    }
}

extension Link: DeviceLink {}

extension LinkListener: LinkArrivals {
    /// Returns the next link that another device dialled, for the same reader.
    public func nextLink() async -> (any DeviceLink)? {
        var iterator = links.makeAsyncIterator()
        return await iterator.next()
    }
}
