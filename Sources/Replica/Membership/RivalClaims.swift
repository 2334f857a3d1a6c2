internal import Identity
internal import Records

/// The devices that several people claim, by all records that are known.
///
/// The result depends on the records alone, not on the order of their arrival, and a claim counts
/// after the device's removal too. So replicas with the same records agree at any time.
///
/// Example: Ann and Bob founded themselves on one device, and Ann's id is the lower one. In a group
/// of both the device's batches count for Ann. Then Ann removes the device: they count for Bob,
/// also those that are stored already. If Bob removes it too, they count for Ann again, and nobody
/// stores further ones.
struct RivalClaims {
    /// All people who claim a device.
    private(set) var people: [DeviceID: [PersonID]] = [:]
    /// The people for whom a device may count, in the order of preference: first those who list
    /// it, then those who founded themselves on it, then by id. Doubtful claims are left out, so a
    /// stolen and removed device cannot decide; nobody may be left.
    private(set) var candidates: [DeviceID: [PersonID]] = [:]

    init(among records: some Sequence<PersonRecord>) {
        var claims: [DeviceID: [Claim]] = [:]
        for record in records {
            for (device, claim) in record.claims {
                let isFounder = record.founding.firstDevice == device
                claims[device, default: []].append(
                    Claim(kind: claim, isFounder: isFounder, person: record.person))
            }
        }
        for (device, rivals) in claims where rivals.count > 1 {
            people[device] = rivals.map(\.person).sorted()
            candidates[device] =
                rivals.filter { $0.kind != .doubtful }.sorted(by: Claim.precedes).map(\.person)
        }
    }

    private struct Claim {
        let kind: DeviceClaim
        let isFounder: Bool
        let person: PersonID

        static func precedes(_ one: Claim, _ other: Claim) -> Bool {
            let (isOne, isOther) = (one.kind == .present, other.kind == .present)
            if isOne != isOther { return isOne }
            if one.isFounder != other.isFounder { return one.isFounder }
            return one.person < other.person
        }
    }
}
