import Foundation
import Identity
import Records
import Testing

/// Tests an independent TLS library that resumes its session, as many do by default: Python's.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SessionTicketTests {
    @Test func `a peer whose TLS library resumes its session links again`() async throws {
        let victim = try await Victim.start()
        let (key, person) = try HostilePeer.stranger()
        let conversation = try await RawPeerScript.run(
            "resume", key: key, person: person, port: victim.port)
        #expect(conversation.greetings == 2, "\(conversation)")
        #expect(conversation.resumed == [false, true], "\(conversation)")
        try await victim.remove()
    }
}

/// `script/lib/lan/rawpeer.py`, a peer that shares no code with this project.
private enum RawPeerScript {
    /// The output of the script.
    struct Conversation: Decodable {
        /// The HELLOs that the node answered.
        var greetings: Int
        /// Whether each connection resumed the TLS session of the one before.
        var resumed: [Bool]
    }

    static func run(
        _ verb: String, key: DeviceKey, person: PersonRecord, port: UInt16
    ) async throws -> Conversation {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "waggle-rawpeer-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let pem = directory.appending(path: "device.pem")
        try pemText(of: key).write(to: pem, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            root.appending(path: "script/lib/lan/rawpeer.py").path, "--key", pem.path,
            "--person", person.encoded.map { String(format: "%02x", $0) }.joined(), "--settle", "0",
            "127.0.0.1", "\(port)", verb,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode(Conversation.self, from: printed)
    }

    /// Returns a key as PKCS #8 (RFC 8410 section 7) in PEM.
    private static func pemText(of key: DeviceKey) -> String {
        let prefix: [UInt8] = [
            0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22,
            0x04, 0x20,
        ]
        let base64 = Data(prefix + key.rawRepresentation).base64EncodedString()
        return "-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n"
    }

    /// The root of the repository, relative to this file.
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
