public import FeaturesAPI
public import Node
internal import NodeAPI
public import PluginKit
internal import ProximityDropAPI
internal import TestSupport

/// The nodes of two people, and their common actions.
public struct Meeting: Sendable {
    /// The first node.
    public let one: RunningNode
    /// The other node.
    public let other: RunningNode

    /// Creates a meeting of two running nodes.
    public init(one: RunningNode, other: RunningNode) {
        self.one = one
        self.other = other
    }

    /// Starts two nodes with profiles that are introduced by address and linked.
    public static func linked(
        running plugins: [any Plugin.Type] = PluginCatalogue.all
    ) async throws -> Meeting {
        let meeting = Meeting(
            one: try await .start(try RunningNode.founded(), plugins: plugins),
            other: try await .start(try RunningNode.founded(), plugins: plugins))
        try await meeting.one.call(ProfileCommands.edit, profile("Ana", dog: "Rex"))
        try await meeting.other.call(ProfileCommands.edit, profile("Bob", dog: "Kit"))
        try await meeting.one.dial(meeting.other)
        for node in [meeting.one, meeting.other] {
            try await node.wait(for: NearbyCommands.list) { $0.people.count == 1 }
        }
        return meeting
    }

    /// Starts two nodes that are mates after a drop.
    public static func mates(
        running plugins: [any Plugin.Type] = PluginCatalogue.all
    ) async throws -> Meeting {
        let meeting = try await linked(running: plugins)
        try await meeting.drop()
        return meeting
    }

    /// Performs a drop: both people press, both accept, and both become mates.
    public func drop() async throws {
        async let first = one.call(DropCommands.start, .init())
        async let second = other.call(DropCommands.start, .init())
        _ = try await (first, second)
        for node in [one, other] {
            try await node.wait(for: DropCommands.show) { $0.phase == .deciding }
        }
        for node in [one, other] { try await node.call(DropCommands.accept) }
        for node in [one, other] {
            try await node.wait(for: MateCommands.list) { $0.mates.first?.state == .mate }
        }
    }

    /// Ends both nodes and removes their homes.
    public func end() async throws {
        try await one.remove()
        try await other.remove()
    }

    /// Returns a complete profile.
    public static func profile(_ nickname: String, dog: String) throws -> EditProfile {
        try EditProfile(
            nickname: Nickname(nickname), dogName: Text(dog), age: Whole(30), sex: .female,
            neutered: true, size: .small, keywords: DogKeywords([.smart]))
    }
}

extension RunningNode {
    /// The person's key.
    public var person: Key { get async throws { try await call(NodeCommands.status).person } }

    /// The device's key.
    public var device: Key { get async throws { try await call(NodeCommands.status).device } }

    /// Dials another node, now and at every start.
    public func dial(_ other: RunningNode) async throws {
        try await call(NodeCommands.addPeer, .init(address: Text(other.address)))
    }
}
