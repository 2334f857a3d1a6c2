import CommandLineKit
import ControlAPI
import ControlClient
import Dispatch
import Glibc
import Node
import NodeAPI
import PluginKit
import QRCode

extension Session {
    /// Shows a code until a device is added by it. Ctrl-C ends the code.
    /// - Throws: ``CommandFault`` with the reason that no device was added.
    func addDevice() async throws -> Int32 {
        try await withClient { client in
            let (signals, source) = AsyncThrowingStream.makeStream(of: AddingSignal.self)
            let interrupts = Self.interrupts { source.yield(.interrupted) }
            let following = Task {
                do {
                    for try await _ in client.events(topics: [
                        StatusEvents.changed.declaration.topic
                    ]) { source.yield(.changed) }
                    source.finish()
                } catch { source.finish(throwing: error) }
            }
            let ticking = Task {
                while (try? await SystemClock().sleep(for: .seconds(60))) != nil {
                    source.yield(.minute)
                }
            }
            defer {
                following.cancel()
                ticking.cancel()
                interrupts.cancel()
            }
            let code = try await client.call(PairingCommands.add)
            show(code)
            return try await follow(code, signals, client)
        }
    }

    /// Reports each step until the adding ends.
    private func follow(
        _ code: DevicePairing, _ signals: AsyncThrowingStream<AddingSignal, any Error>,
        _ client: ControlClient
    ) async throws -> Int32 {
        var last = code
        for try await signal in signals {
            if case .interrupted = signal {
                _ = try? await client.call(PairingCommands.cancel)
                throw CommandFault.failed("The code was ended, and no device was added.")
            }
            let report = try await client.call(PairingCommands.show)
            if case .minute = signal, report.stage == .open { tellTimeLeft(report) }
            guard report != last else { continue }
            last = report
            if options.isJSON { write(report) }
            switch report.stage {
            case .open where report.words != code.words, .none:
                throw CommandFault.conflict("Another code took the place of this one.")
            case .proven:
                tell(report.detail.string)
            case .added:
                tell(localized(addedSentence(report)))
                return 0
            case .ended: throw fault(of: report)
            default: break
            }
        }
        throw CommandFault.failed("Waggle has stopped, and so the code has ended.")
    }

    private func show(_ code: DevicePairing) {
        guard !options.isJSON else { return write(code) }
        let words = code.code
        let text: Sentence = """
            Another device becomes yours by this code, on the same network:

              \(words)

            There, open Waggle and choose 'I have used Waggle before', or run
            'waggle init --join \(words)' and then 'waggle node'.
            """
        tell(localized(text))
        let square = code.invitation.flatMap { QRCode($0.string) }
        if let square, terminal.width.map({ $0 >= square.width + 2 * QRCode.marginCount }) ?? true {
            terminal.write("\n" + square.halfBlocks + "\n\n")
        }
        tell(localized("The code is valid for 5 minutes and for one device. Ctrl-C ends it."))
    }

    private func tellTimeLeft(_ report: DevicePairing) {
        guard !options.isJSON, let end = report.endsMs else { return }
        let minutes = max(1, Int(((end - SystemClock().wallTime).components.seconds + 59) / 60))
        tell(
            localized(
                Sentence(
                    count: minutes, one: "The code is valid for 1 more minute.",
                    other: "The code is valid for \(minutes) more minutes.")))
    }

    private func addedSentence(_ report: DevicePairing) -> Sentence {
        report.name.map {
            "\($0.string) is one of your devices now. It receives everything: leave both running."
        } ?? "The device is one of yours now. It receives everything: leave both running."
    }

    /// The reason that no device was added, as a fault with its exit code.
    private func fault(of report: DevicePairing) -> CommandFault {
        let isOver = report.endedBy == .expired
        return isOver ? .timedOut(report.detail.sentence) : .refused(report.detail.sentence)
    }

    private func tell(_ text: String) {
        if !options.isJSON { terminal.write(text + "\n") }
    }

    /// Calls a function at each Ctrl-C, which then does not end the process.
    private static func interrupts(
        _ report: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler(handler: report)
        source.resume()
        return source
    }
}

/// An event while a code is shown.
private enum AddingSignal: Sendable {
    case changed, minute, interrupted
}
