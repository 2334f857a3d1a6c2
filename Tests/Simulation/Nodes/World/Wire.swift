internal import Links
internal import Records
internal import Synchronization

/// A connection between two devices. Frames arrive in order, each after a delay, until it ends.
final class Wire: Sendable {
    /// The two ends.
    enum End: Int, Sendable {
        case dialler, listener

        var other: End { self == .dialler ? .listener : .dialler }
    }

    /// A frame in transit from one end.
    private struct Letter {
        let due: Duration
        /// The frame; nil for the end of the connection.
        let frame: Frame?
    }

    private struct Side {
        var underWay: [Letter] = []
        var bytes = 0
        var senders: [CheckedContinuation<Void, Never>] = []
        var closed: LinkFault?
        var watchers: [CheckedContinuation<LinkFault, Never>] = []
        var isGreeted = false
        var receivedCount = 0
    }

    let number: Int
    /// The positions of the ends, dialler first.
    let places: [Place]
    /// The devices at the ends.
    let devices: [DeviceID]
    private let inlets: [AsyncStream<Frame>.Continuation]
    /// The received frames of each end.
    let frames: [AsyncStream<Frame>]
    private let network: SimulatedNetwork
    private let sides = Mutex([Side(), Side()])

    init(
        number: Int, from dialler: SimulatedTransport, to listener: SimulatedTransport,
        in network: SimulatedNetwork
    ) {
        self.number = number
        self.network = network
        places = [dialler.place, listener.place]
        devices = [dialler.device, listener.device]
        let streams = [0, 1].map { _ in AsyncStream.makeStream(of: Frame.self) }
        frames = streams.map(\.stream)
        inlets = streams.map(\.continuation)
        for end in [End.dialler, .listener] {
            network.time.after(LinkTimes().hello) { [weak self] in
                guard let self, !self.isGreeted(end) else { return }
                self.close(end, because: .helloTooSlow)
            }
        }
    }

    /// Whether both ends are open.
    var isWhole: Bool { sides.withLock { $0.allSatisfy { $0.closed == nil } } }

    /// Whether both ends are closed. Until then a goodbye may be in transit.
    var isOver: Bool { sides.withLock { $0.allSatisfy { $0.closed != nil } } }

    /// Sends a frame.
    func send(_ frame: Frame, from end: End) async throws(LinkFault) {
        guard frame.lengthBytes <= Limits.frameBytesMax else {
            throw .frameTooLong(bytes: frame.lengthBytes, limit: Limits.frameBytesMax)
        }
        while let isFull = fullness(end), isFull { await room(end) }
        if let fault = fault(end) { throw fault }
        post(frame, from: end)
    }

    private func fault(_ end: End) -> LinkFault? { sides.withLock { $0[end.rawValue].closed } }
    private func isGreeted(_ end: End) -> Bool {
        sides.withLock { $0[end.rawValue].isGreeted || $0[end.rawValue].closed != nil }
    }

    /// Whether the queue is full; nil if the end is closed.
    private func fullness(_ end: End) -> Bool? {
        sides.withLock { sides in
            let side = sides[end.rawValue]
            return side.closed == nil ? side.bytes >= LinkLimits().queuedBytesMax : nil
        }
    }

