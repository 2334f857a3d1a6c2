import ControlAPI
import ControlClient
import Discovery
import Foundation
import Node
import PluginKit

extension Session {
    /// Says why people do not find each other: the node says it where one runs, since it knows its
    /// links; else what can be seen without one.
    /// - Returns: 1 where a check failed.
    func diagnose(_ arguments: Arguments) async throws -> Int32 {
        let port = try listenPort(arguments)
        let asked = try await askedDiagnosis()
        let diagnosis = if let asked { asked } else { try await ownDiagnosis(port) }
        terminal.write(
            options.isJSON ? diagnosis.jsonText() + "\n" : DiagnosisText.text(for: diagnosis))
        return DiagnosisText.hasFailure(diagnosis) ? 1 : 0
    }

    private func askedDiagnosis() async throws -> JSONValue? {
        let command = NodeCommands.declarations.first { $0.noun == "doctor" && $0.verb == "run" }
        guard let command else { return nil }
        do {
            let nothing = try Arguments(checking: [:], against: command)
            return try await withClient { try await $0.perform(command, nothing) }
        } catch CommandFault.notRunning(_) {
            return nil
        } catch HomeFault.noRuntimeDirectory {
            return nil
        }
    }

    private func ownDiagnosis(_ port: UInt16) async throws -> JSONValue {
        let doctor = Doctor(
            port: {
                port == 0
                    ? .notTried(reason: "No node runs; one with no --listen-port takes any port.")
                    : DoctorProbes.port(port)
            },
            skewMilliseconds: { nil },
            dialBack: { .notAsked(reason: "No node runs here that a peer could dial.") })
        return try JSONValue(parsing: JSONEncoder().encode(await doctor.examine()))
    }
}
