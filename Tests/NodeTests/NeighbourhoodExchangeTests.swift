import ControlAPI
import FeaturesAPI
import Features
import Foundation
import NodeAPI
import NodeTestSupport
import PluginKit
import ProximityDrop
import TestSupport
import Testing

@testable import Node

/// Whole nodes that joined a neighbourhood: strangers in a chain, whose ends are never linked.
@Suite(.serialized) struct NeighbourhoodExchangeTests {
    private static let plugins: [any Plugin.Type] = [
        CoreFeatures.self, ProximityDrop.self, BoardPlugin.self,
    ]

    /// Starts nodes of different people, each linked with the next one.
    private func chain(of count: Int) async throws -> [RunningNode] {
        var nodes: [RunningNode] = []
        for _ in 0..<count {
            let node = try await RunningNode.start(
                try RunningNode.founded(), plugins: Self.plugins)
            if let last = nodes.last { try await node.dial(last) }
            nodes.append(node)
        }
        return nodes
    }

    @Test func `a post travels along a chain of strangers, is edited and taken back everywhere`()
        async throws
    {
        let nodes = try await chain(of: 3)
        for node in nodes { try await node.join("Seongsu") }
        try await nodes[0].post("hello")
        for node in nodes { try await node.shows(["hello"]) }
        try await nodes[2].post("welcome")
        for node in nodes { try await node.shows(["hello", "welcome"]) }
        try await nodes[0].post("hello again", insteadOf: "hello")
        for node in nodes { try await node.shows(["hello again", "welcome"]) }
        try await nodes[0].erase("hello again")
        for node in nodes { try await node.shows(["welcome"]) }
        // Nobody became known by it.
        for node in nodes {
            let status = try await node.call(NodeCommands.status)
            #expect(status.links.allSatisfy { !$0.mate })
            #expect(status.spaces.map(\.kind.rawValue).sorted() == ["card", "open", "self"])
            #expect(try await node.call(MateCommands.list).mates.isEmpty)
        }
        for node in nodes { try await node.remove() }
    }

    @Test func `who has not joined gets nothing and is told nothing`() async throws {
        let nodes = try await chain(of: 3)
        for node in [nodes[0], nodes[2]] { try await node.join("Seongsu") }
        try await nodes[1].join("Mapo")
        try await nodes[0].post("hello")
        // What comes after it over the same links shows that nothing is on its way.
        try await nodes[1].post("in Mapo", place: "mapo")
        try await Task.sleep(for: .seconds(2))
        #expect(try await nodes[1].texts("seongsu").isEmpty)
        #expect(try await nodes[2].texts("seongsu").isEmpty)
        #expect(try await nodes[0].texts("mapo").isEmpty)
        // As soon as the one between joins, it all arrives.
        try await nodes[1].join("SEONGSU")
        for node in nodes { try await node.shows(["hello"]) }
        for node in nodes { try await node.remove() }
    }

    @Test func `a restart keeps the posts, and what was written meanwhile arrives`() async throws {
        let nodes = try await chain(of: 2)
        for node in nodes { try await node.join("Seongsu") }
        try await nodes[0].post("one")
        try await nodes[1].shows(["one"])
        let (home, port) = (nodes[1].home, nodes[1].port)
        try await nodes[1].stop()
        try await nodes[0].post("two")
        let again = try await RunningNode.start(home, port: port, plugins: Self.plugins)
        try await again.shows(["one", "two"])
        try await again.post("three")
        try await nodes[0].shows(["one", "three", "two"])
        for node in [nodes[0], again] { try await node.remove() }
    }

