import ControlAPI
import Hummingbird
import NIOCore
import PluginKit

/// Reads the JSON object in the body of a request, within a limit of bytes and one of time.
struct BodyReader: Sendable {
    /// How long a body may take from its first byte to its last.
    static let timeMax = Duration.seconds(10)

    /// The body did not come whole: what may still come of it is no request.
    struct Incomplete: Error {
        /// What was wrong with it, as a sentence.
        let sentence: String
    }

    let clock: any NodeClock

    /// The members of the object; none where the body is empty.
    /// - Throws: ``CommandFault/usage(_:field:)`` where it is too long or no JSON object,
    ///   ``Incomplete`` where it broke off or took too long.
    func members(of request: Request) async throws -> [String: JSONValue] {
        let bytes = try await bytes(of: request.body)
        guard bytes.readableBytes > 0 else { return [:] }
        do {
            guard case .object(let members) = try JSONValue(parsing: bytes.readableBytesView) else {
                throw CommandFault.usage("the body must be a JSON object, as in {\"id\":\"…\"}")
            }
            return members
        } catch let fault as JSONFault {
            throw CommandFault.usage(fault.sentence)
        }
    }

    private func bytes(of body: RequestBody) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer.self) { [clock] group in
            group.addTask { try await Self.collect(body) }
            group.addTask {
                try await clock.sleep(for: Self.timeMax)
                throw Incomplete(
                    sentence: "the body did not come within \(Self.timeMax.components.seconds) s")
            }
            defer { group.cancelAll() }
            guard let bytes = try await group.next() else { throw CancellationError() }
            return bytes
        }
    }

    private static func collect(_ body: RequestBody) async throws -> ByteBuffer {
        do {
            let bytes = try await body.collect(upTo: APILimits.bodyBytesMax)
            // A body whose reading is cancelled ends as if it were whole.
            try Task.checkCancellation()
            return bytes
        } catch is NIOTooManyBytesError {
            throw CommandFault.usage("the body is over \(APILimits.bodyBytesMax) bytes")
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw Incomplete(sentence: "the body broke off, or is not divided as HTTP has it")
        }
    }
}
