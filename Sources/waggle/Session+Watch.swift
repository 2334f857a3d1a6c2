import CommandLineKit
import ControlAPI
import ControlClient
import FeaturesAPI
import Glibc
import PluginKit

extension Session {
    /// Prints events until Ctrl-C, which is a success, or until the node becomes unreachable, which
    /// is a failure. For a person it prints a sentence for each, with names instead of keys.
    func watch(_ topics: [String]) async throws -> Int32 {
        // Each line is written completely and at once, so nothing is lost by exiting here.
        signal(SIGINT) { _ in _exit(0) }
        return try await withClient { client in
            var names = EventNames()
            for try await event in client.events(topics: topics) {
                guard !options.isJSON else {
                    write(WatchedEvent(topic: event.topic, payload: event.payload))
                    continue
                }
                guard event != .opened else { continue }
                if let person = event.person, !names.contain(person) {
                    names = try await mateNames(client)
                }
                let event = table.sentence(for: event, names)
                terminal.write(renderer(of: .any).line(for: event) + "\n")
            }
            return 0
        }
    }

    /// Prints an answer, and another one after each event under these topics that has changed it,
    /// until Ctrl-C.
    func follow(
        _ declaration: CommandDeclaration, _ arguments: Arguments, topics: [String]
    ) async throws -> Int32 {
        signal(SIGINT) { _ in _exit(0) }
        do {
            return try await withClient { client in
                var following = Following(declaration, arguments)
                for try await _ in client.events(topics: topics) {
                    repeat {
                        let answer = try await client.perform(declaration, following.question)
                        guard following.receive(answer) else { continue }
                        writeNext(options.isJSON ? answer : following.news(in: answer), declaration)
                    } while following.hasMore
                }
                return 0
            }
        } catch let fault as CommandFault {
            throw fault.asTyped(for: declaration)
        }
    }

    /// Writes an answer as one of a series.
    private func writeNext(_ answer: JSONValue, _ declaration: CommandDeclaration) {
        terminal.write(
            options.isJSON
                ? answer.jsonText() + "\n"
                : renderer(of: declaration.result).newText(for: answer))
    }

    private func mateNames(_ client: ControlClient) async throws -> EventNames {
        let mates = try await client.call(MateCommands.list).mates
        return EventNames(
            Dictionary(
                mates.map { ($0.person, $0.shownNickname?.string ?? $0.suffix.string) },
                uniquingKeysWith: { first, _ in first }))
    }
}

extension NodeEvent {
    /// The person that the event is about, if it names one.
    fileprivate var person: Key? {
        payload?["person"].flatMap { try? $0.decoded(as: Key.self) }
    }
}
