import CommandLineKit
import ControlAPI
import Daemon
import Discovery
import Foundation
import Logging
import Node
import NodeAPI
import PluginKit

extension Session {
    /// Runs the node until it is stopped.
    func runNode(_ request: RunNode) async throws -> Int32 {
        // A start with an unusable socket path leaves no files behind.
        _ = try home.socketPath()
        guard home.hasIdentity || home.isWaiting else { throw NodeIdentity.missing(in: home) }
        let settings = try NodeSettings(
            home: home, listenPort: UInt16(request.listenPort?.value ?? 0),
            interfacesLeftOut: InterfacePatterns(
                InterfacePatterns.usual.patterns + (request.interfacesIgnore ?? [])),
            usesAvahi: request.avahi ?? true, usesDesktop: request.notifications ?? true,
            deviceName: Self.hostName)
        var logger = Logger(label: "waggle") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = request.verbose ?? false ? .debug : .notice
        // A node logs and answers in English, in whatever language it was started.
        let catalogue = Catalogue.current
        Catalogue.current = .english
        defer { Catalogue.current = catalogue }
        try await NodeProcess(settings: settings, logger: logger).run { port, socket in
            announce(port: port, socket: socket, in: catalogue)
            ReadyNotice.send(environment: environment)
        }
        return 0
    }

    /// The host's name, which is this device's first one; nil if it cannot be read.
    private static var hostName: String? {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
        return text?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    /// Reports that the node accepts requests from now on.
    private func announce(port: UInt16, socket: String, in catalogue: Catalogue) {
        guard !options.isJSON else { return write(StartedNode(port: Int(port), socket: socket)) }
        terminal.write(
            catalogue.text(
                "Waggle is running: other devices on port \(port), programs on \(socket).") + "\n")
    }
}
