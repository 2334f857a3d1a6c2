/// The contract of one kind of event: its topic, its help and the type of its body.
///
/// A plugin declares its events once, in its `API/` target, beside its commands. The plugin
/// publishes through that value, its manifest and the `follows` of commands name it, the local API
/// describes it, and panels read the same body:
///
///     public enum WaveEvents {
///         public static let changed = Event<WaveChange>(
///             "wave", help: "A wave was sent or has arrived.")
///     }
///     await context.events.publish(WaveEvents.changed, WaveChange(id: RecordKey(entity)))
///
/// A body says what must be queried again. Each of its members is optional, and a body without
/// members says that anything under the topic may have changed.
public struct Event<Body: EventBody>: Sendable {
    /// The event without its type, for code that treats all events alike.
    public let declaration: EventDeclaration

    /// Declares an event.
    /// - Parameters:
    ///   - topic: the word that listeners name, as in `walk`.
    ///   - help: one sentence for the description of the local API.
    public init(_ topic: String, help: String) {
        let body = Schema.of(Body.self)
        precondition(
            body.members.allSatisfy { !$0.isRequired },
            "\(Body.self): each member of an event's body is optional")
        declaration = EventDeclaration(topic: topic, help: help, body: body) { value, names in
            (try? value.decoded(as: Body.self))?.sentence(names)
        }
    }

    /// The word that listeners name.
    public var topic: String { declaration.topic }
}

/// The body of an event: an object whose members are all optional, so that a node of a later
/// version may add some.
public protocol EventBody: Codable, Hashable, Sendable {
    /// Returns what the event says to a person who watches the node, such as "Mina came or left."
    /// The default is nil: the event's help says it.
    func sentence(_ names: EventNames) -> Sentence?
}

extension EventBody {
    /// Nil.
    public func sentence(_ names: EventNames) -> Sentence? { nil }
}

/// The names of the people in an event's sentence.
public struct EventNames: Sendable {
    private let names: [Key: String]

    /// Creates names by the people's keys.
    public init(_ names: [Key: String] = [:]) { self.names = names }

    /// Whether the person has a name here.
    public func contain(_ person: Key) -> Bool { names[person] != nil }

    /// Returns the name of a person; without one, the words to use in its place.
    public func person(_ key: Key?, else words: Sentence) -> Sentence {
        key.flatMap { names[$0] }.map(Sentence.init(verbatim:)) ?? words
    }
}

/// An event without its type: derived from an ``Event``, for code that treats all events alike,
/// such as the host of plugins and the local API's description.
public struct EventDeclaration: Sendable {
    /// The word that listeners name.
    public let topic: String
    /// One sentence on what the event says.
    public let help: String
    /// The shape of the body.
    public let body: Schema
    private let say: @Sendable (JSONValue, EventNames) -> Sentence?

    fileprivate init(
        topic: String, help: String, body: Schema,
        say: @escaping @Sendable (JSONValue, EventNames) -> Sentence?
    ) {
        self.topic = topic
        self.help = help
        self.body = body
        self.say = say
    }

    /// Returns an event of this kind as a sentence for a person.
    /// - Parameter body: the body as it arrived; one of another shape leaves the event's help.
    public func sentence(for body: JSONValue?, _ names: EventNames) -> Sentence {
        body.flatMap { say($0, names) } ?? Sentence(declared: help)
    }
}

extension EventDeclaration: Hashable {
    /// Whether both have the same topic, help and shape.
    public static func == (one: EventDeclaration, other: EventDeclaration) -> Bool {
        one.topic == other.topic && one.help == other.help && one.body == other.body
    }

    /// Hashes the topic, which no two kinds of events share.
    public func hash(into hasher: inout Hasher) { hasher.combine(topic) }
}

/// One event with its body, ready to be published.
public struct EventMessage: Hashable, Sendable {
    /// The kind of the event.
    public let declaration: EventDeclaration
    /// The body as JSON.
    public let body: JSONValue

    /// Creates an event with its body.
    public init<Body>(_ event: Event<Body>, _ body: Body) {
        declaration = event.declaration
        self.body = JSONValue(encoding: body)
    }

    private init(of declaration: EventDeclaration, body: JSONValue) {
        self.declaration = declaration
        self.body = body
    }

    /// The word that listeners name.
    public var topic: String { declaration.topic }

    /// The maximum number of events under one topic that one change publishes.
    public static let atOnceCountMax = 32

    /// Returns the events to publish after one change: each once, and those of a topic together. If
    /// there are more than ``atOnceCountMax`` under a topic, one takes their place that says that
    /// anything may have changed, because a listener keeps a limited number of events.
    public static func merged(_ messages: some Sequence<EventMessage>) -> [EventMessage] {
        var topics: [String] = []
        var byTopic: [String: [EventMessage]] = [:]
        var seen: Set<EventMessage> = []
        for message in messages where seen.insert(message).inserted {
            if byTopic[message.topic] == nil { topics.append(message.topic) }
            byTopic[message.topic, default: []].append(message)
        }
        return topics.flatMap { topic -> [EventMessage] in
            guard let group = byTopic[topic], let first = group.first else { return [] }
            guard group.count > atOnceCountMax else { return group }
            return [EventMessage(of: first.declaration, body: [:])]
        }
    }
}
