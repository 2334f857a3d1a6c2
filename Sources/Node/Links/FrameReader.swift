internal import Links
internal import Records
internal import Sync

/// Decodes the frames of one link and checks long runs, in parallel with the task that handles
/// them.
struct FrameReader {
    let device: DeviceID
    let node: Node
    private var checker = RunChecker()

    /// Shorter pushes are checked when they are stored: looking up their space would cost more.
    private static let checkedBytesMin = 4096

    init(device: DeviceID, node: Node) {
        self.device = device
        self.node = node
    }

    /// Decodes a frame.
    mutating func item(of frame: Frame) async -> MessageInbox.Item {
        let item = MessageInbox.Item(frame, from: device)
        guard frame.wireBytes >= FrameReader.checkedBytesMin, case .message(.push(var push)) = item,
            let space = await node.space(ofChannel: push.channel, on: device)
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
