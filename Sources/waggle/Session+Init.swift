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
            shown only now and stored nowhere. This version cannot restore your identity
            from them yet, a later one will; until then, back up with 'waggle backup'.

            Now start Waggle with 'waggle node'. In another terminal, choose the name that
            others see: 'waggle me edit --nickname NAME'.

            """
        terminal.write(localized(text))
        return 0
    }
}
