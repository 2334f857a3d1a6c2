import CommandLineKit
import ControlAPI
import ControlClient
import Glibc
import PluginKit

extension Session {
    /// Prints events until Ctrl-C, which is a success, or until the node becomes unreachable, which
    /// is a failure.
    func watch(_ topics: [String]) async throws -> Int32 {
        // Each line is written completely and at once, so nothing is lost by exiting here.
        signal(SIGINT) { _ in _exit(0) }
        return try await withClient { client in
            for try await event in client.events(topics: topics) { write(event) }
            return 0
        }
    }

    /// Prints an answer, and another one after each event that may have changed it, until Ctrl-C.
    func follow(_ declaration: CommandDeclaration, _ arguments: Arguments) async throws -> Int32 {
        signal(SIGINT) { _ in _exit(0) }
        do {
            return try await withClient { client in
                var following = Following(declaration, arguments)
                for try await _ in client.events(topics: declaration.follows.map(\.topic)) {
                    repeat {
                        let answer = try await client.perform(declaration, following.question)
                        guard following.receive(answer) else { continue }
                        write(
                            options.isJSON ? answer : following.news(in: answer),
                            of: declaration.result)
                    } while following.hasMore
                }
                return 0
            }
        } catch let fault as CommandFault {
            throw fault.asTyped(for: declaration)
        }
    }

    private func write(_ event: NodeEvent) {
        guard !options.isJSON else {
            return write(WatchedEvent(topic: event.topic, payload: event.payload))
        }
        guard event != .opened else { return }
        terminal.write(renderer().line(topic: event.topic, payload: event.payload) + "\n")
    }
}
