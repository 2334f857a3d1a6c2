public import ControlAPI
public import ControlClient
internal import Daemon
internal import Foundation
internal import Identity
internal import Logging
public import Node
internal import NodeAPI
public import PluginKit
internal import Synchronization
public import TestSupport

/// A whole node in this process: a home in a temporary directory, a real replica, real TLS on the
/// loopback interface and a real local API. It is not announced; tests introduce nodes by address.
public final class RunningNode: Sendable {
    /// The node's home directory.
    public let home: Home
    /// A client of its local API.
    public let client: ControlClient
    /// The port on which it accepts links.
    public let port: UInt16
    private let running: Task<Void, any Error>
    /// Whether ``running`` is over.
    private let ended = Mutex(false)

    private init(
        home: Home, client: ControlClient, port: UInt16, running: Task<Void, any Error>
    ) {
        self.home = home
        self.client = client
        self.port = port
        self.running = running
        Task { [weak self] in
            _ = await running.result
            self?.ended.withLock { $0 = true }
        }
    }

    deinit {
        // A test that failed half-way has not stopped its node.
        running.cancel()
        let client = client
        Task { try? await client.shutdown() }
    }

    /// Creates a home with an identity, in its own directory.
    public static func founded() throws -> Home {
        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.create(in: home)
        return home
    }

    /// Starts a node on a home and returns when its local API answers. Without a port, it gets one
    /// that stays free while it is stopped; see ``TestPorts``.
    public static func start(
        _ home: Home, port: UInt16? = nil, plugins: [any Plugin.Type] = PluginCatalogue.all
    ) async throws -> RunningNode {
        if let port { return try await start(home, at: port, plugins) }
        while true {
            let port = TestPorts.next()
            do {
                return try await start(home, at: port, plugins)
            } catch let fault as CommandFault where "\(fault)".contains("port \(port) is taken") {
                continue
            }
        }
    }

    private static func start(
        _ home: Home, at port: UInt16, _ plugins: [any Plugin.Type]
    ) async throws -> RunningNode {
        var logger = Logger(label: "node")
        logger.logLevel = .critical
        let settings = try NodeSettings(home: home, listenPort: port, usesAvahi: false)
        let process = NodeProcess(settings: settings, plugins: plugins, logger: logger)
        let (started, starting) = AsyncStream.makeStream(of: UInt16.self)
        let running = Task {
            defer { starting.finish() }
            try await process.run { port, _ in starting.yield(port) }
        }
        for await port in started {
            let client = ControlClient(socketPath: try home.socketPath())
            return RunningNode(home: home, client: client, port: port, running: running)
        }
        // It ended before it was ready: the test needs the reason.
        try await running.value
        throw CommandFault.failed("the node ended before it answered")
    }

    /// Starts a new person's node.
    public static func start() async throws -> RunningNode { try await start(try founded()) }

    /// Stops the node regularly; its home stays.
    public func stop() async throws {
        // A node that starts again just then does not get the first request.
        while !ended.withLock(\.self) {
            _ = try? await call(NodeCommands.stop)
            try await Task.sleep(for: .milliseconds(20))
        }
        try await running.value
        try await client.shutdown()
    }

    /// Ends the node and removes its home.
    public func remove() async throws {
        try await stop()
        try? FileManager.default.removeItem(atPath: home.directory)
    }

    /// The address that others can dial.
    public var address: String { "127.0.0.1:\(port)" }

    /// Repeats a query at each event until the answer is as expected.
    /// - Throws: ``CommandFault/timedOut(_:)`` after `limit`, with the last answer.
    @discardableResult
    public func wait<Request, Answer>(
        for query: Command<Request, Answer>, _ request: Request,
        within limit: Duration = .seconds(20),
        until isWanted: @escaping @Sendable (Answer) -> Bool
    ) async throws -> Answer {
        let events = client.events()
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask {
                var answer = try await self.call(query, request)
                if isWanted(answer) { return answer }
                for try await _ in events {
                    answer = try await self.call(query, request)
                    if isWanted(answer) { return answer }
                }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            if let answer = try await group.next() ?? nil { return answer }
            let last = JSONValue(encoding: try await self.call(query, request)).jsonText()
            let declaration = query.declaration
            throw CommandFault.timedOut(
                "\(declaration.noun) \(declaration.verb) stayed at \(last)")
        }
    }

    /// Repeats a query without parameters at each event until the answer is as expected.
    /// - Throws: ``CommandFault/timedOut(_:)`` after 20 s, with the last answer.
    @discardableResult
    public func wait<Answer>(
        for query: Command<NoParameters, Answer>,
        until isWanted: @escaping @Sendable (Answer) -> Bool
    ) async throws -> Answer {
        try await wait(for: query, NoParameters(), until: isWanted)
    }
}

extension RunningNode: CommandPerformer {
    /// Performs a command over the local API.
    public func answer(
        to command: CommandDeclaration, _ values: [String: JSONValue]
    ) async throws -> JSONValue {
        let arguments = try Arguments(checking: values, against: command)
        do {
            return try await client.perform(command, arguments)
        } catch {
            // If it ended by itself, the test needs the reason for that.
            if ended.withLock({ $0 }) { try await running.value }
            throw error
        }
    }
}
