internal import Identity
internal import Links
internal import Logging
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The side that is asked by a device that comes back. Nothing is written because of a question.
extension Node {
    /// Answers who the person of a recovery key is, to a device that proves that it has the key.
    ///
    /// The signature is checked before the key is looked up, so that neither the answer nor the
    /// time it takes shows a stranger whether the person is known here. The answer is empty if the
    /// signature is wrong, or if nothing is shared with the person, or if they are blocked.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` for a second question on the link: each costs
    ///   a signature check.
    func answer(
        _ question: RecoveryQuestion, from device: DeviceID, id: UInt64
    ) async throws {
        guard let active = links[device], active.id == id else { return }
        guard !active.recovery.hasAnswered else {
            throw SyncFault.unexpectedMessage("a second question about a recovery key")
        }
        links[device]?.recovery.hasAnswered = true
        let isSigned = question.isSigned(from: device, to: self.device)
        let people = await replica.people(recoveredBy: question.key).filter {
            isKnown($0.person) && !relations.blocked.contains($0.person)
        }
        // Anyone can found a person who names another's recovery key, but not have it sign.
        let record = people.first(where: \.isVouchedByRecoveryKey) ?? people.first
        guard links[device]?.id == id else { return }
        let answer = isSigned && !recovery.isSearching ? record : nil
        put(.message(.recoveryAnswer(answer.map { ClaimedPersonRecord($0) })), on: links[device])
    }

    /// Tells the core if a known person's record lists a new device that the recovery key added.
    /// - Parameter before: the record that was known before; nil if there was none.
    func noticeReturn(of person: PersonID, before: PersonRecord?) async {
        guard let before, let after = await replica.personRecord(person),
            !after.recoveredDevices.isSubset(of: before.recoveredDevices)
        else { return }
        await tellReturns()
    }

    /// Tells the core of all people who came back and of whom it was not told, for example because
    /// the node was killed or the disk was full.
    func tellReturns() async {
        for person in (try? await replica.untoldReturns()) ?? [] {
            do {
                if person != me { try await host.core?.returned(person) }
                try await replica.confirmReturn(of: person)
            } catch {
                logger.error("a new device was not told of", metadata: ["why": "\(error)"])
            }
        }
    }

    /// Answers which spaces are shared with the peer's person. A stranger gets the empty page.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` if the peer asks more often than it can have
    ///   spaces.
    func answerSpaces(after space: SpaceID, to device: DeviceID) throws(SyncFault) {
        guard let active = links[device] else { return }
        guard active.recovery.pagesAnsweredCount < RecoveryOnLink.pagesMax else {
            throw .unexpectedMessage("too many questions for spaces")
        }
        links[device]?.recovery.pagesAnsweredCount += 1
        let shared = relations.spaces(sharedWith: active.peer.person, me: me)
        put(.message(.spaces(SpacePage(of: shared, after: space))), on: links[device])
    }
}
