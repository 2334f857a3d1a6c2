internal import Identity
public import Records

// Messages, the answers to peers, and time.
extension OpenExchange {
    /// Processes a message about this space. Other messages have no effect.
    /// - Throws: ``SyncFault`` if the peer violates the protocol; the link then ends.
    public mutating func receive(
        _ message: Message, from device: DeviceID, now: Duration
    ) throws(SyncFault) -> [Effect] {
        switch message {
        case .offer(let offer): return try receive(offer, from: device, now: now)
        case .ask(let question):
            guard let waitingCount = links[device]?.questions.count else { return [] }
            guard waitingCount < OpenLimits.questionsMax else { throw .tooManyRequests }
            links[device]?.questions.append(question.subject)
            return serve(device, now: now)
        case .passed(let passed): return receive(passed, from: device, now: now)
        case .notPassed(let answer): return receive(answer, from: device, now: now)
        default: return []
        }
    }

    /// Answers the questions of a peer in their order, as fast as it may be answered.
    private mutating func serve(_ device: DeviceID, now: Duration) -> [Effect] {
        var effects: [Effect] = []
        while var link = links[device], !link.isReading, let subject = link.questions.first,
            link.allowances.answerOpening <= now
        {
            link.allowances.answers.spend(1, now: now)
            switch subject {
            case .page(let log):
                link.questions.removeFirst()
                let page = book.page(after: log)
                link.allowances.answerBytes.spend(
                    page.logs.count * MemoryLayout<OfferedLog>.stride, now: now)
                let part = page.hasMore ? Offer.Part.page : .lastPage
                let offer = Offer(
                    channel: link.channel, digest: book.digest, part: part, logs: page.logs)
                effects.append(.send(device, .offer(offer)))
            case .piece(let ask, _) where book[ask.log] == nil:
                link.questions.removeFirst()
                effects.append(notPassed(ask, device, link))
            case .piece(let ask, _):
                link.isReading = true
                effects.append(.read(device, ask))
            }
            links[device] = link
        }
        return effects
    }

    private func notPassed(_ ask: LogAsk, _ device: DeviceID, _ link: OpenLink) -> Effect {
        .send(device, .notPassed(NotPassed(channel: link.channel, log: ask.log)))
    }

    /// Answers a question with what was read.
    /// - Parameters:
    ///   - ask: the question of the effect ``Effect/read(_:_:)``.
    ///   - piece: the piece with its author's record; nil if there is none.
    ///   - author: the author's person.
    public mutating func answer(
        _ ask: LogAsk, to device: DeviceID, with piece: PassedRun?, of author: PersonID?,
        now: Duration
    ) -> [Effect] {
        guard var link = links[device], link.isReading,
            case .piece(let asked, let isRecordWanted)? = link.questions.first, asked == ask
        else { return [] }
        link.isReading = false
        link.questions.removeFirst()
        var effect = notPassed(ask, device, link)
        if let piece {
            let isTold = author.map { link.tells($0, piece.record) } ?? true
            let record = isTold || isRecordWanted ? piece.record : nil
            let cost = piece.run.batches.reduce(record?.count ?? 0) {
                $0 + $1.content.encoded.count
            }
            link.allowances.answerBytes.spend(cost, now: now)
            effect = .send(
                device,
                .passed(
                    Passed(
                        channel: link.channel, record: record.flatMap { try? .init($0) },
                        previous: piece.previous, run: piece.run)))
        }
        links[device] = link
        return [effect] + serve(device, now: now)
    }

    // MARK: - Time

    /// Processes the time: questions that were not answered, waits that ended, changes to tell.
    public mutating func advance(now: Duration) -> [Effect] {
        var effects: [Effect] = []
        waits.removeDue(now: now)
        for device in order {
            links[device]?.missing.release(now: now)
            countSilence(of: device, now: now)
            if let told = tell(device, now: now) { effects.append(told) }
            effects += serve(device, now: now)
        }
        return effects + pump(now: now)
    }

    /// Lets other links be asked for what a peer did not answer in time.
    private mutating func countSilence(of device: DeviceID, now: Duration) {
        guard var link = detach(device) else { return }
        var silent: [LogName] = []
        for index in link.asked.indices
        where !link.asked[index].isLate && link.asked[index].deadline <= now {
            link.asked[index].isLate = true
            link.countFailure()
            guard case .piece(let ask, _) = link.asked[index].subject else { continue }
            link.missing.postpone(ask.log, until: now + OpenLimits.silencePause, isFirm: true)
            silent.append(ask.log)
        }
        links[device] = link
        for log in silent where underWay[log]?.device == device {
            underWay[log] = nil
            for other in order where other != device { links[other]?.missing.enqueue(log) }
        }
    }

    /// Returns when ``advance(now:)`` is to be called next, at the latest; nil if only messages and
    /// changes matter.
    public func nextWake(after now: Duration) -> Duration? {
        order.compactMap { links[$0]?.nextWake(after: now) }.min()
    }
}

extension OpenLink {
    /// Records that the peer is told an author's record.
    /// - Returns: false if it was told the same one before.
    fileprivate mutating func tells(_ author: PersonID, _ record: [UInt8]?) -> Bool {
        guard let record else { return true }
        let hash = record.hashValue
        guard toldAuthors[author] != hash else { return false }
        if toldAuthors.count >= OpenLimits.toldAuthorsMax { toldAuthors = [:] }
        toldAuthors[author] = hash
        return true
    }

    fileprivate func nextWake(after now: Duration) -> Duration? {
        var times = asked.filter { !$0.isLate }.map(\.deadline)
        if let tellingDue { times.append(tellingDue) }
        if let due = missing.nextDue { times.append(due) }
        // What is open already waits for something else.
        var openings: [Duration] = []
        if !questions.isEmpty { openings.append(allowances.answerOpening) }
        if hasRoomToAsk, missing.hasQueued { openings.append(allowances.askOpening) }
        if hasRoomToAsk {
            switch scan {
            case .idle:
                let due = isTruncated && !isFull ? nextScan : rescanDue
                if let due { openings.append(due) }
            case .due: openings.append(allowances.reading.opening(of: Limits.vectorLogsMax))
            case .asked: break
            }
        }
        return (times + openings.filter { $0 > now }).min()
    }
}
