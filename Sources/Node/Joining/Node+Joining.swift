internal import Discovery
internal import Identity
internal import Links
internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The new device: it asks who shows the code, proves first that it knows it, consents, and starts
// again as a device of that person.
extension Node {
    /// Asks the peer of a new link whether it shows the code.
    func askToJoin(on device: DeviceID, id: UInt64) {
        guard let attempt = joining.attempt, let active = links[device], active.id == id,
            !attempt.isOver(at: clock.wallTime)
        else { return }
        guard attempt.device.map({ $0 == device }) ?? true else { return makeRoom(after: device) }
        guard active.version >= Hello.joiningVersion else {
            joining.olderCount += 1
            return publishPairing()
        }
        links[device]?.joining.awaitsAnswer = true
        let proof = attempt.key.proof(of: .joiner, joiner: self.device, adder: device)
        put(
            .message(.joinQuestion(JoinQuestion(code: attempt.key.name, proof: proof))),
            on: links[device])
    }

    /// Handles the answer to the question: if the proof is right, this device consents.
    /// - Throws: ``SyncFault`` or ``IdentityFault`` if the peer lied.
    func receive(_ answer: JoinAnswer?, from device: DeviceID) throws {
        guard let attempt = joining.attempt, links[device]?.joining.awaitsAnswer == true else {
            throw SyncFault.unexpectedMessage("an answer without a question")
        }
        links[device]?.joining.awaitsAnswer = false
        guard let answer else {
            joining.unknownCount += 1
            publishPairing()
            return makeRoom(after: device)
        }
        guard
            attempt.key.isProof(answer.proof, of: .adder, joiner: self.device, adder: device)
        else { throw SyncFault.unexpectedMessage("a wrong proof of a joining code") }
        let record = try PersonRecord(decoding: answer.person.encoded)
        guard record.devices.contains(device) else { throw SyncFault.notItsDevice }
        joining.adder = Joining.Adder(
            device: device, person: record.person,
            checkCode: attempt.key.checkCode(joiner: self.device, adder: device))
        let consent = try DeviceConsent(of: identity.key, to: record.person)
        links[device]?.joining.awaitsRecord = true
        put(
            .message(
                .joinConsent(JoinConsent(signature: consent.signature, name: attempt.name))),
            on: links[device])
        publishPairing()
    }

    /// Handles the record that lists this device, and ends this run of the node: it starts again as
    /// the person's.
    /// - Throws: ``SyncFault`` or ``IdentityFault`` if the peer lied, else why the files cannot be
    ///   written.
    func receive(joined claim: ClaimedPersonRecord?, from device: DeviceID) throws {
        guard let active = links[device], active.joining.awaitsRecord,
            let adder = joining.adder, adder.device == device
        else { throw SyncFault.unexpectedMessage("a record without a consent") }
        links[device]?.joining.awaitsRecord = false
        guard let claim else {
            (joining.adder, joining.isRefused) = (nil, true)
            return publishPairing()
        }
        let record = try PersonRecord(decoding: claim.encoded)
        guard record.person == adder.person, record.devices.contains(self.device) else {
            throw SyncFault.notItsDevice
        }
        guard life.reasonToBeginAnew == nil else { return }
        let address = active.link.remoteAddress.map {
            LinkAddress(host: $0.host, port: active.hello.port).description
        }
        try identity.join(
            as: record, from: device, at: address, in: settings.home, time: clock.wallTime)
        // The address is needed later too. A full list of addresses is no reason to stop.
        if let given = joining.attempt?.address { try? settings.addPeer(given.description) }
        logger.notice("this device belongs to a person now")
        life.beginAnew(
            because: Notice(
                kind: .added, reference: self.device.description,
                text: Node.addedSentence(joining.attempt?.name ?? "", self.device),
                at: clock.wallTime))
    }

    /// Performs `device join`: this home waits for the device that shows a code, in place of a
    /// person who was just begun here.
    /// - Throws: ``CommandFault/conflict(_:)`` if the person is in use,
    ///   ``CommandFault/usage(_:field:)`` if the code is wrong.
    func beginJoining(_ request: DeviceJoining) async throws -> Done {
        try await requireUnused()
        var invitation = try JoinInvitation(typed: request.code.string)
        if let address = request.address { invitation.address = try endpoint(address.string) }
        try NodeIdentity.abandon(settings.home, for: invitation, at: clock.wallTime)
        life.beginAnew(
            because: Notice(
                kind: .added, reference: "code", text: "This device looks for the code's device.",
                at: clock.wallTime))
        return Done()
    }
}
