internal import Identity
internal import Links
internal import Logging
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The sending side of a link: queued items are sent in order.
extension Node {
    /// Queues one item; a link whose queue is full is closed.
    func put(_ item: Outbox.Item, on active: ActiveLink?) {
        guard let active, !active.outbox.put(item) else { return }
        active.link.close(because: .writeTooSlow)
    }

    /// Sends the queued items in order, and waits if the peer does not read.
    nonisolated func drain(_ active: ActiveLink) async {
        let link = active.link
        var sender = LogSender(active, node: self)
        do {
            while let item = await active.outbox.next() {
                switch item {
                case .message(let message):
                    active.outbox.sentBytes.add(try await send(message, over: link))
                case .pong(let nonce):
                    let answer = Message.pong(nonce: nonce, wallTime: clock.systemTime)
                    active.outbox.sentBytes.add(try await send(answer, over: link))
                case .log(let space, let log, let after, let prefix, let channel):
                    // The shared spaces may have changed since this was queued.
                    guard await shares(space, with: link.remoteDevice) else { continue }
                    try await sender.send(
                        log, of: space, after: after, prefix: prefix, channel: channel)
                }
            }
        } catch {
            logger.debug("sending ended", metadata: ["why": "\(error)"])
            link.close(because: .closed)
        }
    }

    private func shares(_ space: SpaceID, with device: DeviceID) -> Bool {
        links[device]?.session.sharedSpaces.contains(space) ?? false
    }

    /// Sends one message.
    /// - Returns: the bytes of its frame.
    @discardableResult
    nonisolated func send(_ message: Message, over link: any DeviceLink) async throws -> Int {
        let payload = message.payload(sender: link.ownDevice)
        let frame = Frame(type: message.type, payload: payload)
        try await link.send(frame)
        return frame.wireBytes
    }
}
