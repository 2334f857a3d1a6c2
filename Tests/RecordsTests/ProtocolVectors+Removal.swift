import Identity
import Records

// Sections 4 and 8: a device that its person removed.
extension ProtocolVectors {
    private var third: DeviceKey {
        get throws { try DeviceKey(rawRepresentation: [UInt8](repeating: 4, count: 32)) }
    }

    /// The first device removes the second, which had added the third.
    private var record: PersonRecord {
        get throws {
            let person = founding.person
            return try PersonRecord(
                founding: founding, firstDevice: first,
                entries: [
                    .adding(DeviceConsent(of: second, to: person), by: first),
                    .adding(DeviceConsent(of: third, to: person), by: second),
                ]
            ).removing(second.id, by: first)
        }
    }

    private var named: LogHead {
        LogHead(log: LogName(device: second.id), number: 3, hash: BatchHash(raw: filled32(0x0f)))
    }

    private func fact(
        _ device: DeviceID, _ number: UInt64, at milliseconds: Int64, cutting heads: [LogHead]
    ) -> ControlFact {
        ControlFact(
            author: founding.person,
            batch: BatchName(
                log: LogName(device: device), number: number, hash: BatchHash(raw: filled32(1))),
            stamp: Stamp(Timestamp(milliseconds: milliseconds)), index: 0,
            action: .cut(founding.person, heads))
    }

    private var reaches: [UInt8] {
        get throws {
            let unknown = BatchHash(raw: filled32(0x0e))
            let theft = [
                LogHead(log: LogName(device: first.id), number: 1, hash: unknown),
                LogHead(log: LogName(device: second.id), number: 900, hash: unknown),
            ]
            let membership = Membership(
                of: .own(founding.person),
                facts: [
                    fact(second.id, 3, at: 3, cutting: theft),
                    fact(first.id, 5, at: 9, cutting: [named]),
                ],
                tree: LogTree(places: [named: named.log]),
                removed: [founding.person: [second.id, try third.id]])
            var bytes: [UInt8] = []
            for device in [second.id, first.id, try third.id] {
                bytes.append(
                    bigEndian: membership.reach(
                        of: LogName(device: device), by: founding.person))
            }
            return bytes
        }
    }

    var removals: [String: [UInt8]] {
        get throws {
            let unseen = LogHead(log: LogName(device: second.id), number: 1, hash: .none)
            return [
                "person-record.removed": try record.encoded,
                "body.cut-removed": body(cutting: named),
                "body.cut-unseen": body(cutting: unseen),
                "reach.removed": try reaches,
            ]
        }
    }

    private func body(cutting head: LogHead) -> [UInt8] {
        BatchBody([Operation(control: .cut(founding.person, [head]))]).encoded
    }
}
