import CommandLineKit
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
        terminal.write(
            """
            Your identity is created.

              person  \(created.person)
              device  \(created.device)

            These words bring it back if this device is lost. They are shown only now, and kept
            nowhere: write them down on paper.

              \(created.recoveryWords.joined(separator: " "))

            'waggle node' starts the node.

            """)
        return 0
    }
}
