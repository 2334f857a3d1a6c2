internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica

// The room that neighbourhoods take on this device, for `status`.
extension Node {
    /// Returns what each joined neighbourhood takes, and the logs of which no more is read for now.
    func neighbourhoodUse() async -> (
        uses: [NodeStatus.Neighbourhood], waiting: [NodeStatus.OverAllowance]
    ) {
        var uses: [NodeStatus.Neighbourhood] = []
        var waiting: [NodeStatus.OverAllowance] = []
        for id in neighbourhoods.ids {
            guard case .open(let name)? = await replica.descriptor(of: id),
                let use = await replica.use(of: id, wallTime: clock.wallTime)
            else { continue }
            uses.append(
                NodeStatus.Neighbourhood(
                    id: Key(id), name: name, bytes: use.bytes, bytesMax: Limits.openSpaceBytesMax,
                    records: use.records, recordsMax: Limits.openSpaceRecordsMax,
                    unknownLogs: use.unknownLogs))
            waiting += use.overAllowance.map { over in
                NodeStatus.OverAllowance(
                    neighbourhood: Key(id), person: Key(over.person),
                    device: Key(over.log.device), untilMs: over.until)
            }
        }
        return (uses, waiting)
    }
}
