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
    func diagnose(_ request: Diagnose) async throws -> Int32 {
        let asked = try await askedDiagnosis()
        let port = UInt16(request.listenPort?.value ?? 0)
        let diagnosis = if let asked { asked } else { await ownDiagnosis(port) }
        if options.isJSON {
            write(diagnosis)
        } else {
            terminal.write(DiagnosisText.text(for: diagnosis))
        }
        return diagnosis.firstFailure == nil ? 0 : 1
    }

    private func askedDiagnosis() async throws -> NodeDiagnosis? {
        do {
            return try await withClient { client in
                try await client.perform(
                    NodeCommands.diagnose.declaration, Arguments(NoParameters())
                ).decoded()
            }
        } catch CommandFault.notRunning(_) {
            return nil
        } catch HomeFault.noRuntimeDirectory {
            return nil
        }
    }

    private func ownDiagnosis(_ port: UInt16) async -> NodeDiagnosis {
        let doctor = Doctor(
            port: {
                port == 0
                    ? .notTried(
                        reason: "Waggle is not running. Without --listen-port it uses any free "
                            + "port.")
                    : DoctorProbes.port(port)
            },
            clocks: { nil },
            dialBack: {
                .notAsked(
                    reason: "Waggle is not running here, so no device can connect to it.")
            })
        return NodeDiagnosis(await doctor.examine())
    }
}
