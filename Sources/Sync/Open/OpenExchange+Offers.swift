internal import Records

// Offers of peers, and what this side tells them.
extension OpenExchange {
    /// Processes logs that a peer offers.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` if its pages have no end or go back.
    mutating func receive(
        _ offer: Offer, from device: DeviceID, now: Duration
    ) throws(SyncFault) -> [Effect] {
        guard var link = links[device], link.remoteDigest != nil else { return [] }
        switch offer.part {
        case .changes:
            link.remoteDigest = offer.digest
            let cost = max(offer.logs.count, OpenLimits.offerMessageLogs)
            guard link.allowances.reading.permit(cost, now: now) else {
                link.isTruncated = true
                links[device] = link
                return []
            }
        case .page, .lastPage:
            guard case .page(let last)? = link.asked.first?.subject else {
                return [.refused(device)]
            }
            try link.recordPage(offer, after: last)
        }
        links[device] = link
        remember(offer.logs, of: device)
        return pump(now: now)
    }

    /// Remembers what is missing here of logs that a peer offers.
    private mutating func remember(_ logs: [OfferedLog], of device: DeviceID) {
        guard var link = detach(device) else { return }
        var dropped: [LogName] = []
        for offered in logs {
            if let own = book[offered.log], offered.covers(own) {
                link.untold.remove(offered.log)
            }
            if position(for: offered) == nil {
                if link.missing[offered.log] != nil { dropped.append(offered.log) }
                link.missing.remove(offered.log)
            } else if link.isFull, isUnknown(offered.log) {
                link.isTruncated = true
            } else if !insert(offered, into: &link) {
                link.isTruncated = true
                dropped += link.forgetPostponed()
                if isRetained(offered.log), link.missing.roomCount == 0,
                    let last = link.missing.forgetLast()
                {
                    dropped.append(last)
                }
                _ = insert(offered, into: &link)
            }
        }
        links[device] = link
        for log in dropped { offerElsewhere(log) }
    }

    private func insert(_ offered: OfferedLog, into link: inout OpenLink) -> Bool {
        link.missing.insert(offered, ofKnown: isRetained(offered.log))
    }

    /// Tells a peer what changed, if it is time.
    mutating func tell(_ device: DeviceID, now: Duration) -> Effect? {
        guard let due = links[device]?.tellingDue, due <= now, var link = detach(device) else {
            return nil
        }
        defer { links[device] = link }
        guard link.remoteDigest != nil else {
            // It is told when it names the space.
            link.tellingDue = nil
            return nil
        }
        let named = link.untold.sorted().prefix(Limits.vectorLogsMax)
        let logs = named.compactMap { book[$0] }
        let cost = max(logs.count, OpenLimits.offerMessageLogs)
        guard link.allowances.telling.permit(cost, now: now) else {
            link.tellingDue = now + .seconds(1)
            return nil
        }
        link.untold.subtract(named)
        link.toldDigest = book.digest
        link.tellingDue = link.untold.isEmpty ? nil : now + OpenLimits.tellingPause
        return .send(
            device,
            .offer(
                Offer(channel: link.channel, digest: book.digest, part: .changes, logs: logs)))
    }
}

extension OpenLink {
    /// Records the answer to the oldest question, which was for a page.
    fileprivate mutating func recordPage(_ offer: Offer, after last: LogName?) throws(SyncFault) {
        if let last, let first = offer.logs.first, !(last < first.log) {
            throw .unexpectedMessage("a page of an offer that goes back")
        }
        scannedCount += offer.logs.count
        guard scannedCount <= OpenLimits.scannedLogsMax else {
            throw .unexpectedMessage("an offer without end")
        }
        asked.removeFirst()
        remoteDigest = offer.digest
        let cost = max(offer.logs.count, OpenLimits.offerMessageLogs)
        allowances.reading.refund(Limits.vectorLogsMax - cost)
        if offer.part == .page, let end = offer.logs.last?.log {
            scan = .due(after: end)
        } else {
            scan = .idle
        }
    }

    mutating func countFailure() { failures = min(failures + 1, 16) }
    mutating func countSuccess() { failures = max(failures - 1, 0) }
}
