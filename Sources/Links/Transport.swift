public import Records

/// A way to make links with other devices: over TLS, or in memory in a simulation.
///
/// ```swift
/// let link = try await transport.dial(address, expecting: device)
/// try await link.send(frame)
/// for await frame in link.frames { receive(frame) }
/// let reason = await link.closed  // the frames end with the link
/// ```
public protocol Transport: Sendable {
    /// Makes a link with the device at an address. If `expecting` is given, only that device is
    /// accepted.
    func dial(
        _ address: LinkAddress, expecting: DeviceID?
    ) async throws(LinkFault) -> any DeviceLink
    /// Accepts links on a port; 0 selects any free port.
    func listen(port: UInt16) async throws(ListenFault) -> any LinkArrivals
}

/// The links that other devices dialled, for one reader.
public protocol LinkArrivals: Sendable {
    /// The bound port.
    var port: UInt16 { get }
    /// Returns the next link, or nil after the port was closed or the task was cancelled.
    func nextLink() async -> (any DeviceLink)?
    /// Closes the port. Accepted links stay open.
    func close() async
}

/// A connection to another device that has proved its key. It carries frames in both directions.
public protocol DeviceLink: Sendable {
    /// The sequence of received frames.
    associatedtype Frames: AsyncSequence<Frame, Never> & Sendable

    /// This device.
    var ownDevice: DeviceID { get }
    /// The device at the other end.
    var remoteDevice: DeviceID { get }
    /// Whether this device dialled.
    var isDialled: Bool { get }
    /// The address of the other end, if known.
    var remoteAddress: LinkAddress? { get }
    /// The received frames, for one reader; the sequence ends with the link.
    var frames: Frames { get }
    /// The reason the link ended; waits until it has ended.
    var closed: LinkFault { get async }

    /// Queues one frame. Suspends while too many bytes are queued for the peer.
    func send(_ frame: Frame) async throws(LinkFault)
    /// Records that the peer's HELLO was accepted, which ends its deadline and permits longer
    /// frames.
    /// - Parameter isKnown: whether something is shared with the peer's person. If so, later
    ///   connections from its address keep their places in a flood of others.
    func helloAccepted(isKnown: Bool)
    /// Ends the link after the frames that were sent. Only the first reason counts.
    func close(because fault: LinkFault)
}

extension DeviceLink {
    /// Returns the claim of this link beside another one to the same device, whose HELLO had this
    /// boot.
    public func claim(boot: Boot) -> LinkClaim {
        LinkClaim(
            boot: boot,
            dialler: isDialled ? ownDevice : remoteDevice,
            other: isDialled ? remoteDevice : ownDevice)
    }
}
