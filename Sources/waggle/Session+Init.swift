import CommandLineKit
import Contract
import ControlAPI
import Discovery
import Foundation
import Identity
import Node
import NodeAPI
import PluginKit
import Records

extension Session {
    /// Creates the identity of this home, or prepares the home to bring one back.
    func initialise(_ request: Initialise) throws -> Int32 {
        if let code = request.join {
            guard request.recover != true, request.words == nil, request.person == nil else {
                throw CommandFault.usage("'--join' and '--recover' exclude each other: choose one")
            }
            return try joinPerson(code.string, at: request.address)
        }
        guard request.address == nil else {
            throw CommandFault.usage("--address belongs to 'waggle init --join'", field: "address")
        }
        guard request.recover ?? false else {
            guard request.words == nil, request.person == nil else {
                throw CommandFault.usage("--words and --person belong to 'waggle init --recover'")
            }
            return try createIdentity()
        }
        return try recoverIdentity(request)
    }

    /// Creates the identity of this home and shows its recovery words, which are stored nowhere.
    private func createIdentity() throws -> Int32 {
        let (identity, recovery) = try NodeIdentity.create(in: home)
        guard !options.isJSON else {
            write(
                CreatedIdentity(
                    person: Key(identity.person.person), device: Key(identity.key.id),
                    recoveryWords: recovery.words))
            return 0
        }
        let words = recovery.words.joined(separator: " ")
        let text: Sentence = """
            Your identity is created. These are its recovery words:

              \(words)

            Write them down on paper, in this order, and keep them to yourself. They are
            shown only now and stored nowhere. With them, 'waggle init --recover' brings your
            identity back on a new device: what you share with mates comes back from them.
            Only a backup also has your own settings; write one with 'waggle backup'.

            Now start Waggle with 'waggle node'. In another terminal, choose the name that
            others see: 'waggle me edit --nickname NAME'.

            """
        terminal.write(localized(text))
        return 0
    }

    /// Prepares this home to wait for the person of recovery words.
    private func recoverIdentity(_ request: Initialise) throws -> Int32 {
        // A used home is refused before the user types nine words.
        if home.hasIdentity { try refuseIdentity() }
        let text = try request.words.map { try wordsText(in: $0.string) } ?? terminal.readWords()
        let words = try RecoveryWords.typed(text)
        let device = try NodeIdentity.recover(
            in: home, by: words, as: request.person.map { PersonID($0) })
        guard !options.isJSON else {
            write(CreatedIdentity(person: nil, device: Key(device), recoveryWords: []))
            return 0
        }
        terminal.write(
            localized(
                """
                The words are right. Now start Waggle with 'waggle node' and meet a mate who uses
                it on the same network: their device knows who you are. What you share with them
                comes back then, and more with each mate you meet. 'waggle recovery' shows it.

                """))
        return 0
    }

    /// Prepares this home to become another device of a person.
    private func joinPerson(_ code: String, at address: NetworkAddress?) throws -> Int32 {
        var invitation = try JoinInvitation(typed: code)
        if let address {
            guard let endpoint = Endpoint(address.string) else {
                throw CommandFault.usage(
                    "'\(address)' is not an address: write host:port, or [address]:port for IPv6",
                    field: "address")
            }
            invitation.address = endpoint
        }
        let device = try NodeIdentity.join(
            in: home, by: invitation, at: SystemClock().wallTime)
        guard !options.isJSON else {
            write(CreatedIdentity(person: nil, device: Key(device), recoveryWords: []))
            return 0
        }
        terminal.write(
            localized(
                """
                The code is right. Now start Waggle with 'waggle node', before the code's five
                minutes are over and on the same network as your other device. 'waggle device
                pairing --follow' shows what has arrived.

                """))
        return 0
    }

    private func refuseIdentity() throws -> Never {
        throw CommandFault.conflict(
            "there is an identity in \(home.directory) already, and recovery words bring a person "
                + "back into an empty home only: use another --home")
    }

    private func wordsText(in path: String) throws -> String {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandFault.notFound("\(path) cannot be read; name the file with the words")
        }
        let bytes = try file.read(upToCount: RecoveryWords.textBytesMax + 1) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }
}
