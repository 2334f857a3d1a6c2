import CommandLineKit
import Contract
import ControlAPI
import Identity
import Node
import NodeAPI
import PluginKit
import Records

extension Session {
    /// Creates the identity of this home and shows its recovery words, which are stored nowhere.
    func createIdentity() throws -> Int32 {
        let (identity, recovery) = try NodeIdentity.create(in: home)
        let created = CreatedIdentity(
            person: Key(identity.person.person), device: Key(identity.key.id),
            recoveryWords: recovery.words)
        guard !options.isJSON else {
            write(created)
            return 0
        }
        let words = created.recoveryWords.map(\.string).joined(separator: " ")
        let text: Sentence = """
            Your identity is created.

              person  \(created.person)
              device  \(created.device)

            These words are its key. This version cannot restore it from them yet, only from a
            backup ('waggle backup'); a later version will. The words are shown only now and stored
            nowhere: write them down on paper, in this order.

              \(words)

            'waggle node' starts Waggle.

            """
        terminal.write(localized(text))
        return 0
    }
}
