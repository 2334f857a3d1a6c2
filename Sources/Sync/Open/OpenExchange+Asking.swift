public import Records

// Questions to peers, and their answers.
extension OpenExchange {
    /// Asks a link for the next page or piece, if one is wanted and may be asked for.
    mutating func nextQuestion(to device: DeviceID, now: Duration) -> Effect? {
        guard links[device]?.hasRoomToAsk ?? false, var link = detach(device) else { return nil }
        defer { links[device] = link }
        if let question = nextPage(&link, now: now) {
            return ask(question, &link, device, spending: 0, now: now)
        }
        guard underWay.count < OpenLimits.piecesAtOnceMax, link.allowances.mayAsk(now: now) else {
            return nil
        }
        while let offer = link.missing.next() {
            guard let position = mayAsk(for: offer, &link, device, now: now) else { continue }
            let piece = LogAsk(
                log: offer.log, position: position, bytesMax: Limits.passedBytesMax)
            underWay[offer.log] = UnderWay(device: device, high: offer.high)
            link.allowances.pieces.spend(1, now: now)
            link.allowances.bytes.spend(piece.bytesMax, now: now)
            let question = OpenQuestion.Subject.piece(
                piece, isRecordWanted: book[offer.log] == nil)
            return ask(question, &link, device, spending: piece.bytesMax, now: now)
        }
        return nil
    }

    /// Takes the state of a link out, so that changing it copies nothing. Put it back.
    mutating func detach(_ device: DeviceID) -> OpenLink? { links.removeValue(forKey: device) }

    private func ask(
        _ subject: OpenQuestion.Subject, _ link: inout OpenLink, _ device: DeviceID,
        spending bytes: Int, now: Duration
    ) -> Effect {
        link.asked.append(
            OpenLink.Asked(
                subject: subject, deadline: now + OpenLimits.answerMax, spentBytes: bytes))
        return .send(device, .ask(OpenQuestion(channel: link.channel, subject: subject)))
    }

    /// Returns the question for the next page, if there is room for what it may name.
    private mutating func nextPage(_ link: inout OpenLink, now: Duration) -> OpenQuestion.Subject? {
        if link.scan == .idle, link.isTruncated, !link.isFull, link.nextScan <= now {
            link.beginScan()
            link.nextScan = now + link.scanPause
            link.scanPause = min(link.scanPause * 2, OpenLimits.scanPauseMax)
        }
        if let due = link.rescanDue, due <= now { link.beginScan() }
        guard case .due(let log) = link.scan else { return nil }
        if link.missing.roomCount < Limits.vectorLogsMax {
            for log in link.forgetPostponed() { offerElsewhere(log) }
        }
        guard link.missing.roomCount >= Limits.vectorLogsMax,
            link.allowances.reading.permit(Limits.vectorLogsMax, now: now)
        else { return nil }
        link.scan = .asked
        return .page(after: log)
    }

    /// Returns what to ask this link for of a log; nil if nothing, now.
    private mutating func mayAsk(
        for offer: OfferedLog, _ link: inout OpenLink, _ device: DeviceID, now: Duration
    ) -> LogAsk.Position? {
        guard let position = position(for: offer) else {
            link.missing.remove(offer.log)
            return nil
        }
        // It is offered to the queues again when that piece is stored or refused.
        guard underWay[offer.log] == nil else { return nil }
        if let wait = waits[offer.log] {
            if wait.until > now, wait.isAllowance || offer.high <= wait.high {
                link.missing.postpone(
                    offer.log, until: wait.until, isFirm: wait.isAllowance)
                return nil
            }
            waits.remove(offer.log)
        }
        if link.isFull, isUnknown(offer.log) {
            link.missing.remove(offer.log)
            link.isTruncated = true
            // Another link may have left it to this one.
            offerElsewhere(offer.log)
            return nil
        }
        guard isLeftToOthers(offer.log, link, device, now: now) else { return position }
        link.missing.leave(offer.log, until: now + OpenLimits.answerMax)
        return nil
    }

    /// Whether another link, that answered better, is about to be asked for a log.
    private func isLeftToOthers(
        _ log: LogName, _ link: OpenLink, _ device: DeviceID, now: Duration
    ) -> Bool {
        guard link.failures > 0 else { return false }
        return links.contains { other, state in
            other != device && state.failures < link.failures && state.hasRoomToAsk
                && state.allowances.mayAsk(now: now) && state.missing.isQueued(log)
                && !(state.isFull && isUnknown(log))
        }
    }

    // MARK: - Answers

