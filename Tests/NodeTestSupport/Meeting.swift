public import PluginKit

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
    public static func linked() async throws -> Meeting {
        let meeting = Meeting(one: try await .start(), other: try await .start())
        try await meeting.one.perform("me", "edit", profile("Ana", dog: "Rex"))
        try await meeting.other.perform("me", "edit", profile("Bob", dog: "Kit"))
        try await meeting.one.perform("peer", "add", ["address": .string(meeting.other.address)])
        _ = try await meeting.one.wait(for: "nearby", "list") { $0["people"]?.array?.count == 1 }
        _ = try await meeting.other.wait(for: "nearby", "list") { $0["people"]?.array?.count == 1 }
        return meeting
    }

    /// Starts two nodes that are mates after a drop.
    public static func mates() async throws -> Meeting {
        let meeting = try await linked()
        try await meeting.drop()
        return meeting
    }

    /// Performs a drop: both people press, both accept, and both become mates.
    public func drop() async throws {
        async let first = one.perform("drop", "start")
        async let second = other.perform("drop", "start")
        _ = try await (first, second)
        for node in [one, other] {
            _ = try await node.wait(for: "drop", "show") { $0["phase"] == "deciding" }
        }
        for node in [one, other] { try await node.perform("drop", "accept") }
        for node in [one, other] {
            _ = try await node.wait(for: "mates", "list") {
                $0["mates"]?.array?.first?["state"] == "mate"
            }
        }
    }

    /// Ends both nodes and removes their homes.
    public func end() async throws {
        try await one.remove()
        try await other.remove()
    }

    /// Returns a complete profile.
    public static func profile(_ nickname: String, dog: String) -> [String: JSONValue] {
        [
            "nickname": .string(nickname), "dogName": .string(dog), "age": 30, "sex": "female",
            "neutered": true, "size": "small", "keywords": ["smart"],
        ]
    }
}

extension RunningNode {
    /// The person's key.
    public var person: String {
        get async throws {
            guard let person = try await perform("status", "show")["person"]?.string else {
                throw CommandFault.failed("status names no person")
            }
            return person
        }
    }

    /// The device's key.
    public var device: String {
        get async throws {
            guard let device = try await perform("status", "show")["device"]?.string else {
                throw CommandFault.failed("status names no device")
            }
            return device
        }
    }
}
