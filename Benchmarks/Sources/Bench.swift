import ControlAPI
import Daemon
import Foundation
import Logging
import Node
import Photos
import PluginKit

/// A measurement, or a process that a measurement needs. `script/bench` starts them.
///
///     waggle-bench merge DIR [OPERATIONS PER BATCH]     a cold merge, from frames to the disk
///     waggle-bench local DIR COUNT                      writes of one field beside bare upserts
///     waggle-bench equal                                the bytes of an equality check
///     waggle-bench home DIR first|second                makes the home of a node
///     waggle-bench fill DIR                             brings the workload into a home
///     waggle-bench chat DIR                             brings 100 000 messages into a home
///     waggle-bench adverts DIR                          pages and searches of 50 000 records
///     waggle-bench posts DIR city|spot                  a home with 50 000 posts of others
///     waggle-bench mates DIR [PICTURE…]                 makes a home with 300 mates, who have
///                                                       photos of these pictures, and a mate's
///     waggle-bench crowd DIR COUNT                      makes a home with mates and nothing else,
///                                                       and a mate's
///     waggle-bench walk DIR                             a walk of six hours, 240 times as fast
///     waggle-bench node DIR                             runs a node with the benchmark's plugin
///     waggle-bench visit PORT COUNT                     holds links of mates to a node
///     waggle-bench photos FILE                          ten photos that are chosen at once
@main
struct Bench {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("waggle-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        let directory = words.count > 1 ? words[1] : ""
        let number = words.count > 2 ? Int(words[2]) : nil
        switch words.first {
        case "merge":
            let measure = MergeMeasure(
                household: try Household(), directory: directory,
                batchOperationsCount: number ?? Workload.batchOperationsCount)
            Output.line(try await measure.run().jsonText())
        case "local":
            let measure = LocalWriteMeasure(
                household: try Household(), directory: directory, count: number ?? 1000)
            Output.line(try await measure.run().jsonText())
        case "equal": Output.line(try EqualCheckMeasure().run().jsonText())
        case "home":
            let node: Household.Node = words.count > 2 && words[2] == "second" ? .second : .first
            try Household().makeHome(Home(directory), of: node)
        case "fill": try await HomeFiller(household: Household(), directory: directory).run()
        case "chat":
            let filler = ChatFiller(household: try Household(), directory: directory)
            Output.line(try await filler.run().jsonText())
        case "adverts":
            Output.line(try await AdvertsMeasure(directory: directory).run().jsonText())
        case "posts":
            guard let layout = PostsFiller.Layout(rawValue: words.count > 2 ? words[2] : "") else {
                throw BenchFault.usage("posts DIRECTORY city|spot")
            }
            let filler = PostsFiller(
                household: try Household(), home: Home(directory), layout: layout)
            Output.line(try await filler.run().jsonText())
        case "mates":
            guard words.count > 2 else { throw BenchFault.usage("mates DIRECTORY PICTURE…") }
            let decoder = PhotoDecoder(try WorkerProgram.find())
            let photo = try await decoder.encode(.file(path: words[2]), for: .chat)
            var portraits: [EncodedPhoto] = []
            for path in words.dropFirst(3) {
                portraits.append(try await decoder.encode(.file(path: path), for: .profile))
            }
            let filler = MatesFiller(
                household: try Household(), directory: directory, matesCount: 300, photo: photo,
                portraits: portraits)
            Output.line(try await filler.run().jsonText())
        case "crowd":
            guard let number else { throw BenchFault.usage("crowd DIRECTORY COUNT") }
            let filler = MatesFiller(
                household: try Household(), directory: directory, matesCount: number)
            Output.line(try await filler.run().jsonText())
        case "walk": Output.line(try await WalkMeasure(directory: directory).run().jsonText())
        case "photos": Output.line(try await PhotosMeasure(path: directory).run().jsonText())
        case "node": try await runNode(Home(directory))
        case "visit":
            guard let port = UInt16(directory), let number else {
                throw BenchFault.usage("visit PORT COUNT")
            }
            try await LinkLoad(household: Household(), port: port).run(count: number)
        default:
            throw BenchFault.usage(
                "merge, local, equal, home, fill, chat, adverts, posts, mates, crowd, walk, photos, node or visit"
            )
        }
    }

    /// The product's plugins and the benchmark's plugins.
    static let plugins: [any Plugin.Type] =
        PluginCatalogue.all + [FieldsPlugin.self, DistancesPlugin.self]

    /// Runs the product's node with the benchmark's plugins.
    private static func runNode(_ home: Home) async throws {
        let settings = try NodeSettings(home: home, usesAvahi: false)
        var logger = Logger(label: "waggle") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .notice
        let process = NodeProcess(
            settings: settings, plugins: plugins, logger: logger)
        try await process.run { port, socket in
            Output.line("{\"port\":\(port),\"socket\":\"\(socket)\"}")
        }
    }
}

/// The standard output, line by line.
enum Output {
    static func line(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
