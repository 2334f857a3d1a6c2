public import Records

/// One person's part of one space.
public struct SpaceShare: Hashable, Sendable {
    /// The space.
    public let space: SpaceID
    /// The author.
    public let person: PersonID
}

/// The room for batches during one transaction: decides which runs are stored.
///
/// The owner's own batches are refused only if the reserve is used up.
struct StorageRoom {
    let quota: StorageQuota
    /// The person of this replica's own device.
    private let own: PersonID?
    /// The bytes of all batches of all spaces.
    private(set) var totalBytes: Int
    /// The bytes that are free on the disk; nil if that is not known.
    private(set) var freeBytes: Int?
    /// The refused runs that may still not fit.
    private(set) var refusals: StorageRefusals
    /// The bytes that each person's batches took of the reserve since there was room for them.
    private(set) var reserved: [PersonID: Int]
    /// The people whose room is used by everybody in groups that this replica's person has not
    /// joined.
    let inviters: [SpaceID: PersonID]
    /// The bytes of these groups.
    private var invitedBytes: [SpaceID: Int]

    init(
        quota: StorageQuota, own: PersonID?, totalBytes: Int, freeBytes: Int?,
        reserved: [PersonID: Int], refusals: StorageRefusals, inviters: [SpaceID: PersonID],
        invitedBytes: [SpaceID: Int]
    ) {
        (self.inviters, self.invitedBytes) = (inviters, invitedBytes)
        self.quota = quota
        self.own = own
        self.totalBytes = totalBytes
        self.freeBytes = freeBytes
        self.reserved = reserved
        self.refusals = refusals
    }

    /// The bytes that a run needs.
    struct Need {
        /// The bytes of batches of every kind.
        var bytes = 0
        /// The part of it that may use the reserve.
        var reservedBytes = 0
        /// The bytes of the bodies that the run erases.
        var freedBytes = 0

        /// The bytes by which the replica grows without the part that may use the reserve.
        var plainGrowth: Int { bytes - reservedBytes - freedBytes }
        var growth: Int { bytes - freedBytes }
    }

    /// Decides whether a run is stored, and records it if not.
    /// - Parameter used: the bytes that count towards the author's limit in the space.
    mutating func admit(_ need: Need, of share: SpaceShare, used: Int) -> Bool {
        guard let limit = limit(for: need, of: share, used: used) else { return true }
        refusals.insert(share, limit, need)
        return false
    }

    /// Returns the bytes that count towards a person's limit in a space: those of their batches, or
    /// those of all groups of one inviter.
    func used(by person: PersonID, in space: SpaceState) -> Int {
        guard let inviter = inviters[space.id] else { return space.bytesByPerson[person] ?? 0 }
        let others = inviters.lazy.filter { $0.value == inviter && $0.key != space.id }
        return others.reduce(space.storedBytes) { $0 + (invitedBytes[$1.key] ?? 0) }
    }

    /// Whether there is room for a run that was refused.
    /// - Parameter used: the bytes that count towards its author's limit in its space.
    func fits(_ refusal: StorageRefusals.Refusal, used: Int) -> Bool {
        switch refusal.limit {
        case .author: used + refusal.bytes <= quota.authorBytesMax
        case .total: totalBytes + refusal.bytes <= quota.totalBytesMax
        case .disk: freeBytes.map { $0 - refusal.bytes >= quota.freeBytesMin } ?? true
        }
    }

    /// Whether a run of at least so many bytes needs no check, because an equal or smaller run by
    /// the same author was already refused.
    func isKnownFull(for bytes: Int, of share: SpaceShare, used: Int) -> Bool {
        guard let refusal = refusals.byShare[share], bytes >= refusal.bytes else { return false }
        return !fits(refusal, used: used)
    }

    /// Returns the first limit that a run would pass, or nil if there is room for it.
    private mutating func limit(
        for need: Need, of share: SpaceShare, used: Int
    ) -> StorageQuota.Limit? {
        if let freeBytes, freeBytes - need.growth < reserveFreeBytes { return .disk }
        guard share.person != own else { return nil }
        let person = inviters[share.space] ?? share.person
        // A person may be above the limit: by the reserve, or because the limit was lowered.
        guard need.plainGrowth <= 0 || used + need.plainGrowth <= quota.authorBytesMax,
            need.growth <= 0
                || used + need.growth <= quota.authorBytesMax + Limits.reservedBytesMax
        else { return .author }
        guard need.growth > 0 else { return nil }
        let isTotal = totalBytes + need.growth > quota.totalBytesMax
        let isDisk = freeBytes.map { $0 - need.growth < quota.freeBytesMin } ?? false
        guard isTotal || isDisk else {
            reserved[person] = nil
            return nil
        }
        let usedReserve = reserved[person, default: 0] + need.reservedBytes
        let usedReserveTotal = reserved.values.reduce(need.reservedBytes, +)
        guard need.plainGrowth <= 0, usedReserve <= Limits.reservedBytesMax,
            usedReserveTotal <= Limits.reservedTotalBytesMax
        else {
            return isTotal ? .total : .disk
        }
        reserved[person] = usedReserve
        return nil
    }

    /// The bytes that stay free whatever is stored.
    private var reserveFreeBytes: Int { min(Limits.reserveFreeBytesMin, quota.freeBytesMin) }

    /// Records by how much a space has grown.
    mutating func record(growth: Int, in space: SpaceID) {
        totalBytes += growth
        invitedBytes[space]? += growth
        freeBytes = freeBytes.map { $0 - growth }
    }
}

/// The runs that were refused for lack of room, by author and space.
struct StorageRefusals {
    /// One refusal.
    struct Refusal {
        let limit: StorageQuota.Limit
        /// The bytes that the refused run needs.
        let bytes: Int
    }

    /// The latest refusal of each author and space.
    private(set) var byShare: [SpaceShare: Refusal] = [:]
    /// Whether any was added since the transaction began.
    private(set) var hasNew = false

    /// Records a refusal.
    mutating func insert(
        _ share: SpaceShare, _ limit: StorageQuota.Limit, _ need: StorageRoom.Need
    ) {
        byShare[share] = Refusal(limit: limit, bytes: max(0, need.plainGrowth))
        hasNew = true
    }

    /// Forgets the refusals of runs for which there is room now.
    mutating func removeAll(where isOver: (SpaceShare, Refusal) -> Bool) {
        byShare = byShare.filter { !isOver($0.key, $0.value) }
        hasNew = false
    }
}
