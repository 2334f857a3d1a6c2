internal import Identity
internal import PluginKit
internal import Records
internal import Sync

/// The code that this device shows to add another one, as a value. It is in memory only.
///
/// Example: Ann's laptop shows a code, and she types it on her phone. The phone's proof is right,
/// so the code is the phone's: no other device is answered any more. The phone consents and is
/// added. If its link ends before it learns that, it may ask again until the code's time is over.
struct Adding: Sendable {
    /// A code while it is valid.
    struct Shown: Sendable {
        let code: JoinCode
        let key: JoinKey
        /// The end of its validity, in time since the node's start.
        let until: Duration
        /// The same moment on the wall clock.
        let endsAt: Timestamp
    }

    /// The device that proved first that it knows the code.
    struct Joiner: Hashable, Sendable {
        let device: DeviceID
        let checkCode: String
        /// The name that its owner suggests; empty if there is none.
        var name = ""
        var isAdded = false
    }

    /// The reason that a code ended without a new device.
    enum End: Hashable, Sendable {
        case expired, cancelled, wrongProofs
        /// The person's record has no room for another device.
        case noRoom
    }

    private(set) var shown: Shown?
    private(set) var joiner: Joiner?
    private(set) var end: End?
    private var wrongProofsCount = 0

    /// Shows a new code, in place of one that is shown.
    mutating func begin(_ code: JoinCode, now: Duration, wallTime: Timestamp) {
        self = Adding()
        shown = Shown(
            code: code, key: code.key, until: now + JoinCode.validFor,
            endsAt: wallTime + JoinCode.validFor)
    }

    /// Ends the code, unless a device was added by it.
    /// - Returns: whether one was shown.
    mutating func finish(because end: End) -> Bool {
        guard shown != nil else { return false }
        shown = nil
        if joiner?.isAdded != true { self.end = end }
        return true
    }

    /// Ends the code if its time is over.
    /// - Returns: whether it is over now.
    mutating func expire(now: Duration) -> Bool {
        guard let shown, now >= shown.until else { return false }
        return finish(because: .expired)
    }

    /// Checks the proof of a new device. A question about another code, or about none that is
    /// valid, costs nothing and is not counted.
    /// - Returns: this device's own proof; nil if the question is not for it, if the proof is
    ///   wrong, or if another device was first.
    mutating func answer(
        _ question: JoinQuestion, from device: DeviceID, to me: DeviceID, now: Duration
    ) -> Bytes32? {
        _ = expire(now: now)
        guard let shown, question.code == shown.key.name else { return nil }
        guard joiner.map({ $0.device == device }) ?? true else { return nil }
        guard shown.key.isProof(question.proof, of: .joiner, joiner: device, adder: me) else {
            wrongProofsCount += 1
            if wrongProofsCount >= JoinCode.wrongProofsMax { _ = finish(because: .wrongProofs) }
            return nil
        }
        if joiner == nil {
            joiner = Joiner(
                device: device, checkCode: shown.key.checkCode(joiner: device, adder: me))
        }
        return shown.key.proof(of: .adder, joiner: device, adder: me)
    }

    /// Whether a device may be added now: it proved that it knows the code, which is still valid.
    func permits(_ device: DeviceID, now: Duration) -> Bool {
        shown.map { now < $0.until } == true && joiner?.device == device
    }

    /// Records that the device is added.
    mutating func recordAdded(name: String) {
        joiner?.name = name
        joiner?.isAdded = true
    }
}

/// The part of a joining that one link has, on both sides.
struct JoiningOnLink: Sendable {
    /// Whether the peer has asked about a code. It may do so once.
    var hasAnswered = false
    /// Whether the peer may send its consent.
    var awaitsConsent = false
    /// Whether this side waits for the answer to its question.
    var awaitsAnswer = false
    /// Whether this side waits for the record that lists it.
    var awaitsRecord = false
}
