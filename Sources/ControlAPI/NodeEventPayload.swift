import Foundation
public import PluginKit

extension NodeEvent {
    /// What the node sends first on every event stream: from here on nothing is missed.
    public static let opened = NodeEvent(topic: "open", payload: [:])

    /// What the node sends in place of events that a slow reader missed: whoever shows the node's
    /// state asks for all of it again.
    public static func lost(count: Int) -> NodeEvent {
        NodeEvent(topic: "lost", payload: ["count": .integer(Int64(clamping: count))])
    }

    /// An event that carries a JSON value.
    public init(topic: String, payload: JSONValue) {
        self.init(topic: topic, body: Data(payload.jsonText().utf8))
    }

    /// The JSON value that came with it, or nil where there is none.
    public var payload: JSONValue? { try? JSONValue(parsing: body) }
}
