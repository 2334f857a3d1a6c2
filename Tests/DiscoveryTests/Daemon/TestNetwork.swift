import Foundation
import Glibc

/// Two hosts as network namespaces, joined by one cable that both call eth0. They have only this
/// cable and the loopback, so that nothing is sent outside.
struct TestNetwork: Codable, Sendable {
    /// Whether the process is root and has the tools for namespaces.
    static let isPossible =
        geteuid() == 0
        && ["/usr/sbin/avahi-daemon", "/usr/bin/dbus-daemon", "/usr/bin/avahi-publish"]
            .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
        && run("ip", ["netns", "list"])

    let namespaces: [String]
    /// The directory of the hosts' sockets, configuration and process ids.
    let directory: String

    struct Failed: Error {
        let command: String
    }

    init() throws {
        let mark = UUID().uuidString.prefix(8).lowercased()
        namespaces = ["wg-\(mark)-a", "wg-\(mark)-b"]
        directory = "/tmp/wg-\(mark)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        do {
            try join()
        } catch {
            remove()
            throw error
        }
    }

    private func join() throws {
        for namespace in namespaces { try must("ip", "netns", "add", namespace) }
        try must(
            "ip", "link", "add", "eth0", "netns", namespaces[0], "type", "veth", "peer", "name",
            "eth0", "netns", namespaces[1])
        for (number, namespace) in namespaces.enumerated() {
            let address = "10.77.0.\(number + 1)/24"
            try must("ip", "-n", namespace, "address", "add", address, "dev", "eth0")
            try must("ip", "-n", namespace, "link", "set", "lo", "up")
            try must("ip", "-n", namespace, "link", "set", "eth0", "up")
        }
    }

    /// Ends the processes that a host left running, by process id, and removes the rest.
    func remove() {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for number in files.compactMap({ $0.hasSuffix(".pid") ? Int32($0.dropLast(4)) : nil }) {
            kill(number, SIGKILL)
        }
        for namespace in namespaces { _ = Self.run("ip", ["netns", "delete", namespace]) }
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func must(_ tool: String, _ arguments: String...) throws {
        guard Self.run(tool, arguments) else {
            throw Failed(command: ([tool] + arguments).joined(separator: " "))
        }
    }

    private static func run(_ tool: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
