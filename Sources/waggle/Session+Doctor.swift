import CommandLineKit
import ControlAPI
import ControlClient
import Discovery
import Foundation
import Node
import NodeAPI
import PluginKit

extension Session {
    /// Reports why people do not find each other. A running node makes the report, since it knows
    /// its links. Without one, this process reports what it can check itself.
    /// - Returns: 1 if a check failed.
    func diagnose(_ arguments: Arguments) async throws -> Int32 {
        let port = try listenPort(arguments)
        let asked = try await askedDiagnosis()
        let diagnosis = if let asked { asked } else { try await ownDiagnosis(port) }
        terminal.write(
            options.isJSON ? diagnosis.jsonText() + "\n" : DiagnosisText.text(for: diagnosis))
        return DiagnosisText.hasFailure(diagnosis) ? 1 : 0
    }

    private func askedDiagnosis() async throws -> JSONValue? {
        do {
            return try await withClient { client in
                try await client.perform(
                    NodeCommands.diagnose.declaration, Arguments(NoParameters()))
            }
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
                    ? .notTried(
                        reason: "No node runs. Without --listen-port, a node uses any free port.")
                    : DoctorProbes.port(port)
            },
            skew: { nil },
            dialBack: { .notAsked(reason: "No node is running here for a peer to dial.") })
        return JSONValue(encoding: NodeDiagnosis(await doctor.examine()))
    }
}
