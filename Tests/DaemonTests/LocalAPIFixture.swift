import ControlAPI
import ControlClient
import Foundation
import Glibc
import Logging
import Node
import PluginKit
import ServiceLifecycle
import Synchronization
import Testing

@testable import Daemon

/// A real server on a real socket in its own directory, with a service made for the test.
struct LocalAPIFixture: Sendable {
    let directory: String
    let service = FakeService()
    let clock = TickClock()

    var socketPath: String { directory + "/api.sock" }

    init() throws {
        directory = NSTemporaryDirectory() + "waggle-api-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    func server(
        user: uid_t = getuid(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        onListening: @escaping @Sendable () async -> Void
    ) -> LocalAPIServer {
        LocalAPIServer(
            socketPath: socketPath, service: service, version: "1.2.3", clock: clock,
            logger: logger, user: user, onListening: onListening)
    }

    /// Runs the server while the closure runs, then shuts it down as the node would, and waits.
    func serving(
        user: uid_t = getuid(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: @escaping @Sendable (ControlClient) async throws -> Void
    ) async throws {
        let (listening, isListening) = AsyncStream.makeStream(of: Void.self)
        let group = ServiceGroup(
            services: [server(user: user, logger: logger) { isListening.finish() }],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { isListening.finish() }
                try await group.run()
            }
            for await _ in listening {}
            let client = ControlClient(socketPath: socketPath, timeout: .seconds(20))
            do { try await body(client) } catch { Issue.record(error) }
            await group.triggerGracefulShutdown()
            try await tasks.next()
            try await client.shutdown()
        }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Sends bytes and reads until the server closes.
    func exchange(_ request: String) async -> String {
        let path = socketPath
        // The socket's calls block, so they get their own thread.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let socket = RawSocket(path)
                socket?.send(request)
                continuation.resume(returning: socket?.readToEnd() ?? "no connection")
            }
        }
    }

    /// Sends one request in the form that a careless program would use.
    func request(
        _ method: String, _ path: String, _ body: String = "", type: String = "application/json"
    ) async -> String {
        await exchange(
            "\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}

extension ControlClient {
    /// Adds a dog to a ``FakeService``.
    func addDog(_ name: String) async throws {
        let arguments = try Arguments(checking: ["name": .string(name)], against: FakeService.add)
        _ = try await answer(to: FakeService.add, arguments)
    }
}

/// A service with a few commands, whose events a test publishes.
final class FakeService: CommandService {
    private let listeners = Mutex<[AsyncStream<NodeEvent>.Continuation]>([])

    static let add = CommandDeclaration(
        "dog", "add", .action, help: "Add a dog.",
        parameters: [
            .required("name", .text, "Its name."), .optional("age", .integer, "Years."),
        ],
        result: .object([
            .init("name", .text), .init("age", .integer, isRequired: false),
        ]))
    static let list = CommandDeclaration(
        "dog", "list", .query, help: "List dogs.",
        parameters: [
            .optional("limit", .integer, "How many."),
            .optional("tags", .list(.text), "Words."),
        ],
        result: .object([
            .init("limit", .integer, isRequired: false),
            .init("tags", .list(.text), isRequired: false),
        ]))
    static let fail = CommandDeclaration(
        "dog", "fail", .action, help: "Fail as told.",
        parameters: [.required("code", .text, "How.")], result: .done)

    static let wait = CommandDeclaration(
        "dog", "wait", .action, help: "Wait for ever.", result: .done)

    let declarations = [add, list, fail, wait]
    let eventDeclarations = StreamEvents.declarations

    func perform(
        _ declaration: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue {
        switch declaration {
        case Self.add:
            guard (arguments["name"]?.string ?? "").count <= 15 else {
                throw CommandFault.usage("a dog's name has at most 15 letters", field: "name")
            }
            return .record(["name": arguments["name"], "age": arguments["age"]])
        case Self.list:
            return .record(["limit": arguments["limit"], "tags": arguments["tags"]])
        case Self.wait:
            for await _ in AsyncStream(Never.self, { _ in }) {}
            throw CancellationError()
        default:
            let code = arguments["code"]?.string ?? ""
            if code == "other" { throw SomeError() }
            throw CommandFault(code: code, sentence: "as told")
        }
    }

    struct SomeError: Error {}

    func events() async -> AsyncStream<NodeEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NodeEvent.self, bufferingPolicy: .bufferingNewest(4096))
        listeners.withLock { $0.append(continuation) }
        return stream
    }

    func publish(_ event: NodeEvent) {
        listeners.withLock { for listener in $0 { listener.yield(event) } }
    }

    func endEvents() {
        listeners.withLock { for listener in $0 { listener.finish() } }
    }
}

/// A clock whose waits end when the test ends them.
final class TickClock: NodeClock {
    private struct Sleepers {
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let sleepers = Mutex(Sleepers())
    let asked = AsyncStream.makeStream(of: Duration.self)

    var wallTime: Timestamp { .min }
    var uptime: Duration { .zero }

    func sleep(for duration: Duration) async throws {
        let number = sleepers.withLock { sleepers in
            sleepers.next += 1
            return sleepers.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                sleepers.withLock { $0.waiting[number] = continuation }
                asked.continuation.yield(duration)
                if Task.isCancelled { wake(number) }
            }
        } onCancel: {
            wake(number)
        }
        try Task.checkCancellation()
    }

    /// Ends all waits.
    func tick() {
        let waiting = sleepers.withLock { sleepers in
            defer { sleepers.waiting = [:] }
            return sleepers.waiting.values
        }
        for sleeper in waiting { sleeper.resume() }
    }

    private func wake(_ number: Int) {
        sleepers.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
}

/// A Unix socket without a protocol.
final class RawSocket: Sendable {
    let descriptor: Int32

    init?(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard unsafe Self.with(path, { unsafe connect(descriptor, $0, $1) }) == 0 else {
            return nil
        }
    }

    /// Creates a socket that listens on a path until it is closed; its file remains.
    init?(listeningOn path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard unsafe Self.with(path, { unsafe bind(descriptor, $0, $1) }) == 0 else { return nil }
        listen(descriptor, 1)
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        _ = unsafe Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns the available bytes; an empty string if the other end closed.
    func readSome() -> String {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    func readToEnd() -> String {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return String(decoding: all, as: UTF8.self) }
            all += bytes[..<count]
        }
    }

    private static func with(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8)
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
