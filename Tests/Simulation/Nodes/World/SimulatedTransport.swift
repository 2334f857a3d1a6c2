internal import Links
internal import Records
internal import Synchronization

/// The access of one run of a node to the simulated network, until it is killed.
final class SimulatedTransport: Transport {
    let place: Place
    let device: DeviceID
    private let network: SimulatedNetwork
    private let dead = Mutex(false)

    init(place: Place, device: DeviceID, network: SimulatedNetwork) {
        self.place = place
        self.device = device
        self.network = network
    }

    /// Disconnects this run.
    func kill() { dead.withLock { $0 = true } }

    private var isDead: Bool { dead.withLock { $0 } }

    func dial(
        _ address: LinkAddress, expecting: DeviceID?
    ) async throws(LinkFault) -> any DeviceLink {
        guard !isDead else { throw .cancelled }
        let link = try await network.connect(from: self, to: address, expecting)
        guard !isDead else {
            link.wire.end(.dialler, .cancelled)
            link.wire.end(.listener, .closed)
            throw .cancelled
        }
        return link
    }

    func listen(port: UInt16) async throws(ListenFault) -> any LinkArrivals {
        let arrivals = SimulatedArrivals(transport: self, network: network)
        network.listen(arrivals)
        return arrivals
    }
}

/// The links that others dial to one position.
final class SimulatedArrivals: LinkArrivals {
    let transport: SimulatedTransport
    private let network: SimulatedNetwork
    private let links: AsyncStream<SimulatedLink>
    private let inlet: AsyncStream<SimulatedLink>.Continuation

    init(transport: SimulatedTransport, network: SimulatedNetwork) {
        self.transport = transport
        self.network = network
        (links, inlet) = AsyncStream.makeStream()
    }

    var place: Place { transport.place }
    var port: UInt16 { place.address.port }

    /// Adds a dialled link.
    func arrive(_ link: SimulatedLink) { inlet.yield(link) }

    func nextLink() async -> (any DeviceLink)? {
        var iterator = links.makeAsyncIterator()
        return await iterator.next()
    }

    func close() async {
        network.stopListening(self)
        inlet.finish()
    }
}
