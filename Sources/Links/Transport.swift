public import Records

/// How a device makes links with others: over TLS, or in a simulation in memory.
public protocol Transport: Sendable {
    /// Makes a link with the device at an address, which must be `expecting` where that is given.
    func dial(
        _ address: LinkAddress, expecting: DeviceID?
    ) async throws(LinkFault) -> any DeviceLink
    /// Waits for links on a port, 0 for any that is free.
    func listen(port: UInt16) async throws(ListenFault) -> any LinkArrivals
}

/// The links that other devices dial, for one reader.
public protocol LinkArrivals: Sendable {
    /// The port that was bound.
    var port: UInt16 { get }
    /// The next link, or nil once the port is closed or the task was cancelled.
    func nextLink() async -> (any DeviceLink)?
    /// Frees the port; the links live on.
    func close() async
}

/// A connection to another device, whose key is proved, carrying frames both ways.
public protocol DeviceLink: Sendable {
    associatedtype Frames: AsyncSequence<Frame, Never> & Sendable

    /// This device.
    var ownDevice: DeviceID { get }
    /// The device at the other end.
    var remoteDevice: DeviceID { get }
    /// Whether this device dialled.
    var isDialled: Bool { get }
    /// The other end, where that is known.
    var remoteAddress: LinkAddress? { get }
    /// What arrives; to be read by one loop, which ends when the link does.
    var frames: Frames { get }
    /// Why the link ended; waits until it has.
    var closed: LinkFault { get async }

    /// Sends one frame, waiting while too much waits for the peer; returning means queued.
    func send(_ frame: Frame) async throws(LinkFault)
    /// The peer's HELLO is accepted: long frames may follow, and no greeting is waited for.
    func helloAccepted()
    /// Ends the link after what was sent; the first reason counts.
    func close(because fault: LinkFault)
}

extension DeviceLink {
    /// What this link claims beside another to the same device, whose HELLO named this boot.
    public func claim(boot: Boot) -> LinkClaim {
        LinkClaim(
            boot: boot,
            dialler: isDialled ? ownDevice : remoteDevice,
            other: isDialled ? remoteDevice : ownDevice)
    }
}
