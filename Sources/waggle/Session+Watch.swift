import ControlAPI
import Glibc
import PluginKit

extension Session {
    /// Prints events until Ctrl-C, which is a good end, or until the node goes away, which is none.
    func watch(_ topics: [String]) async throws -> Int32 {
        // Each line is written whole and at once, so nothing is lost by leaving here.
        signal(SIGINT) { _ in _exit(0) }
        return try await withClient { client in
            for try await event in client.events(topics: topics) { write(event) }
            return 0
        }
    }

    private func write(_ event: NodeEvent) {
        guard !options.isJSON else {
            let line = JSONValue.record(["topic": .string(event.topic), "payload": event.payload])
            return terminal.write(line.jsonText() + "\n")
        }
        guard event != .opened else { return }
        terminal.write(renderer.line(topic: event.topic, payload: event.payload) + "\n")
    }
}
