import ControlAPI
import Hummingbird
import NIOCore
import PluginKit

/// Reads the JSON object in the body of a request, within a limit of bytes and a time limit.
struct BodyReader: Sendable {
    /// The maximum time from a body's first byte to its last.
    static let timeMax = Duration.seconds(10)

    /// The body did not arrive completely, so the bytes after it are not a request.
    struct Incomplete: Error {
        /// A sentence that describes the fault.
        let sentence: Sentence
    }

    let clock: any NodeClock

    /// Returns the members of the object; none if the body is empty.
    /// - Throws: ``HTTPFault`` if the body is too long or not declared as JSON,
    ///   ``CommandFault/usage(_:field:)`` if it is not a JSON object, ``Incomplete`` if it ended
    ///   early or took too long.
    func members(of request: Request) async throws -> [String: JSONValue] {
        let bytes = try await bytes(of: request.body)
        guard bytes.readableBytes > 0 else { return [:] }
        try Self.checkMediaType(of: request)
        do {
            guard case .object(let members) = try JSONValue(parsing: bytes.readableBytesView) else {
                throw CommandFault.usage("the body must be a JSON object, as in {\"id\":\"…\"}")
            }
            return members
        } catch let fault as JSONFault {
            throw CommandFault.usage(fault.sentence)
        }
    }

    /// Checks that the body is declared as JSON. Parameters such as the character set are ignored:
    /// JSON is always UTF-8.
    private static func checkMediaType(of request: Request) throws {
        let declared = request.headers[.contentType] ?? ""
        let type = declared.split(separator: ";").first.map(String.init)?.trimmingSpaces ?? ""
        guard type.lowercased() == "application/json" else {
            throw HTTPFault.unsupportedMediaType(declared)
        }
    }

    private func bytes(of body: RequestBody) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer.self) { [clock] group in
            group.addTask { try await Self.collect(body) }
            group.addTask {
                try await clock.sleep(for: Self.timeMax)
                throw Incomplete(
                    sentence: "the body did not arrive within \(Self.timeMax.components.seconds) s")
            }
            defer { group.cancelAll() }
            guard let bytes = try await group.next() else { throw CancellationError() }
            return bytes
        }
    }

    private static func collect(_ body: RequestBody) async throws -> ByteBuffer {
        do {
            let bytes = try await body.collect(upTo: APILimits.bodyBytesMax)
            // When its reading is cancelled, a body ends as if it were complete.
            try Task.checkCancellation()
            return bytes
        } catch is NIOTooManyBytesError {
            throw HTTPFault.contentTooLarge
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw Incomplete(sentence: "the body ended early or is not valid HTTP")
        }
    }
}