    /// Processes a piece.
    mutating func receive(_ passed: Passed, from device: DeviceID, now: Duration) -> [Effect] {
        guard let asked = links[device]?.asked.first,
            case .piece(let ask, _) = asked.subject, ask.log.device == passed.run.log.device
        else { return [.refused(device)] }
        links[device]?.asked.removeFirst()
        links[device]?.allowances.bytes.refund(asked.spentBytes - passed.run.contentBytes)
        guard ask.isAnswered(by: passed.run) else {
            return [.refused(device)] + end(ask, from: device, .refused, now: now)
        }
        if underWay[ask.log] == nil {
            let high = links[device]?.missing[ask.log]?.high ?? passed.run.lastNumber
            underWay[ask.log] = UnderWay(device: device, high: high)
        }
        if underWay[ask.log]?.device == device { underWay[ask.log]?.isStoring = true }
        return [.store(device, ask, passed.piece)]
    }

    /// Processes the answer that a peer has no such piece.
    mutating func receive(_ answer: NotPassed, from device: DeviceID, now: Duration) -> [Effect] {
        guard let asked = links[device]?.asked.first, case .piece(let ask, _) = asked.subject,
            ask.log == answer.log
        else { return [.refused(device)] }
        links[device]?.asked.removeFirst()
        links[device]?.allowances.bytes.refund(asked.spentBytes)
        return end(ask, from: device, .refused, now: now)
    }

    /// Processes the result of storing a piece. Tell the changes first.
    public mutating func stored(
        _ ask: LogAsk, from device: DeviceID, _ outcome: Outcome, now: Duration
    ) -> [Effect] {
        end(ask, from: device, outcome, now: now)
    }

    private mutating func end(
        _ ask: LogAsk, from device: DeviceID, _ outcome: Outcome, now: Duration
    ) -> [Effect] {
        let high = underWay[ask.log]?.high ?? links[device]?.missing[ask.log]?.high ?? 0
        if underWay[ask.log]?.device == device { underWay[ask.log] = nil }
        switch outcome {
        case .stored where isProgress(ask):
            links[device]?.countSuccess()
            links[device]?.scanPause = OpenLimits.scanPauseMin
        case .stored, .refused:
            if outcome == .refused { links[device]?.countFailure() }
            links[device]?.missing.remove(ask.log)
        case .gap:
            links[device]?.missing.postpone(ask.log, until: now + OpenLimits.refusalPause)
        case .overAllowance(let time):
            let end = min(time, now + OpenLimits.waitMax)
            postpone(ask.log, Wait(until: end, isAllowance: true, high: high), device, now: now)
        case .expired(let last):
            // Nothing that is said to follow was passed, so it is still asked for elsewhere.
            links[device]?.countFailure()
            let end = now + OpenLimits.refusalPause
            let wait = Wait(until: end, isAllowance: false, high: min(high, last))
            postpone(ask.log, wait, device, now: now)
            dropBeginning(ask)
        case .noRoom:
            let end = now + OpenLimits.refusalPause
            postpone(ask.log, Wait(until: end, isAllowance: false, high: high), device, now: now)
        case .noShare:
            links[device]?.isFull = true
            if book[ask.log] != nil {
                links[device]?.missing.postpone(ask.log, until: now + OpenLimits.refusalPause)
            }
        }
        offerElsewhere(ask.log)
        return pump(now: now)
    }

    /// Does not ask again for expired batches before those that are here.
    private mutating func dropBeginning(_ ask: LogAsk) {
        guard case .before(let number) = ask.position, book[ask.log]?.low == number else { return }
        floors[ask.log] = number
    }

    /// Whether a question has brought something.
    private func isProgress(_ ask: LogAsk) -> Bool {
        guard let own = book[ask.log] else { return false }
        switch ask.position {
        case .after(let number, let prefix): return own.high != number || own.prefix != prefix
        case .before(let number): return own.low < number
        }
    }

    /// Asks no link for a log before a time. If that cannot be remembered, the link that brought it
    /// is not asked for it for a while.
    private mutating func postpone(
        _ log: LogName, _ wait: Wait, _ device: DeviceID, now: Duration
    ) {
        let isRemembered = waits.record(wait, for: log, broughtBy: device)
        links[device]?.missing.postpone(
            log, until: isRemembered ? wait.until : now + OpenLimits.refusalPause,
            isFirm: wait.isAllowance)
    }
}

extension LogAsk {
    /// Whether a run may be the answer. A run that ends later than was asked for may be needed for
    /// its signature.
    fileprivate func isAnswered(by run: Run) -> Bool {
        switch position {
        case .after(0, _): true
        case .after(let number, _): run.firstNumber <= number + 1
        case .before(let number): run.firstNumber < number && run.lastNumber >= number - 1
        }
    }
}

extension Run {
    /// The bytes of the batches, with what each costs besides its body.
    fileprivate var contentBytes: Int { batches.reduce(0) { $0 + $1.content.encoded.count + 64 } }
}
