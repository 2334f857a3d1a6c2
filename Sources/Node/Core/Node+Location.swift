package import Location
internal import PluginHost
package import PluginKit

// The device's location: the chosen source is asked, and plugins receive its reports.
extension Node {
    /// The known location of this device.
    package var whereabouts: Whereabouts { location.whereabouts }

    /// Asks the last chosen receiver again, if there was one. A track is not resumed: the person
    /// who plays a track starts it.
    func startLocation() {
        guard let known = settings.receiver else { return }
        let source = LocationChoice.gpsd(host: known.host, port: known.port)
        listen(to: source, surroundings.receiver(known.host, known.port))
    }

    /// Switches to another source.
    /// - Throws: ``CommandFault`` if a file is not a track that can be played.
    package func choose(_ source: LocationChoice) async throws {
        switch source {
        case .hand:
            try settings.setReceiver(nil)
            listen(to: source, nil)
        case .gpsd(let host, let port):
            try settings.setReceiver(NodeSettings.Receiver(host: host, port: port))
            listen(to: source, surroundings.receiver(host, port))
        case .track(let path, let speed, let start):
            let recorded = try await ChosenFile.read(
                path, bytesMax: GPXTrack.bytesMax,
                parse: { bytes throws(GPXFault) in try GPXTrack(gpx: bytes) })
            try settings.setReceiver(nil)
            let clock = clock
            let playback = GPXPlayback(
                start.map(recorded.starting) ?? recorded, speed: speed,
                uptime: { clock.uptime }, sleep: { try await clock.sleep(for: $0) })
            listen(to: source, playback)
        }
    }

    /// Records a location set by hand; its age follows from its own time.
    package func setByHand(_ fix: Fix?) {
        let (now, wallTime) = (clock.uptime, clock.wallTime)
        location.setByHand(
            fix.map { fix in (fix, now - max(.zero, wallTime - (fix.at ?? wallTime))) })
        if location.source == .hand { tellWhereabouts() }
    }

    private func listen(to choice: LocationChoice, _ source: (any LocationSource)?) {
        location.turn(to: choice)
        let turn = location.turn
        if let source, !life.isStopping {
            location.follow(Task { await self.run(source, turn) })
        }
        tellWhereabouts()
    }

    private func run(_ source: any LocationSource, _ turn: UInt64) async {
        let clock = clock
        let persistent = PersistentSource(source) { try await clock.sleep(for: $0) }
        do {
            try await persistent.run(
                { await self.hear($0, turn) },
                away: { await self.hear(.away($0.sentence), turn) })
            hear(.ended, turn)
        } catch {
            hear(.failed("\(error)"), turn)
        }
    }

    private func hear(_ report: LocationReport, _ turn: UInt64) {
        guard turn == location.turn else { return }
        location.record(report, uptime: clock.uptime)
        tellWhereabouts()
    }

    private func hear(_ state: Whereabouts.State, _ turn: UInt64) {
        guard turn == location.turn, !life.isStopping else { return }
        location.state = state
        tellWhereabouts()
    }

    private func tellWhereabouts() { host.deliver(location.whereabouts) }
}
