import ChatAPI
import Contract
import ControlAPI
import ControlClient
import FeaturesAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// The events that one action on a real node causes, read as the window reads them.
@Suite(.serialized) struct EventCostTests {
    /// Returns the events from one action to the first one that fulfils a condition.
    private func events(
        of node: RunningNode, until isLast: @Sendable (NodeEvent) -> Bool,
        after action: () async throws -> Void
    ) async throws -> [NodeEvent] {
        var events = node.client.events().makeAsyncIterator()
        let opened = try await events.next()
        #expect(opened == .opened)
        try await action()
        var received: [NodeEvent] = []
        while let event = try await events.next() {
            received.append(event)
            if isLast(event) { break }
        }
        return received
    }

    @Test func `a location set by hand changes the user's location and no mate's`() async throws {
        let node = try await RunningNode.start()
        let events = try await events(of: node, until: { $0.topic == "location" }) {
            try await node.call(
                LocationCommands.set, try .init(latitude: Latitude(1), longitude: Longitude(2)))
        }
        // The node may still be writing the key of its announcements, which is in the profile.
        #expect(Set(events.map(\.topic)).isSubset(of: ["location", "me"]))
        let change = try #require(events.last?.body(of: LocationEvents.changed))
        #expect(change.concernsMe && !change.concernsMates)
        try await node.remove()
    }

    @Test func `a message in a room names the room`() async throws {
        let meeting = try await Meeting.mates()
        let rooms = try await meeting.other.call(ChatCommands.rooms, .init()).rooms
        let room = try #require(rooms.first?.id)
        // Cards and keys from the meeting may still arrive when the first message does, and cause
        // events of their own. If messages caused such events, every message would.
        var others: Set<String> = ["not sent"]
        for _ in 0..<20 where !others.isEmpty {
            let events = try await events(
                of: meeting.other, until: { $0.topic == "chat" && $0.payload != [:] }
            ) {
                try await meeting.one.call(
                    ChatCommands.send,
                    try .init(
                        room: NameOrKey(await meeting.other.person.string),
                        text: MessageText("Hello")))
            }
            #expect(events.last?.payload == ["room": .string(room.string)])
            others = Set(events.map(\.topic)).intersection(["me", "mates", "promise", "walk"])
        }
        #expect(others.isEmpty)
        try await meeting.one.remove()
        try await meeting.other.remove()
    }
}
