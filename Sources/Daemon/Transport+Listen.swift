internal import Links
internal import Node
internal import PluginKit

extension Transport {
    /// Accepts links on a preferred port: after a restart that of the run before, so that peers
    /// still find the node there. If the system had chosen it and another program keeps it, `port`
    /// is used, which is 0 then.
    ///
    /// A taken port is tried again for ``listenTimeMax``, because a node that has just ended may
    /// hold it a moment longer: a program that it was starting shares its sockets until it runs.
    func listen(
        preferring preferred: UInt16, otherwise port: UInt16, clock: any NodeClock
    ) async throws(ListenFault) -> any LinkArrivals {
        let end = clock.uptime + listenTimeMax
        while true {
            do {
                return try await listen(port: preferred)
            } catch {
                guard case .portTaken = error else { throw error }
                if clock.uptime < end, await paused(clock) { continue }
                guard preferred != port else { throw error }
                return try await listen(port: port)
            }
        }
    }

    /// The time after which a taken port counts as another program's.
    private var listenTimeMax: Duration { .seconds(3) }

    /// Waits until the port may be tried again.
    /// - Returns: false if the task is cancelled.
    private func paused(_ clock: any NodeClock) async -> Bool {
        (try? await clock.sleep(for: .milliseconds(100))) != nil
    }
}
