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
}

extension RunningNode {
    /// The hashes of the files with content of this node.
    fileprivate var content: Set<String> {
        let all = FileManager.default.enumerator(atPath: home.blobsDirectory)?.allObjects
        let names = (all as? [String] ?? []).filter { !$0.hasPrefix("partial") }
        return Set(
            names.compactMap { $0.split(separator: "/").last.map(String.init) }.filter {
                $0.utf8.count == 64
            })
    }
}
