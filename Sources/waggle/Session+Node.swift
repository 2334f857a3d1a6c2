import CommandLineKit
import ControlAPI
import Daemon
import Discovery
import Logging
import Node
import PluginKit

extension Session {
    /// Runs the node until it is stopped.
    func runNode(_ arguments: Arguments) async throws -> Int32 {
        // A start with an unusable socket path leaves no files behind.
        _ = try home.socketPath()
        guard home.hasIdentity else { throw NodeIdentity.missing(in: home) }
        let settings = try NodeSettings(
            home: home, listenPort: try listenPort(arguments),
            interfacesLeftOut: InterfacePatterns(
                InterfacePatterns.usual.patterns + (arguments.texts("interfacesIgnore") ?? [])),
            usesAvahi: arguments["avahi"]?.boolean ?? true)
        var logger = Logger(label: "waggle") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = arguments["verbose"]?.boolean == true ? .debug : .notice
        try await NodeProcess(settings: settings, logger: logger).run { port, socket in
            announce(port: port, socket: socket)
            ReadyNotice.send(environment: environment)
        }
        return 0
    }

    /// Returns the requested port; 0, which means any, if none was requested.
    func listenPort(_ arguments: Arguments) throws -> UInt16 {
        guard let number = arguments["listenPort"]?.integer else { return 0 }
        guard let port = UInt16(exactly: number) else {
            throw CommandFault.usage(
                "--listen-port must be from 0 to 65535, not \(number)", field: "listenPort")
        }
        return port
    }

    /// Reports that the node accepts requests from now on.
    private func announce(port: UInt16, socket: String) {
        let facts: JSONValue = ["port": .integer(Int64(port)), "socket": .string(socket)]
        terminal.write(
            options.isJSON
                ? facts.jsonText() + "\n"
                : "The node is running: other nodes on port \(port), programs on \(socket).\n")
    }
}
