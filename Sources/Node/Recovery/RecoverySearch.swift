internal import Identity
internal import PluginKit

/// The knowledge that a home that waits has of its person: the recovery key, and nothing else
/// unless the person was named too.
struct RecoverySearch: Sendable {
    /// The key of the words.
    let key: RecoveryKey
    /// The only person who may be meant; nil if the recovery key has to vouch for its person.
    let wanted: PersonID?

    /// Whether a checked record is that of the person who is to come back.
    /// - Throws: the first ``RecoveryFault`` found, in the order key, person, voucher.
    func check(_ record: PersonRecord) throws(RecoveryFault) {
        guard record.founding.recoveryKey == key.publicKey else { throw .otherKey }
        if let wanted {
            guard record.person == wanted else { throw .otherPerson }
        } else if !record.isVouchedByRecoveryKey {
            throw .notVouched(record.person)
        }
    }
}

/// The reason that a record does not bring the person of a recovery key back.
enum RecoveryFault: Error, Hashable, Sendable {
    /// The record names another recovery key: the peer lied.
    case otherKey
    /// The record is of another person than the one who was named.
    case otherPerson
    /// The record names the recovery key, but the key did not vouch for it. Anyone can make such a
    /// record; an old version of Waggle made no other.
    case notVouched(PersonID)
    /// The person's record has no room for another device.
    case noRoom
}

extension RecoveryFault {
    /// The fault and what to do, as a sentence.
    var sentence: Sentence {
        switch self {
        case .otherKey, .otherPerson: "A device nearby answered with another person."
        case .notVouched(let person):
            "A device nearby says that these words belong to person \(person.suffix), but the words "
                + "do not confirm it: your identity may be older than such confirmations, or the "
                + "device may lie. If a mate tells you that this is your key, run 'waggle init "
                + "--recover --person \(person.description)'."
        case .noRoom:
            "The list of your devices is full, so this device cannot be added: "
                + "\(Limits.personDevicesMax) entries are the most."
        }
    }
}
