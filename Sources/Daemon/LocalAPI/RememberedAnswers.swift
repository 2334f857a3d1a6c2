import ControlAPI
import PluginKit

/// The answers of acting requests with an id: a request that is sent again gets the answer of the
/// first one, and is not performed again.
///
/// It remembers at most ``APILimits/requestsRememberedMax`` requests and answers for
/// ``APILimits/requestsRememberedFor``, and forgets the oldest first. A request that is being
/// performed is never forgotten; there are at most as many as connections.
actor RememberedAnswers {
    private struct Entry {
        let command: CommandDeclaration
        let arguments: Arguments
        let work: Task<JSONValue, any Error>
        var bytes: Int
        /// The time when it was answered; nil while it is performed.
        var answeredAt: Duration?
    }

    private let clock: any NodeClock
    private var entries: [ActionID: Entry] = [:]
    /// The ids, the oldest first.
    private var order: [ActionID] = []

    init(clock: any NodeClock) {
        self.clock = clock
    }

    /// The number of requests that are remembered.
    var count: Int { entries.count }

    /// Returns the answer of a request; performs it unless a request with this id was performed.
    /// - Throws: what the request throws, or ``CommandFault/conflict(_:)`` if the id belongs to
    ///   another request.
    func answer(
        _ id: ActionID, _ command: CommandDeclaration, _ arguments: Arguments,
        by perform: @escaping @Sendable () async throws -> JSONValue
    ) async throws -> JSONValue {
        forgetOld()
        if let entry = entries[id] {
            guard entry.command == command, entry.arguments == arguments else {
                throw CommandFault.conflict(
                    "the id of this request belongs to another request: use a new one")
            }
            return try await entry.work.value
        }
        let work = Task { try await perform() }
        entries[id] = Entry(
            command: command, arguments: arguments, work: work,
            bytes: arguments.json.jsonText().utf8.count)
        order.append(id)
        return try await withTaskCancellationHandler {
            let result = await work.result
            finish(id, result)
            return try result.get()
        } onCancel: {
            work.cancel()
        }
    }

    private func finish(_ id: ActionID, _ result: Result<JSONValue, any Error>) {
        switch result {
        case .failure(is CancellationError): forget(id)
        case .failure: entries[id]?.answeredAt = clock.uptime
        case .success(let answer):
            entries[id]?.bytes += answer.jsonText().utf8.count
            entries[id]?.answeredAt = clock.uptime
        }
        forgetOld()
    }

    private func forgetOld() {
        let limit = clock.uptime - APILimits.requestsRememberedFor
        var bytes = entries.values.reduce(0) { $0 + $1.bytes }
        for id in order {
            guard let entry = entries[id], let answeredAt = entry.answeredAt else { continue }
            guard
                answeredAt < limit || entries.count > APILimits.requestsRememberedMax
                    || bytes > APILimits.requestsRememberedBytesMax
            else { return }
            bytes -= entry.bytes
            forget(id)
        }
    }

    private func forget(_ id: ActionID) {
        entries[id] = nil
        order.removeAll { $0 == id }
    }
}
