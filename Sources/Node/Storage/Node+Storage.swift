internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica

// The limits of what is stored: the commands, and the notices when one is reached.
extension Node {
    /// Answers `storage show`.
    func storage() async throws -> Storage {
        do {
            return Storage(await replica.storage(), try await replica.contentUse())
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }

    /// Answers `storage set`.
    func setStorage(_ request: StorageLimits) async throws -> Storage {
        var quota = settings.quota
        if let author = request.authorMebibytes { quota.authorBytesMax = author.value << 20 }
        if let total = request.totalMebibytes { quota.totalBytesMax = total.value << 20 }
        if let free = request.freeMebibytes { quota.freeBytesMin = free.value << 20 }
        if let photos = request.photoMebibytes { quota.fetchedBytesMax = photos.value << 20 }
        try settings.setQuota(quota)
        await replica.setQuota(quota)
        await recordFullness()
        return try await storage()
    }

    /// Tells the person of limits that are reached, and ends the notice of a limit once there is
    /// clearly room. See ``ReachedLimits``.
    func recordFullness() async {
        let report = await replica.storage()
        let full = Dictionary(
            report.full.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        for (reference, one) in health.toldFull where full[reference] == nil {
            guard await hasClearRoom(one, report) else { continue }
            health.toldFull[reference] = nil
            notices.remove(.full, about: reference)
            do {
                try await host.core?.settleInbox(reference: reference)
            } catch {
                logger.error("a notice stays in the inbox", metadata: ["why": "\(error)"])
            }
        }
        for (reference, one) in full.sorted(by: { $0.key < $1.key })
        where health.toldFull[reference] == nil {
            guard health.reached.permitNotice(about: reference, now: clock.uptime) else { continue }
            health.toldFull[reference] = one
            await tell(.full, about: reference, await sentence(about: one, report.quota))
        }
    }

    /// Whether a limit that was reached is not reached any more, and will not be soon.
    private func hasClearRoom(_ full: StorageReport.Full, _ report: StorageReport) async -> Bool {
        switch full.limit {
        case .author:
            let used = await replica.storedBytes(of: full.share)
            return used?.hasClearRoom(under: report.quota.authorBytesMax) ?? true
        case .total: return report.usedBytes.hasClearRoom(under: report.quota.totalBytesMax)
        case .disk:
            let needed = report.quota.freeBytesMin
            return report.freeBytes.map {
                $0 >= needed + needed / 100 * ReachedLimits.clearRoomPercent
            } ?? true
        }
    }

    private func sentence(
        about full: StorageReport.Full, _ quota: StorageQuota
    ) async -> Sentence {
        switch full.limit {
        case .author:
            let name = await name(of: full.share.person)
            let mebibytes = quota.authorBytesMax.mebibytes
            if let title = await title(of: full.share) {
                return "What \(name) wrote in \(title) has reached the limit of \(mebibytes); no "
                    + "more of it is stored until \(name) erases some of it, or you raise the "
                    + "limit with 'waggle storage set'."
            }
            return "What \(name) wrote \(await place(of: full.share)) has reached the limit of "
                + "\(mebibytes); no more of it is stored until \(name) erases some of it, or you "
                + "raise the limit with 'waggle storage set'."
        case .total:
            return "What people wrote has reached the limit of \(quota.totalBytesMax.mebibytes); "
                + "nothing more from others is stored until something is erased, or you raise the "
                + "limit with 'waggle storage set'."
        case .disk:
            return "Less than \(quota.freeBytesMin.mebibytes) is free on this device's disk; "
                + "nothing more from others is stored until there is room, or you lower the limit "
                + "with 'waggle storage set'."
        }
    }

    /// Returns a person's name, or the end of their key.
    func name(of person: PersonID) async -> Sentence {
        let names = try? await host.core?.names()
        return names?[person].map(Sentence.init(verbatim:)) ?? "person \(person.suffix)"
    }

    /// Returns the title of the group in which a person wrote; nil if it is no group, or has none.
    private func title(of share: SpaceShare) async -> String? {
        guard await replica.descriptor(of: share.space)?.kind == .group else { return nil }
        let title = try? await host.title(of: share.space, readingFrom: self)
        return title.map { String($0.prefix(Node.titleLettersMax)) }
    }

    private func place(of share: SpaceShare) async -> Sentence {
        switch await replica.descriptor(of: share.space)?.kind {
        case .card: return "on their card"
        case .pair: return "to you"
        case .group: return "in the group \(share.space.suffix)"
        case .own, .open, nil: return "in the space \(share.space.suffix)"
        }
    }

    /// The letters of a group's name that a notice shows.
    private static let titleLettersMax = 60
}

extension StorageReport.Full {
    /// The subject of the notice: the author and the space, or the limit if it concerns all.
    fileprivate var reference: String {
        switch limit {
        case .author: "\(share.space)\(share.person)"
        case .total: "total"
        case .disk: "disk"
        }
    }
}

extension Int {
    /// The number of bytes in mebibytes.
    fileprivate var mebibytes: String { "\(self >> 20) MiB" }
}

extension Storage {
    /// Creates the command's answer from what the replica reports.
    init(_ report: StorageReport, _ content: ContentUse) {
        self.init(
            usedBytes: report.usedBytes, freeBytes: report.freeBytes,
            authorBytesMax: report.quota.authorBytesMax,
            totalBytesMax: report.quota.totalBytesMax, freeBytesMin: report.quota.freeBytesMin,
            photos: Photos(
                files: content.filesCount, bytes: content.bytesCount,
                evictableBytes: content.evictableBytes,
                evictableBytesMax: report.quota.fetchedBytesMax,
                arrivingBytes: content.arrivingBytes,
                arrivingBytesMax: report.quota.arrivingBytesMax),
            full: report.full.map { full in
                Full(
                    space: Key(full.share.space), person: Key(full.share.person),
                    limit: .init(full.limit), usedBytes: full.usedBytes)
            })
    }
}

extension Storage.Full.Limit {
    /// Creates the limit that is reached.
    init(_ limit: StorageQuota.Limit) {
        switch limit {
        case .author: self = .author
        case .total: self = .total
        case .disk: self = .disk
        }
    }
}
