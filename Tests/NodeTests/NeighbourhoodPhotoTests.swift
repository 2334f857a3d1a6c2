import ControlAPI
import Features
import FeaturesAPI
import Foundation
import NodeAPI
import NodeTestSupport
import PluginKit
import ProximityDrop
import TestSupport
import Testing

@testable import Node

/// Photos in a neighbourhood, over real TLS: strangers in a chain, whose ends are never linked.
@Suite(.serialized, .timeLimit(.minutes(3))) struct NeighbourhoodPhotoTests {
    private static let plugins: [any Plugin.Type] = [
        CoreFeatures.self, ProximityDrop.self, GalleryPlugin.self,
    ]

    /// Starts nodes of different people that joined one neighbourhood, each linked with the next.
    private func chain(of count: Int) async throws -> [RunningNode] {
        var nodes: [RunningNode] = []
        for _ in 0..<count {
            let node = try await RunningNode.start(
                try RunningNode.founded(), plugins: Self.plugins)
            if let last = nodes.last { try await node.dial(last) }
            nodes.append(node)
        }
        for node in nodes {
            try await node.call(
                NeighbourhoodCommands.join, .init(name: NeighbourhoodName("seongsu"), yes: true))
            try await node.wait(for: GalleryPlugin.joined) { $0.names == ["seongsu"] }
        }
        return nodes
    }

    private func blob(_ content: [UInt8]) -> String { BlobHash(of: content).description }

    @Test func `a thumbnail comes with its record, the whole over four links when it is opened`()
        async throws
    {
        let nodes = try await chain(of: 5)
        let picture = GalleryPlugin.Picture("seongsu", seed: 1)
        let (whole, thumbnail) = (blob(picture.photo), blob(picture.thumbnail))
        try await nodes[4].call(GalleryPlugin.add, picture)
        for node in nodes {
            try await node.wait(for: GalleryPlugin.peek, picture) { $0.isNamed }
            #expect(await eventually { node.content.contains(thumbnail) })
        }
        // Nobody has the whole before somebody opens it.
        #expect(nodes.map { $0.content.contains(whole) } == [false, false, false, false, true])
        try await nodes[0].wait(for: GalleryPlugin.show, picture) { $0.isWhole }
        #expect(nodes.allSatisfy { $0.content == [whole, thumbnail] })

        // Deleting it takes the bytes away at all of them.
        try await nodes[4].call(GalleryPlugin.erase, picture)
        for node in nodes {
            try await node.wait(for: GalleryPlugin.peek, picture) { !$0.isNamed }
            #expect(await eventually { node.content.isEmpty })
        }
        for node in nodes { try await node.remove() }
    }

    @Test func `a newcomer gets thumbnails from any link, and leaving takes them away`()
        async throws
    {
        let nodes = try await chain(of: 2)
        let pictures = (1...5).map { GalleryPlugin.Picture("seongsu", seed: $0, bytes: 1000) }
        for picture in pictures { try await nodes[0].call(GalleryPlugin.add, picture) }
        let thumbnails = Set(pictures.map { blob($0.thumbnail) })
        #expect(await eventually { nodes[1].content == thumbnails })
        // The author is away, and a third one joins.
        try await nodes[0].stop()
        let third = try await RunningNode.start(
            try RunningNode.founded(), plugins: Self.plugins)
        try await third.dial(nodes[1])
        try await third.call(
            NeighbourhoodCommands.join, .init(name: NeighbourhoodName("seongsu"), yes: true))
        #expect(await eventually { third.content == thumbnails })
        // The whole is nowhere in reach.
        #expect(try await !third.call(GalleryPlugin.show, pictures[0]).isWhole)
        try await third.call(
            NeighbourhoodCommands.leave, .init(name: try NeighbourhoodName("seongsu")))
        #expect(await eventually { third.content.isEmpty })
        #expect(nodes[1].content == thumbnails)
        for node in [nodes[1], third] { try await node.remove() }
    }

    @Test func `a photo that was asked for arrives when somebody with it comes into reach`()
        async throws
    {
        let nodes = try await chain(of: 3)
        let picture = GalleryPlugin.Picture("seongsu", seed: 7, bytes: 100_000)
        try await nodes[2].call(GalleryPlugin.add, picture)
        try await nodes[0].wait(for: GalleryPlugin.peek, picture) { $0.isNamed }
        let (home, port) = (nodes[2].home, nodes[2].port)
        try await nodes[2].stop()
        #expect(try await !nodes[0].call(GalleryPlugin.show, picture).isWhole)
        let again = try await RunningNode.start(home, port: port, plugins: Self.plugins)
        try await again.dial(nodes[0])
        try await nodes[0].wait(for: GalleryPlugin.show, picture) { $0.isWhole }
        for node in [nodes[0], nodes[1], again] { try await node.remove() }
    }

    @Test func `leaving while a photo arrives keeps nothing of it, and joining begins anew`()
        async throws
    {
        let nodes = try await chain(of: 2)
        let picture = GalleryPlugin.Picture("seongsu", seed: 9, bytes: 4_000_000)
        let name = try NeighbourhoodName("seongsu")
        let whole = blob(picture.photo)
        try await nodes[1].call(GalleryPlugin.add, picture)
        let reader = nodes[0]
        for round in 0..<3 {
            try await reader.wait(for: GalleryPlugin.peek, picture) { $0.isNamed }
            #expect(try await !reader.call(GalleryPlugin.show, picture).isWhole)
            // The first bytes are here, or are about to come.
            if round > 0 { try await Task.sleep(for: .milliseconds(50 * round)) }
            try await reader.call(NeighbourhoodCommands.leave, .init(name: name))
            try await reader.wait(for: GalleryPlugin.joined) { $0.names.isEmpty }
            #expect(await eventually { reader.content.isEmpty && reader.partialContent.isEmpty })
            // What was on its way is not stored after that.
            try await Task.sleep(for: .milliseconds(300))
            #expect(reader.content.isEmpty && reader.partialContent.isEmpty)
            #expect(try await reader.call(NodeCommands.status).neighbourhoods.isEmpty)
            try await reader.call(NeighbourhoodCommands.join, .init(name: name, yes: true))
        }
        try await reader.wait(for: GalleryPlugin.peek, picture) { $0.isNamed }
        try await reader.wait(for: GalleryPlugin.show, picture) { $0.isWhole }
        #expect(reader.content.contains(whole))
        for node in nodes { try await node.remove() }
    }
}

extension RunningNode {
    /// The files with content that has not arrived whole.
    fileprivate var partialContent: [String] {
        let all = FileManager.default.enumerator(atPath: home.blobsDirectory)?.allObjects
        return (all as? [String] ?? []).filter { $0.hasPrefix("partial/") }
    }
}
