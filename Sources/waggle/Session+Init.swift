import CommandLineKit
import ControlAPI
import Identity
import Node
import PluginKit
import Records

extension Session {
    /// Creates the identity of this home and shows its recovery words, which are stored nowhere.
    func createIdentity() throws -> Int32 {
        let (identity, recovery) = try NodeIdentity.create(in: home)
        let person = identity.person.person.description
        guard !options.isJSON else {
            write([
                "person": .string(person), "device": .string(identity.key.id.description),
                "recoveryWords": .array(recovery.words.map(JSONValue.string)),
            ])
            return 0
        }
        terminal.write(
            """
            Your identity is created.

              person  \(person)
              device  \(identity.key.id)

            These words bring it back if this device is lost. They are shown only now, and kept
            nowhere: write them down on paper.

              \(recovery.words.joined(separator: " "))

            'waggle node' starts the node.

            """)
        return 0
    }
}
