import Foundation
public import Contract

extension NodeEvent {
    /// The first event of every event stream: from here on the stream contains every event.
    public static let opened = NodeEvent(topic: "open", payload: [:])

    /// Returns the event that replaces those that a slow reader missed. A reader that shows the
    /// node's state asks for all of it again.
    public static func lost(count: Int) -> NodeEvent {
        NodeEvent(topic: "lost", payload: ["count": .integer(Int64(clamping: count))])
    }

    /// Creates an event that carries a JSON value.
    public init(topic: String, payload: JSONValue) {
        self.init(topic: topic, body: Data(payload.jsonText().utf8))
    }

    /// The JSON value that came with it, or nil without one.
    public var payload: JSONValue? { try? JSONValue(parsing: body) }
}
