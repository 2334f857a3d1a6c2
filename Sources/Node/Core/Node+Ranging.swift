internal import Logging
internal import PluginHost
package import PluginKit
internal import Records

// Measured distances and directions: the chosen provider runs while a plugin asks, and the plugins
// that ask receive its measurements.
extension Node {
    /// The provider of measurements and its state.
    package var rangingProvider: RangingProvider { ranging.provider }

    /// Returns the newest measurement of each linked device.
    package func measurements() -> [DeviceID: RangeMeasurement] {
        ranging.table.measurements(now: clock.uptime)
    }

    /// Asks for measurements on behalf of a plugin.
    package func measure(for duration: Duration, askedBy plugin: String) {
        ranging.questions.ask(plugin, for: duration, now: clock.uptime)
        continueRanging()
    }

    /// Switches to another provider.
    /// - Throws: ``CommandFault`` if a file is no recording, or if this device has no provider of
    ///   its own.
    package func choose(_ choice: RangingChoice) async throws {
        let source = try await rangingSource(choice)
        ranging.turn(to: choice, source)
        continueRanging()
    }

    private func rangingSource(_ choice: RangingChoice) async throws -> (any RangingSource)? {
        let (clock, device) = (clock, device)
        switch choice {
        case .off: return nil
        case .device:
            guard let source = surroundings.ranging else {
                throw CommandFault.refused("This device has no radio that measures distances.")
            }
            return source
        case .recorded(let path):
            return try await ChosenFile.read(
                path, bytesMax: RangingLimits.fileBytesMax,
                parse: { bytes throws(RangingFileFault) in
                    try RecordedRanging(
                        lines: bytes, uptime: { clock.uptime },
                        sleep: { try await clock.sleep(for: $0) })
                })
        case .simulated(let path):
            return try await ChosenFile.read(
                path, bytesMax: RangingLimits.fileBytesMax,
                parse: { bytes throws(RangingFileFault) in
                    try SimulatedRanging(
                        lines: bytes, me: device, uptime: { clock.uptime },
                        sleep: { try await clock.sleep(for: $0) })
                })
        }
    }

    /// Chooses this device's own provider at the start, if there is one.
    func startRanging() {
        guard let source = surroundings.ranging else { return }
        ranging.turn(to: .device, source)
    }

    /// Starts the provider if a plugin asks for measurements, and stops it if none does. Called
    /// once a second and after each question.
    func continueRanging() {
        guard !life.isStopping, ranging.questions.isAnybodyAsking(now: clock.uptime) else {
            return ranging.stop()
        }
        guard let source = ranging.waiting else { return }
        let changes = ranging.begin()
        let turn = ranging.turn
        ranging.follow(Task { await self.run(source, changes, turn) })
    }

    private func run(
        _ source: any RangingSource, _ changes: AsyncStream<RangingChange>, _ turn: UInt64
    ) async {
        do {
            try await source.run(changes) { await self.receive($0, turn) }
            finishRanging(as: .ended, turn)
        } catch {
            let reason =
                (error as? any SentenceError)?.sentence
                ?? Sentence(verbatim: String(describing: error))
            finishRanging(as: .failed(reason), turn)
        }
    }

    private func finishRanging(as state: RangingProvider.State, _ turn: UInt64) {
        // A run that was stopped is over already.
        if turn == ranging.turn { ranging.finish(as: state) }
    }

    private func receive(_ news: RangingNews, _ turn: UInt64) {
        guard turn == ranging.turn else { return }
        switch news {
        case .measured(let report):
            let now = clock.uptime
            guard let measurement = ranging.receive(report, now: now) else { return }
            host.deliver(measurement, to: ranging.questions.asking(now: now))
        case .token(let token, let device):
            guard ranging.table.admits(token, of: device) else { return }
            do { try sendDirect(ManifestCheck.rangingTopic, token, to: device) } catch {
                logger.debug("a token for ranging was not sent", metadata: ["why": "\(error)"])
            }
        }
    }
}
