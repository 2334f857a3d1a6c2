internal import Links
internal import Logging
internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Merging of the batches that a peer sent.
extension Node {
    /// Merges a peer's runs; they are on the disk before they are acknowledged.
    func merge(_ runs: [(space: SpaceID, run: Run)], from device: DeviceID) async {
        let runs = await permitted(runs)
        guard !runs.isEmpty else { return }
        for (space, run) in runs { await mend(with: run, in: space) }
        do {
            let outcome = try await replica.merge(
                runs.map { ($0.space, $0.run) }, wallTime: clock.wallTime)
            burst.record(batchesCount: outcome.commits.count)
            // Callers wait to see the new records; the acknowledgement can be sent afterwards.
            recordProofs(outcome.stored)
            await deliver(outcome.commits)
            for (index, (space, run)) in runs.enumerated() {
                if let fault = outcome.faults[index] {
                    refuse(fault, run, in: space, from: device)
                } else if !goesOn(runs[index], among: runs, after: index, outcome) {
                    await stored(run, endingAt: outcome.heads[index], in: space, from: device)
                }
            }
            if outcome.stored.contains(where: { $0.log.device == self.device }) {
                await recordOwnBatches()
            }
            if outcome.stored.contains(where: { $0.log.branch != .main }) { await recordForks() }
            let grown = outcome.commits.map(\.space) + outcome.stored.map(\.space)
            for space in Set(grown).sorted() { await advance(space) }
        } catch {
            logger.error("batches could not be stored", metadata: ["why": "\(error)"])
            events.publish(StatusEvents.changed, StatusChange(problem: "\(error)"))
            // The peer will not send them again on this link; a new link starts from the beginning.
            links[device]?.link.close(because: .refused)
        }
    }

    /// Whether a later accepted run continues a run's log, so that one acknowledgement covers both.
    private func goesOn(
        _ one: (space: SpaceID, run: Run), among runs: [(space: SpaceID, run: Run)],
        after index: Int, _ outcome: MergeOutcome
    ) -> Bool {
        runs.indices.dropFirst(index + 1).contains { later in
            runs[later].space == one.space && runs[later].run.log == one.run.log
                && outcome.faults[later] == nil
        }
    }

    /// Acknowledges a run that is on the disk, with all logs of its author, since its batches may
    /// now belong to another branch.
    /// - Parameter head: the last batch here of the log that contains the run.
    private func stored(
        _ run: Run, endingAt head: LogHead?, in space: SpaceID, from device: DeviceID
    ) async {
        let logs = await replica.heads(in: space).filter { $0.log.device == run.log.device }
        guard var active = links[device] else { return }
        let received = [head].compactMap(\.self).filter { $0.number == run.lastNumber }
        let effects = active.session.stored(logs, received: received.map(LogReach.init), in: space)
        links[device] = active
        queue(effects, on: device)
    }

    private func refuse(
        _ fault: BatchFault, _ run: Run, in space: SpaceID, from device: DeviceID
    ) {
        guard var active = links[device] else { return }
        switch fault {
        // A peer that forwards a removed member's batches may not know of the removal yet.
        case .beyondCut: return
        // The cut that names the batches may be on its way, behind them or over another link.
        case .notEnded:
            let effects = active.session.missing(in: space)
            links[device] = active
            queue(effects, on: device)
            return endUnknownLog(run.log, in: space)
        // The peer's clock may be ahead of this one.
        case .tooFarAhead: return
        // The records that its author changed may come from another device.
        case .tooManyWaiting: return
        // The same batches are stored when they come again after a pause.
        case .tooSoon: return
        // The group was closed here while the batches were on their way.
        case .unknownSpace: return
        // Nothing is acknowledged, so the peer keeps them and sends them again after a pause.
        case .noRoom: return
        // The peer may not know of the sides that are kept instead, and a device that was restored
        // five times sends five sides of its own log in good faith.
        case .forked:
            let effects = active.session.refusedSide(of: run.log.device, in: space)
            links[device] = active
            return queue(effects, on: device)
        default: break
        }
        if case .gap = fault {
            let effects = active.session.missing(in: space)
            links[device] = active
            return queue(effects, on: device)
        }
        countFault(of: device, "\(fault)")
    }

    /// Counts batches of a peer that were refused, and ends the link after too many.
    func countFault(of device: DeviceID, _ why: String) {
        logger.warning(
            "batches were refused", metadata: ["device": "\(device.suffix)", "why": "\(why)"])
        links[device]?.faultsCount += 1
        guard let active = links[device] else { return }
        if active.faultsCount >= ActiveLink.faultsMax {
            links[device]?.trouble = ConnectionTrouble(SyncFault.tooManyFaults)
            leave(active, .fault, because: .refused)
        }
    }
}