    private func room(_ end: End) async {
        await withCheckedContinuation { continuation in
            let waits = sides.withLock { sides in
                guard sides[end.rawValue].closed == nil else { return false }
                sides[end.rawValue].senders.append(continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    private func post(_ frame: Frame?, from end: End) {
        if let frame { network.departs(frame, from: places[end.rawValue]) }
        let latency = network.latency()
        let due = sides.withLock { sides in
            let last = sides[end.rawValue].underWay.last?.due ?? .zero
            let due = max(last, network.time.now + latency)
            sides[end.rawValue].underWay.append(Letter(due: due, frame: frame))
            sides[end.rawValue].bytes += frame?.lengthBytes ?? 0
            return due
        }
        network.time.after(due - network.time.now) { [weak self] in self?.deliver(from: end) }
    }

    /// Delivers the due frames, if the network permits.
    func deliver(from end: End) {
        while network.isOpen(from: places[end.rawValue], to: places[end.other.rawValue]),
            let letter = removeDue(from: end)
        {
            if let frame = letter.frame {
                arrive(frame, at: end.other)
            } else {
                self.end(end.other, .closed)
            }
        }
    }

    private func removeDue(from end: End) -> Letter? {
        let (letter, senders) = sides.withLock { sides in
            guard let first = sides[end.rawValue].underWay.first, first.due <= network.time.now
            else { return (Letter?.none, [CheckedContinuation<Void, Never>]()) }
            sides[end.rawValue].underWay.removeFirst()
            sides[end.rawValue].bytes -= first.frame?.lengthBytes ?? 0
            defer { sides[end.rawValue].senders = [] }
            return (first, sides[end.rawValue].senders)
        }
        for sender in senders { sender.resume() }
        return letter
    }

    private func arrive(_ frame: Frame, at end: End) {
        let isFirst = sides.withLock { sides in
            sides[end.rawValue].receivedCount += 1
            return sides[end.rawValue].receivedCount == 1
        }
        guard !isFirst || frame.lengthBytes <= Limits.helloFrameBytesMax else {
            let limit = Limits.helloFrameBytesMax
            close(end, because: .frameTooLong(bytes: frame.lengthBytes, limit: limit))
            return
        }
        network.arrived(frame, over: self, at: places[end.rawValue])
        inlets[end.rawValue].yield(frame)
    }

    // MARK: - The end

    /// Records that an end accepted HELLO.
    func greet(_ end: End) { sides.withLock { $0[end.rawValue].isGreeted = true } }

    /// Closes one end; the other end is told after the sent frames.
    func close(_ end: End, because fault: LinkFault) {
        guard self.end(end, fault) else { return }
        post(nil, from: end)
    }

    /// Ends one end without telling the other.
    /// - Returns: false if it had ended before.
    @discardableResult
    func end(_ end: End, _ fault: LinkFault) -> Bool {
        let ended = sides.withLock { sides -> Side? in
            guard sides[end.rawValue].closed == nil else { return nil }
            sides[end.rawValue].closed = fault
            defer {
                sides[end.rawValue].senders = []
                sides[end.rawValue].watchers = []
            }
            return sides[end.rawValue]
        }
        guard let ended else { return false }
        network.trace.record("wire \(number) ends at \(places[end.rawValue].name): \(fault)")
        inlets[end.rawValue].finish()
        for sender in ended.senders { sender.resume() }
        for watcher in ended.watchers { watcher.resume(returning: fault) }
        return true
    }

    /// Breaks the connection: frames in transit are lost, and both ends notice.
    func cut() {
        sides.withLock { sides in
            for index in sides.indices { sides[index].underWay = [] }
        }
        for end in [End.dialler, .listener] { self.end(end, .connectionLost("it was cut")) }
    }

    /// Waits for the end of the connection.
    func closed(_ end: End) async -> LinkFault {
        await withCheckedContinuation { continuation in
            let fault = sides.withLock { sides -> LinkFault? in
                let side = sides[end.rawValue]
                if side.closed == nil { sides[end.rawValue].watchers.append(continuation) }
                return side.closed
            }
            if let fault { continuation.resume(returning: fault) }
        }
    }
}

/// One end of a wire, as a node uses it.
struct SimulatedLink: DeviceLink {
    let wire: Wire
    let end: Wire.End

    var ownDevice: DeviceID { wire.devices[end.rawValue] }
    var remoteDevice: DeviceID { wire.devices[end.other.rawValue] }
    var isDialled: Bool { end == .dialler }
    var frames: AsyncStream<Frame> { wire.frames[end.rawValue] }

    /// The dialler's address has a temporary port.
    var remoteAddress: LinkAddress? {
        let place = wire.places[end.other.rawValue]
        return isDialled ? place.address : LinkAddress(host: place.address.host, port: 49152)
    }

    var closed: LinkFault {
        get async { await wire.closed(end) }
    }

    func send(_ frame: Frame) async throws(LinkFault) { try await wire.send(frame, from: end) }
    func helloAccepted(isKnown: Bool) { wire.greet(end) }
    func close(because fault: LinkFault) { wire.close(end, because: fault) }
}