    @Test func `a home restored without a trace adopts its posts from a stranger, and says so`()
        async throws
    {
        let nodes = try await chain(of: 2)
        for node in nodes { try await node.join("Seongsu") }
        try await nodes[1].post("one")
        try await nodes[0].shows(["one"])
        let (home, port) = (nodes[1].home, nodes[1].port)
        try await nodes[1].stop()
        let old = home.directory + "-old"
        try FileManager.default.copyItem(atPath: home.directory, toPath: old)
        let later = try await RunningNode.start(home, port: port, plugins: Self.plugins)
        try await later.post("two")
        try await nodes[0].shows(["one", "two"])
        try await later.stop()
        try FileManager.default.removeItem(atPath: home.directory)
        try FileManager.default.moveItem(atPath: old, toPath: home.directory)
        let again = try await RunningNode.start(home, port: port, plugins: Self.plugins)
        try await again.shows(["one", "two"])
        #expect(
            await eventually {
                let status = try? await again.call(NodeCommands.status)
                return status?.notices.contains { $0.kind == .adopted } ?? false
            })
        try await again.post("three")
        try await nodes[0].shows(["one", "three", "two"])
        for node in [nodes[0], again] { try await node.remove() }
    }

    @Test func `leaving deletes what was brought, and joining again goes on`() async throws {
        let nodes = try await chain(of: 2)
        for node in nodes { try await node.join("Seongsu") }
        try await nodes[0].post("from one")
        try await nodes[1].post("from two")
        for node in nodes { try await node.shows(["from one", "from two"]) }
        let left = try await nodes[1].call(
            NeighbourhoodCommands.leave, .init(name: try NeighbourhoodName("seongsu")))
        #expect(left.deleted.string.hasPrefix("What 2 people wrote there"))
        try await nodes[1].shows([])
        await #expect(throws: CommandFault.self) { try await nodes[1].post("too late") }
        #expect(
            try await nodes[1].call(NodeCommands.status).spaces.allSatisfy { $0.kind != .open })
        #expect(try await nodes[0].texts() == ["from one", "from two"])
        try await nodes[1].join("Seongsu")
        try await nodes[1].shows(["from one", "from two"])
        try await nodes[1].post("back")
        try await nodes[0].shows(["back", "from one", "from two"])
        #expect(
            try await nodes[0].call(NodeCommands.status).spaces.allSatisfy {
                $0.forkedDevices.isEmpty
            })
        // Own posts that come back are no sign of a restored backup.
        #expect(
            try await nodes[1].call(NodeCommands.status).notices.allSatisfy {
                $0.kind != .adopted
            })
        for node in nodes { try await node.remove() }
    }

    @Test func `a blocked person gets nothing more, and what they wrote is removed`() async throws {
        let nodes = try await chain(of: 2)
        for node in nodes { try await node.join("Seongsu") }
        try await nodes[1].post("theirs")
        try await nodes[0].shows(["theirs"])
        try await nodes[0].post("before")
        try await nodes[1].shows(["before", "theirs"])
        try await nodes[0].call(
            MateCommands.block,
            .init(person: NameOrKey(try await nodes[1].person), reason: .other))
        try await nodes[0].post("after")
        try await nodes[0].shows(["after", "before"])
        try await Task.sleep(for: .seconds(2))
        #expect(try await nodes[1].texts() == ["before", "theirs"])
        for node in nodes { try await node.remove() }
    }

    @Test func `both devices of a person have the neighbourhood, and each writes there`()
        async throws
    {
        let phone = try await RunningNode.start(
            try RunningNode.founded(), plugins: Self.plugins)
        try await phone.join("Seongsu")
        let laptop = try await RunningNode.start(
            try RunningNode.foundedSecond(of: phone.home), plugins: Self.plugins)
        try await laptop.dial(phone)
        let stranger = try await RunningNode.start(
            try RunningNode.founded(), plugins: Self.plugins)
        try await stranger.dial(laptop)
        try await stranger.join("Seongsu")
        try await laptop.wait(for: NeighbourhoodCommands.list) { $0.neighbourhoods.count == 1 }
        try await phone.post("from the phone")
        try await stranger.shows(["from the phone"])
        try await laptop.post("from the laptop")
        for node in [phone, laptop, stranger] {
            try await node.shows(["from the laptop", "from the phone"])
        }
        for node in [phone, laptop, stranger] { try await node.remove() }
    }

    @Test func `the 20th post of a day is stored and the 21st refused with a sentence`()
        async throws
    {
        let node = try await RunningNode.start(try RunningNode.founded(), plugins: Self.plugins)
        try await node.join("Seongsu")
        var written = 0
        var refusal: CommandFault?
        // What is over a day's allowance is charged to the next day, up to today.
        while refusal == nil, written < 60 {
            do {
                try await node.post("post \(written)")
                written += 1
            } catch let fault as CommandFault {
                refusal = fault
            }
        }
        #expect(written >= 20 && written < 60)
        #expect(refusal?.code == "refused")
        let use = try #require(try await node.call(NodeCommands.status).neighbourhoods.first)
        #expect(use.name == "seongsu" && use.records.value == written && use.bytes.value > 0)
        try await node.remove()
    }

    @Test func `deleting oneself takes one's posts back from strangers too`() async throws {
        let nodes = try await chain(of: 3)
        for node in nodes { try await node.join("Seongsu") }
        try await nodes[0].post("mine")
        try await nodes[1].post("theirs")
        for node in nodes { try await node.shows(["mine", "theirs"]) }
        try await nodes[0].call(NodeCommands.deleteMe, .init(yes: true))
        for node in nodes[1...] { try await node.shows(["theirs"]) }
        for node in nodes[1...] { try await node.remove() }
    }
}

extension RunningNode {
    fileprivate func join(_ name: String) async throws {
        try await call(
            NeighbourhoodCommands.join, .init(name: NeighbourhoodName(name), yes: true))
        try await wait(for: BoardPlugin.list, .init("any")) { $0.joined.contains(name) }
    }

    fileprivate func post(
        _ text: String, place: String = "seongsu", insteadOf former: String? = nil
    ) async throws {
        try await call(BoardPlugin.write, .init(text, in: place, insteadOf: former))
    }

    fileprivate func erase(_ text: String) async throws {
        try await call(BoardPlugin.erase, .init(text, in: "seongsu"))
    }

    fileprivate func texts(_ place: String = "seongsu") async throws -> [String] {
        try await call(BoardPlugin.list, .init(place)).texts
    }

    /// Waits until the neighbourhood shows these posts.
    fileprivate func shows(_ texts: [String]) async throws {
        try await wait(for: BoardPlugin.list, .init("seongsu")) { $0.texts == texts }
    }
}
