import Foundation

/// Cuts a byte stream into server-sent events, however the bytes were split on the way.
///
/// It reads the `event` and `data` fields and skips the others, comments too, as the HTML standard
/// has it. An event without data is dropped. Bytes past a limit end the stream.
public struct ServerSentEventParser: Sendable {
    /// The stream is no event stream of ours.
    public struct Fault: Error, Hashable, Sendable {
        /// What is wrong with it, as a sentence.
        public let sentence: String
    }

    private var line: [UInt8] = []
    private var topic = ""
    private var body: [UInt8] = []
    private var hasBody = false
    private var endedWithReturn = false

    /// A parser at the beginning of a stream.
    public init() {}

    /// Takes the next bytes and gives the events that they complete.
    /// - Throws: ``Fault`` where an event is over ``APILimits/eventLineBytesMax``.
    public mutating func receive(_ bytes: some Sequence<UInt8>) throws(Fault) -> [NodeEvent] {
        var events: [NodeEvent] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where endedWithReturn:
                endedWithReturn = false  // The second half of a line end already seen.
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                endedWithReturn = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                endedWithReturn = false
                guard line.count + body.count < APILimits.eventLineBytesMax else {
                    throw Fault(
                        sentence: "an event is over \(APILimits.eventLineBytesMax) bytes")
                }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> NodeEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent() }
        let parts = line.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: parts[0], as: UTF8.self) {
        case "event": topic = String(decoding: value, as: UTF8.self)
        case "data":
            if hasBody { body.append(UInt8(ascii: "\n")) }
            body += value
            hasBody = true
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> NodeEvent? {
        defer {
            topic = ""
            body = []
            hasBody = false
        }
        guard hasBody else { return nil }
        return NodeEvent(topic: topic.isEmpty ? "message" : topic, body: Data(body))
    }
}

extension NodeEvent {
    /// The event as it stands in an event stream, one `data` line per line of the body.
    public var serverSentText: String {
        let lines = String(decoding: body, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        return "event: \(topic)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
    }

    /// A comment that shows both ends that the stream still stands.
    public static let heartbeatText = ": still here\n\n"
}
