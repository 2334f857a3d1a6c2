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
    /// The space of the channel that was looked up last.
    private var space: SpaceID?

    /// Shorter pushes are checked when they are stored, and their channel is looked up once:
    /// looking up the space of each would cost more.
    private static let checkedBytesMin = 4096

    init(device: DeviceID, node: Node) {
        self.device = device
        self.node = node
    }

    /// Returns the channel of a PUSH or PASSED that names nothing that the two share, once
    /// everything before it was handled, since that may name it; nil for other frames. Such a frame
    /// is not decoded.
    mutating func unsharedChannel(of frame: Frame, after inbox: MessageInbox) async -> UInt64? {
        space = nil
        if let channel = Message.channel(ofPassed: frame.payload, type: frame.type) {
            guard await !node.isJoined(channel, on: device) else { return nil }
            await inbox.idle()
            return await node.isJoined(channel, on: device) ? nil : channel
        }
        guard let channel = Message.channel(ofPush: frame.payload, type: frame.type) else {
            return nil
        }
        if frame.wireBytes < FrameReader.checkedBytesMin, channels.contains(channel) { return nil }
        space = await node.space(ofChannel: channel, on: device)
        if space == nil {
            await inbox.idle()
            space = await node.space(ofChannel: channel, on: device)
        }
        guard space != nil else {
            channels.remove(channel)
            return channel
        }
        channels.insert(channel)
        return nil
    }

    /// Returns whether a frame passes a piece of a neighbourhood for which the peer was not asked,
    /// once everything before it was handled, since that may have asked. It is not decoded.
    func isUnasked(_ frame: Frame, after inbox: MessageInbox) async -> Bool {
        guard let channel = Message.channel(ofPassed: frame.payload, type: frame.type),
            await !node.awaitsPiece(onChannel: channel, from: device)
        else { return false }
        await inbox.idle()
        return await !node.awaitsPiece(onChannel: channel, from: device)
    }

    /// Decodes the frame whose channel was looked up last.
    mutating func item(of frame: Frame) -> MessageInbox.Item {
        let item = MessageInbox.Item(frame, from: device)
        guard let space, frame.wireBytes >= FrameReader.checkedBytesMin,
            case .message(.push(var push)) = item
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

    /// Whether a channel number of a peer names a joined neighbourhood.
    fileprivate func isJoined(_ channel: UInt64, on device: DeviceID) -> Bool {
        links[device]?.session.openSpace(ofChannel: channel) != nil
    }

    /// Whether a peer was asked for a piece of the neighbourhood that it calls by a channel number.
    fileprivate func awaitsPiece(onChannel channel: UInt64, from device: DeviceID) -> Bool {
        guard let space = links[device]?.session.openSpace(ofChannel: channel) else { return false }
        return neighbourhoods.awaitsPiece(of: space, from: device)
    }
}
