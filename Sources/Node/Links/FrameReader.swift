internal import Links
internal import Records
internal import Sync

/// Decodes the frames of one link and checks long runs, in parallel with the task that handles
/// them.
struct FrameReader {
    let device: DeviceID
    let node: Node
    private var checker = RunChecker()
    /// The channels that named a shared space when they were last looked up.
    private var channels: Set<UInt64> = []

    /// Shorter pushes are checked when they are stored, and their channel is looked up once:
    /// looking up the space of each would cost more.
    private static let checkedBytesMin = 4096

    init(device: DeviceID, node: Node) {
        self.device = device
        self.node = node
    }

    /// Decodes a frame. A PUSH is decoded only if its channel names a space that the two share.
    mutating func item(of frame: Frame) async -> MessageInbox.Item {
        guard let channel = Message.channel(ofPush: frame.payload, type: frame.type) else {
            return MessageInbox.Item(frame, from: device)
        }
        if frame.wireBytes < FrameReader.checkedBytesMin, channels.contains(channel) {
            return MessageInbox.Item(frame, from: device)
        }
        guard let space = await node.space(ofChannel: channel, on: device) else {
            channels.remove(channel)
            return .undecoded(frame, channel: channel)
        }
        channels.insert(channel)
        let item = MessageInbox.Item(frame, from: device)
        guard frame.wireBytes >= FrameReader.checkedBytesMin, case .message(.push(var push)) = item
        else { return item }
        push.run = checker.check(push.run, in: space)
        return .message(.push(push))
    }
}

extension Node {
    /// Returns the space that a linked device calls by a channel number, or nil.
    fileprivate func space(ofChannel channel: UInt64, on device: DeviceID) -> SpaceID? {
        links[device]?.session.space(ofChannel: channel)
    }
}
