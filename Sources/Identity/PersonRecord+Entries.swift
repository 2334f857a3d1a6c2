internal import Records

// The entries that a person's record keeps, and the devices that result from them.
extension PersonRecord {
    /// The levels of signers, most senior first: the recovery key, then the devices that each level
    /// lists.
    struct Levels {
        private(set) var signers: [[DeviceEntry.Signer]] = []
        /// The devices that are listed, of all levels.
        private(set) var listed: Set<DeviceID> = []

        init(_ entries: some Sequence<DeviceEntry>, founding: FoundingRecord) {
            let bySigner = Dictionary(grouping: entries, by: \.signer)
            var removed: Set<DeviceID> = []
            var added: Set<DeviceID> = [founding.firstDevice]
            var level: [DeviceEntry.Signer] = [.recovery]
            while !level.isEmpty {
                signers.append(level)
                let entries = level.flatMap { bySigner[$0] ?? [] }
                for entry in entries where !listed.contains(entry.device) {
                    if entry.kind == .add {
                        added.insert(entry.device)
                    } else {
                        removed.insert(entry.device)
                    }
                }
                added.subtract(removed)
                listed.formUnion(added)
                level = added.map { .device($0) }
                added = []
            }
        }

        /// Returns an entry of the level before a device's own that adds the device.
        func listing(
            _ device: DeviceID, among entries: [DeviceEntry]
        ) -> DeviceEntry? {
            guard let own = signers.firstIndex(where: { $0.contains(.device(device)) }), own > 0
            else { return nil }
            return entries.first {
                $0.kind == .add && $0.device == device && signers[own - 1].contains($0.signer)
            }
        }
    }

    /// Returns the entries that list a device: its addition, the addition of the device that signed
    /// it, and so on; none for the first device. Returns nil if the device is not listed.
    static func chain(
        to device: DeviceID, _ entries: [DeviceEntry], founding: FoundingRecord
    ) -> [DeviceEntry]? {
        let levels = Levels(entries, founding: founding)
        guard levels.listed.contains(device) else { return nil }
        var chain: [DeviceEntry] = []
        var next = device
        while next != founding.firstDevice {
            guard let entry = levels.listing(next, among: entries) else { return nil }
            chain.append(entry)
            guard case .device(let signer) = entry.signer else { break }
            next = signer
        }
        return chain
    }

    /// Returns the entries that a record keeps, in the canonical order and without duplicates.
    ///
    /// Drops entries if no entry of the set adds their signer: they have no effect, and any key can
    /// sign them. At most ``Limits/personDevicesMax`` of the others are kept.
    static func kept(_ entries: [DeviceEntry], founding: FoundingRecord) -> [DeviceEntry] {
        var kept = rooted(Set(entries), founding: founding)
        if kept.count > Limits.personDevicesMax {
            let first = mostSenior(kept, founding: founding).prefix(Limits.personDevicesMax)
            kept = rooted(Set(first), founding: founding)
        }
        return inOrder(Array(kept), founding: founding)
    }

    /// Returns entries in the canonical order: by the rank of their signer, then by their bytes.
    static func inOrder(_ entries: [DeviceEntry], founding: FoundingRecord) -> [DeviceEntry] {
        entries.map { (rank: rank($0, founding), bytes: $0.encoded, entry: $0) }
            .sorted { left, right in
                left.rank != right.rank
                    ? left.rank < right.rank : left.bytes.lexicographicallyPrecedes(right.bytes)
            }
            .map(\.entry)
    }

    /// Returns the entries of the recovery key, of the first device, and of devices that such
    /// entries add, whether or not they are removed.
    static func rooted(
        _ entries: Set<DeviceEntry>, founding: FoundingRecord
    ) -> Set<DeviceEntry> {
        let bySigner = Dictionary(grouping: entries, by: \.signer)
        var reached: Set<DeviceEntry.Signer> = [.recovery, .device(founding.firstDevice)]
        var next = Array(reached)
        var rooted: Set<DeviceEntry> = []
        while let signer = next.popLast() {
            for entry in bySigner[signer] ?? [] {
                rooted.insert(entry)
                guard entry.kind == .add else { continue }
                let added = DeviceEntry.Signer.device(entry.device)
                if reached.insert(added).inserted { next.append(added) }
            }
        }
        return rooted
    }

    /// Returns entries in the order in which a full record keeps them.
    ///
    /// The entries of the recovery key come first, then those of the devices that it and the
    /// founding list, then those of other listed devices, and last those of devices that are not
    /// listed any more. An entry of a junior device costs its index among its signer's entries, and
    /// as much as the entry that listed the signer; cheap entries come first. For example, a stolen
    /// phone signs 50 entries and the laptop one: the laptop's is the cheapest or the second.
    private static func mostSenior(
        _ entries: Set<DeviceEntry>, founding: FoundingRecord
    ) -> [DeviceEntry] {
        let levels = Levels(entries, founding: founding)
        var bySigner = Dictionary(grouping: entries, by: \.signer)
            .mapValues { inOrder($0, founding: founding) }
        var costs: [DeviceEntry.Signer: Int] = [:]
        var places: [Place] = []
        for (level, signers) in levels.signers.enumerated() {
            for signer in signers {
                let cost = level < 2 ? 0 : costs[signer] ?? 0
                for (index, entry) in (bySigner.removeValue(forKey: signer) ?? []).enumerated() {
                    places.append(Place(group: min(level, 2), cost: cost + index + 1, entry))
                    guard level >= 2, entry.kind == .add else { continue }
                    let added = DeviceEntry.Signer.device(entry.device)
                    costs[added] = min(costs[added] ?? .max, cost + index + 1)
                }
            }
        }
        for entries in bySigner.values {
            for (index, entry) in entries.enumerated() {
                places.append(Place(group: 3, cost: index + 1, entry))
            }
        }
        return places.sorted().map(\.entry)
    }

    /// An entry's place in a full record.
    private struct Place: Comparable {
        let group: Int
        let cost: Int
        let bytes: [UInt8]
        let entry: DeviceEntry

        init(group: Int, cost: Int, _ entry: DeviceEntry) {
            (self.group, self.cost) = (group, cost)
            (bytes, self.entry) = (entry.encoded, entry)
        }

        static func < (left: Place, right: Place) -> Bool {
            if left.group != right.group { return left.group < right.group }
            if left.cost != right.cost { return left.cost < right.cost }
            return left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }

    private static func rank(_ entry: DeviceEntry, _ founding: FoundingRecord) -> Int {
        switch entry.signer {
        case .recovery: 0
        case .device(founding.firstDevice): 1
        case .device: 2
        }
    }
}
