import Contract
import ControlAPI
import ControlClient
import Foundation
import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Testing

/// A node in a separate process, so that a test can measure the memory and descriptors that an
/// attack costs. It links over real TLS on all addresses of the loopback interface and is not
/// announced.
final class Victim: Sendable {
    /// The home of the node.
    let home: Home
    /// The port on which it accepts links.
    let port: UInt16
    private let client: ControlClient
    private let process: Process

    /// Starts the built `waggle` on a home and returns when its local API answers.
    static func start(_ home: Home? = nil) async throws -> Victim {
        let home = try home ?? RunningNode.founded()
        let process = Process()
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent()
            .appending(path: "waggle")
        process.arguments = ["node", "--no-avahi", "--home", home.directory]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let client = ControlClient(socketPath: try home.socketPath())
        var status: NodeStatus?
        _ = await eventually {
            status = try? await client.call(NodeCommands.status)
            return status != nil
        }
        guard let port = status.flatMap({ UInt16(exactly: $0.port.value) }) else {
            process.terminate()
            throw CommandFault.failed("the node did not answer")
        }
        return Victim(home, port, client, process)
    }

    private init(_ home: Home, _ port: UInt16, _ client: ControlClient, _ process: Process) {
        (self.home, self.port, self.client, self.process) = (home, port, client, process)
    }

    deinit {
        // A test that failed half-way has not ended its node.
        process.terminate()
        let client = client
        Task { try? await client.shutdown() }
    }

    /// The processor time in which a node ends, in seconds. What strangers or mates sent before
    /// would take several times as long.
    private static let endingSecondsMax = 1.5

    /// Ends the node and removes its home.
    func remove() async throws {
        try await client.shutdown()
        process.terminate()
        let before = processorSeconds
        var after = before
        let didEnd = await eventually {
            after = max(after, processorSeconds)
            return hasEnded
        }
        // Messages that wait are dropped: a person who quits does not wait for what others sent.
        #expect(after - before < Victim.endingSecondsMax)
        if !didEnd {
            Issue.record("the node did not end")
            // Its home is removed below, so it must not run on.
            kill(process.processIdentifier, SIGKILL)
        }
        try? FileManager.default.removeItem(atPath: home.directory)
    }

    /// The node's memory, in MiB.
    var residentMiB: Int {
        let status = (try? String(contentsOfFile: proc("status"), encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
    }

    /// The number of sockets that the node has open. Its other descriptors say nothing about an
    /// attack: the database opens further files when several reads come at once.
    var socketsCount: Int {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: proc("fd"))) ?? []
        return names.count { name in
            let target = try? files.destinationOfSymbolicLink(atPath: proc("fd/\(name)"))
            return target?.hasPrefix("socket:") ?? false
        }
    }

    /// Returns the memory in MiB, once it has not changed for half a second.
    func settledMiB() async -> Int {
        var last = Int.min / 2
        _ = await eventually {
            let now = residentMiB
            defer { last = now }
            if abs(now - last) <= 1 { return true }
            try? await Task.sleep(for: .milliseconds(500))
            return false
        }
        return last
    }

    /// Returns whether the memory falls below a limit in MiB within a minute.
    func shrinks(to limit: Int) async -> Bool {
        for _ in 0..<3 where await eventually({ residentMiB < limit }) { return true }
        return false
    }

    /// The processor time that the node has used, in seconds.
    var processorSeconds: Double {
        let stat = (try? String(contentsOfFile: proc("stat"), encoding: .utf8)) ?? ""
        // The second field, in brackets, may hold spaces; user and system time are 14 and 15.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12 else { return 0 }
        return fields[11...12].compactMap { Double($0) }.reduce(0, +) / 100
    }

    /// Whether the node's process has ended, as the system says. Foundation may say so only when
    /// another process ends: one that is started at the same moment inherits the socket by whose
    /// end Foundation knows. Its blocking wait keeps a processor busy, too.
    private var hasEnded: Bool {
        guard let stat = try? String(contentsOfFile: proc("stat"), encoding: .utf8) else {
            return true
        }
        // The state follows the name, which is in brackets: Z, until Foundation has collected it.
        return stat.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }

    private func proc(_ file: String) -> String { "/proc/\(process.processIdentifier)/\(file)" }

    /// Returns the answer of `status show`.
    func status() async throws -> NodeStatus {
        try await client.call(NodeCommands.status)
    }
}

extension HostileMate {
    /// Ends the victim in this process and starts it again in its own.
    func victimAsProcess() async throws -> Victim {
        try await victim.stop()
        return try await Victim.start(victim.home)
    }

    /// Removes the home of the mate.
    func removeHome() { try? FileManager.default.removeItem(atPath: mateHome.directory) }

    /// Removes the homes of the mate and of a victim that has ended.
    func removeHomes() {
        removeHome()
        try? FileManager.default.removeItem(atPath: victim.home.directory)
    }
}
