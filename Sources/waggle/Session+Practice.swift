import CommandLineKit
import ControlAPI
import ControlClient
import Daemon
import Discovery
import Foundation
import Logging
import Node
import NodeAPI
import PluginKit
import Practice

extension Session {
    /// Runs a practice mate, with a node of its own, until it is stopped; then ends the mateship
    /// and removes all its files. If it was killed before, it goes on as the same person.
    func practise(_ request: Practise) async throws -> Int32 {
        let practice = Home(home.practiceDirectory)
        _ = try practice.prepareSocket()
        try await waitForNode()
        if !practice.hasIdentity { _ = try NodeIdentity.create(in: practice) }
        let isAttached = request.attached ?? false
        if !isAttached, !options.isJSON {
            terminal.write(
                localized("A practice mate runs on this computer. Ctrl-C ends it.") + "\n")
        }
        try await runPracticeMate(in: practice) { !(isAttached && StandardInput.hasEnded) }
        // A signal has ended its node; it runs once more, to say goodbye.
        if practice.hasIdentity { try await runPracticeMate(in: practice) { false } }
        // Without an answer of the user's node, the next practice ends the mateship.
        guard !practice.hasIdentity else { return 0 }
        try FileManager.default.removeItem(atPath: practice.directory)
        return 0
    }

    /// Waits until the user's node answers.
    private func waitForNode() async throws {
        let clock = SystemClock()
        let end = clock.uptime + .seconds(60)
        while true {
            do {
                _ = try await withClient { try await $0.call(NodeCommands.status) }
                return
            } catch let fault as NodeUnreachable {
                guard clock.uptime < end else { throw CommandFault.notRunning(fault.sentence) }
            }
            try await clock.sleep(for: .milliseconds(500))
        }
    }

    /// Runs the practice mate's node and the practice mate until both have ended.
    private func runPracticeMate(
        in practice: Home, while isWanted: @escaping @Sendable () -> Bool
    ) async throws {
        let catalogue = Catalogue.current
        Catalogue.current = .english
        defer { Catalogue.current = catalogue }
        let settings = try NodeSettings(
            home: practice, listenPort: 0, interfacesLeftOut: .usual, usesAvahi: false,
            usesDesktop: false)
        var logger = Logger(label: "practice") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let mine = ControlClient(socketPath: try practice.socketPath())
        let yours = ControlClient(socketPath: try home.socketPath())
        let mate = PracticeMate(
            mine: mine, yours: yours, parts: PluginCatalogue.all.compactMap { $0.practice },
            clock: SystemClock(), isWanted: isWanted)
        let quiet = logger
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let outcome: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await NodeProcess(settings: settings, logger: quiet).run { _, _ in
                        start.finish()
                    }
                }
                group.addTask {
                    for await _ in starts {}
                    _ = try await mate.run()
                    // The node ends by itself now.
                    try await SystemClock().sleep(for: .seconds(60))
                }
                try await group.next()
                group.cancelAll()
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await mine.shutdown()
        try await yours.shutdown()
        try outcome.get()
    }
}

/// The standard input of this process, as a sign that the program that holds its other end lives.
enum StandardInput {
    /// Whether it has ended. Bytes in it are skipped.
    static var hasEnded: Bool {
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&descriptor, 1, 0) > 0 else { return false }
        var byte: UInt8 = 0
        return unsafe read(STDIN_FILENO, &byte, 1) <= 0
    }
}
