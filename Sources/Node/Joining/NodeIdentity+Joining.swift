public import ControlAPI
internal import Discovery
internal import Files
internal import Foundation
internal import Identity
public import PluginKit
public import Records

// Becoming another device of a person: a home that waits for the device that shows a code, and the
// end of that wait.
extension NodeIdentity {
    /// Prepares an empty home to join a person. `waggle node` then asks the devices nearby which of
    /// them shows the code. A home that still waits gets the new code.
    /// - Returns: the device that will be the person's.
    /// - Throws: ``CommandFault/conflict(_:)`` if the home has an identity, data or a running node,
    ///   ``HomeFault``, else why its files cannot be made.
    public static func join(
        in home: Home, by invitation: JoinInvitation, at time: Timestamp
    ) throws -> DeviceID {
        guard !home.hasIdentity else {
            throw CommandFault.conflict(
                "there is an identity in \(home.directory) already, and a device joins from an empty "
                    + "home only: use another --home")
        }
        return try prepareWaiting(in: home) { try keep(invitation, at: time, in: home) }
    }

    /// Replaces the person of a home, who was just begun and shares nothing, by the attempt to join
    /// another. If the process is killed at any moment, the home has one of them.
    static func abandon(
        _ home: Home, for invitation: JoinInvitation, at time: Timestamp
    ) throws {
        try keep(invitation, at: time, in: home)
        for path in [home.personRecordFile, home.recoveryWordsFile] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static func keep(
        _ invitation: JoinInvitation, at time: Timestamp, in home: Home
    ) throws {
        try Home(home.recoveringDirectory).prepare()
        let kept = KeptInvitation(invitation: invitation.text, typed: time)
        forgetWords(of: home)
        try SafeFile.write(Array(try JSONEncoder().encode(kept)), to: home.joiningCodeFile)
    }

    /// Loads the attempt of a home that waits to join.
    /// - Throws: ``CommandFault/failed(_:)`` if its file cannot be read.
    static func attempt(of home: Home) throws -> JoinAttempt {
        do {
            let bytes = try SafeFile.read(home.joiningCodeFile)
            let kept = try JSONDecoder().decode(KeptInvitation.self, from: Data(bytes))
            let invitation = try JoinInvitation(typed: kept.invitation)
            return JoinAttempt(
                key: invitation.code.key, begun: kept.typed, address: invitation.address,
                device: invitation.device, name: hostName)
        } catch {
            throw CommandFault.failed(
                "\(home.joiningCodeFile) cannot be read: run 'waggle init --join' again")
        }
    }

    /// The name of this computer, as far as it fits.
    private static var hostName: String {
        var name = ProcessInfo.processInfo.hostName
        while name.utf8.count > DeviceEntry.nameBytesMax { name.removeLast() }
        return name
    }

    /// Makes this device one of a person, and ends the wait. If the process is killed at any
    /// moment, the home either waits or has its identity.
    /// - Parameters:
    ///   - record: the person's record, which lists this device.
    ///   - adder: the device that added this one.
    ///   - address: where that device is.
    func join(
        as record: PersonRecord, from adder: DeviceID, at address: String?, in home: Home,
        time: Timestamp
    ) throws {
        try Regained(since: time, person: record.person, from: adder, at: address).write(to: home)
        try SafeFile.write(record.encoded, to: home.personRecordFile)
        NodeIdentity.forgetWords(of: home)
    }

    /// The file of a home that waits to join.
    private struct KeptInvitation: Codable {
        let invitation: String
        let typed: Timestamp
    }
}
