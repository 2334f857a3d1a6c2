public import Contract

import Foundation

/// Cuts a byte stream into server-sent events, however the bytes were split in transit.
///
/// It reads the `event` and `data` fields and skips the others and comments, as the HTML standard
/// specifies. An event without data is dropped. Bytes past a limit end the stream.
public struct ServerSentEventParser: Sendable {
    /// The error of a stream that is not an event stream of a node.
    public struct Fault: Error, Hashable, Sendable {
        /// The mistake in it, as a sentence.
        public let sentence: Sentence
    }

    private var line: [UInt8] = []
    private var topic = ""
    private var body: [UInt8] = []
    private var hasBody = false
    private var endedWithReturn = false

    /// Creates a parser at the beginning of a stream.
    public init() {}

    /// Processes the next bytes and returns the events that they complete.
    /// - Throws: ``Fault`` if an event is over ``APILimits/eventLineBytesMax``.
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
    /// The event as text of an event stream, with one `data` line per line of the body.
    public var serverSentText: String {
        let lines = String(decoding: body, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        return "event: \(topic)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
    }

    /// A comment that shows both ends that the stream is still open.
    public static let heartbeatText = ": still here\n\n"
}
