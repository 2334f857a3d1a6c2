internal import Discovery
internal import Identity
internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The answer of `device pairing`.
extension Node {
    /// Returns how far the adding of a device is, on either side.
    func pairing() async -> DevicePairing {
        if let attempt = joining.attempt { return joiningReport(attempt) }
        if adding.shown == nil, adding.joiner == nil, adding.end == nil,
            let report = receivingReport
        {
            return report
        }
        return addingReport()
    }

    /// The stage as a sentence while this device joins, or receives what is its person's; else nil.
    var joiningSentence: Sentence? {
        if let attempt = joining.attempt { return joiningReport(attempt).detail.sentence }
        guard let report = receivingReport, report.stage == .receiving else { return nil }
        return report.detail.sentence
    }

    // MARK: - The device that shows a code

    private func addingReport() -> DevicePairing {
        if let joiner = adding.joiner, joiner.isAdded { return addedReport(joiner) }
        if let joiner = adding.joiner, let shown = adding.shown {
            return DevicePairing(
                stage: .proven,
                detail: "A device knows the code. It shows the check code \(joiner.checkCode) too.",
                endsMs: shown.endsAt, checkCode: joiner.checkCode, device: Key(joiner.device))
        }
        if let shown = adding.shown {
            let invitation = JoinInvitation(
                shown.code, address: ownAddress, device: device)
            return DevicePairing(
                stage: .open,
                detail:
                    "Type the code on the other device, on the same network: choose 'I have used "
                    + "Waggle before' there, or run 'waggle init --join' with it.",
                words: shown.code.words, invitation: invitation.text, endsMs: shown.endsAt)
        }
        if let end = adding.end {
            return DevicePairing(stage: .ended, detail: end.sentence, endedBy: .init(end))
        }
        return DevicePairing(
            stage: .none, detail: "No code is shown here; 'waggle device add' shows one.")
    }

    private func addedReport(_ joiner: Adding.Joiner) -> DevicePairing {
        let session = links[joiner.device].flatMap { $0.peer.person == me ? $0.session : nil }
        let progress = session?.progress
        let name = joiner.name.isEmpty ? nil : joiner.name
        return DevicePairing(
            stage: .added,
            detail: session == nil
                ? "The device is yours now. It receives everything when the two are connected."
                : "The device is yours now. It receives everything, photos last: leave both "
                    + "running until it says that all is there.",
            checkCode: joiner.checkCode, device: Key(joiner.device), name: name,
            received: progress.map { $0.there }, total: progress.map { $0.total })
    }

    /// The address at which others on the network reach this device, if it has one.
    private var ownAddress: Endpoint? {
        HostAddresses.reachable(leavingOut: settings.interfacesLeftOut).first.flatMap {
            Endpoint("\($0):\(start.port)")
        }
    }

    // MARK: - The new device

    private func joiningReport(_ attempt: JoinAttempt) -> DevicePairing {
        let endsAt = attempt.begun + JoinCode.validFor
        if let adder = joining.adder {
            return DevicePairing(
                stage: .found,
                detail:
                    "The other device is found. It shows the check code \(adder.checkCode) too.",
                endsMs: endsAt, checkCode: adder.checkCode, device: Key(adder.device))
        }
        if joining.isRefused || attempt.isOver(at: clock.wallTime) {
            return DevicePairing(
                stage: .ended,
                detail: joining.isRefused
                    ? "The other device did not add this one: its list of devices is full, or its "
                        + "code has ended. Try again with a new code."
                    : "The code is older than five minutes. Show a new one on the other device with "
                        + "'waggle device add', and join with that.",
                endedBy: joining.isRefused ? .noRoom : .expired, endsMs: endsAt)
        }
        return DevicePairing(stage: .searching, detail: searchingSentence, endsMs: endsAt)
    }

    private var searchingSentence: Sentence {
        if joining.unknownCount > 0 {
            return Sentence(
                count: joining.unknownCount,
                one: "Joining: 1 device nearby was asked and does not show this code. Is the other "
                    + "device on the same network, and its code not over?",
                other: "Joining: \(joining.unknownCount) devices nearby were asked and do not show "
                    + "this code. Is the other device on the same network, and its code not over?")
        }
        return joining.olderCount > 0
            ? "Joining: the devices nearby have an older version of Waggle, which shows no codes. "
                + "Update the other device."
            : "Joining: no device nearby was asked yet. Is the other device on the same network?"
    }

    /// The report of a device that has joined; nil if its person began or came back here.
    private var receivingReport: DevicePairing? {
        guard let regained = recovery.regained, let from = regained.joinedFrom else { return nil }
        let files = joining.files
        let filesTotal = files.map { $0.hereCount + $0.missingCount }
        guard regained.isReceiving else {
            return DevicePairing(
                stage: .complete,
                detail:
                    "Everything of yours that your other device had is here. Photos of mates load "
                    + "when you look at them.",
                device: Key(from), filesReceived: files?.hereCount, filesTotal: filesTotal)
        }
        let progress = links[from]?.session.progress
        return DevicePairing(
            stage: .receiving, detail: receivingSentence(isLinked: progress != nil),
            device: Key(from), received: progress.map { $0.here },
            total: progress.map { $0.total }, filesReceived: files?.hereCount,
            filesTotal: filesTotal)
    }

    private func receivingSentence(isLinked: Bool) -> Sentence {
        switch joining.reachedLimit {
        case .disk:
            return "This device is yours, but its disk is too full to receive the rest: make room, "
                + "and it goes on by itself."
        case .author, .total:
            return
                "This device is yours, but what it may store has reached a limit, so it does not "
                + "receive the rest: raise the limit with 'waggle storage set'."
        case nil: break
        }
        guard isLinked else {
            return recovery.isAdderAbsent
                ? "This device is yours, and looks for your other one to receive everything. If "
                    + "that one is lost: what you share with mates comes back as you meet them."
                : "This device is yours, and looks for your other one to receive everything."
        }
        return joining.files.map { $0.missingCount > 0 } ?? false
            ? "This device is yours, and receives your photos and other files: leave both running."
            : "This device is yours, and receives everything: leave both running."
    }
}

extension DevicePairing.End {
    fileprivate init(_ end: Adding.End) {
        switch end {
        case .expired: self = .expired
        case .cancelled: self = .cancelled
        case .wrongProofs: self = .wrongProofs
        case .noRoom: self = .noRoom
        }
    }
}

extension Adding.End {
    /// The reason as a sentence that says what to do.
    fileprivate var sentence: Sentence {
        switch self {
        case .expired: "The code's five minutes are over. Show a new one."
        case .cancelled: "The code was ended here."
        case .wrongProofs:
            "A device nearby tried to join without knowing the code, so the code has ended. Show a "
                + "new one, and look at who is on your network."
        case .noRoom: "The list of your devices is full, so the device was not added."
        }
    }
}
