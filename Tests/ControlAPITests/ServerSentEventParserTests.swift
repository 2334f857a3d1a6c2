import Foundation
import Contract
import Testing

@testable import ControlAPI

struct ServerSentEventParserTests {
    private let stream = """
        : a comment

        event: mates
        data: {"id":"어딘가"}

        event: walk\r
        id: 7\r
        retry: 10\r
        data: {\r
        data:  1}\r
        \r
        data

        event: nothing

        data:x


        """
    private let expected = [
        NodeEvent(topic: "mates", body: Data(#"{"id":"어딘가"}"#.utf8)),
        NodeEvent(topic: "walk", body: Data("{\n 1}".utf8)),
        NodeEvent(topic: "message", body: Data()),
        NodeEvent(topic: "message", body: Data("x".utf8)),
    ]

    @Test func `complete events are read`() throws {
        var parser = ServerSentEventParser()
        #expect(try parser.receive(stream.utf8) == expected)
    }

    @Test func `the events are the same for any split of the bytes`() throws {
        let bytes = Array(stream.utf8)
        for split in 0...bytes.count {
            var parser = ServerSentEventParser()
            let events =
                try parser.receive(bytes[..<split]) + parser.receive(bytes[split...])
            #expect(events == expected, "split at \(split)")
        }
    }

    @Test func `the events are the same if the bytes arrive one by one`() throws {
        var parser = ServerSentEventParser()
        let events = try stream.utf8.flatMap { try parser.receive([$0]) }
        #expect(events == expected)
    }

    @Test func `an incomplete event is not returned`() throws {
        var parser = ServerSentEventParser()
        #expect(try parser.receive("event: me\ndata: {}\n".utf8).isEmpty)
        #expect(try parser.receive("\n".utf8).map(\.topic) == ["me"])
    }

    @Test func `an event at the limit is read, and one byte more is refused`() throws {
        let limit = APILimits.eventLineBytesMax
        var parser = ServerSentEventParser()
        let line = "data:" + String(repeating: "x", count: limit - 5)
        #expect(try parser.receive((line + "\n\n").utf8).first?.body.count == limit - 5)
        #expect(throws: ServerSentEventParser.Fault.self) {
            try parser.receive((line + "x\n\n").utf8)
        }
    }

    @Test func `the server's text is read back`() throws {
        let events: [NodeEvent] = [
            .opened, .lost(count: 3), NodeEvent(topic: "walk", payload: ["message": "a\nb: c"]),
        ]
        var parser = ServerSentEventParser()
        let text = events.map(\.serverSentText).joined(separator: NodeEvent.heartbeatText)
        #expect(try parser.receive(text.utf8) == events)
        #expect(events[1].payload == ["count": 3])
    }
}
