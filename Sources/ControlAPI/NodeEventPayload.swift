import Foundation
public import Contract

/// The events of the stream itself.
public enum StreamEvents {
    /// The stream has begun.
    public static let opened = Event<StreamOpened>(
        "open", help: "The stream has begun; from here on it contains every event.")
    /// The listener was too slow for some events.
    public static let lost = Event<EventsLost>(
        "lost", help: "This listener was too slow for some events; anything may have changed.")

    /// Both declarations.
    public static let declarations = [opened.declaration, lost.declaration]
}

/// The body of ``StreamEvents/opened``.
public struct StreamOpened: EventBody {
    /// Creates the value.
    public init() {}
}

/// The body of ``StreamEvents/lost``.
public struct EventsLost: EventBody {
    /// The number of events that were dropped.
    public var count: Count?

    /// Creates the value.
    public init(count: Int? = nil) { self.count = count.map(Count.init(clamping:)) }
}

extension NodeEvent {
    /// The first event of every event stream: from here on the stream contains every event.
    public static let opened = NodeEvent(StreamEvents.opened, StreamOpened())

    /// Returns the event that replaces those that a slow reader missed. A reader that shows the
    /// node's state asks for all of it again.
    public static func lost(count: Int) -> NodeEvent {
        NodeEvent(StreamEvents.lost, EventsLost(count: count))
    }

    /// Creates an event as a listener receives it.
    public init(_ message: EventMessage) { self.init(topic: message.topic, payload: message.body) }

    /// Creates an event as a listener receives it.
    public init<Body>(_ event: Event<Body>, _ body: Body) { self.init(EventMessage(event, body)) }

    /// Returns the body of an event of this kind; nil if the event is another one, or its body is
    /// not one of this type.
    ///
    ///     if let change = event.body(of: WaveEvents.changed) { show(change.id) }
    public func body<Body>(of event: Event<Body>) -> Body? {
        guard topic == event.topic else { return nil }
        return try? payload?.decoded(as: Body.self)
    }

    /// Creates an event that carries a JSON value.
    public init(topic: String, payload: JSONValue) {
        self.init(topic: topic, body: Data(payload.jsonText().utf8))
    }

    /// The JSON value that came with it, or nil without one.
    public var payload: JSONValue? { try? JSONValue(parsing: body) }
}
