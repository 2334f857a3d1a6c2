import Contract
import Testing

@testable import CommandLineKit

struct HelpTextTests {
    private let help = HelpText(SampleTable.table)

    @Test func `a command's help is complete`() throws {
        #expect(
            try help.text(on: ["walk", "ask"]) == """
                Usage: waggle walk ask TO --latitude NUMBER [OPTIONS]

                Ask a mate for a walk.

                Arguments:
                  TO  The mate.

                Options:
                  --latitude NUMBER  Degrees north.
                  --message TEXT     What to say.
                  --at TIME          When.
                  --count NUMBER     How many.
                  --[no-]share       Whether the card is sent.
                  --size small|big   The dog's size.
                  --keywords TEXT…   One or two words.

                Options for every command:
                  --json           Write the result, or the error, as JSON.
                  --follow         Repeat a query whenever its answer changes, until Ctrl-C.
                  --home VALUE     Store all data in this directory.
                  --timeout VALUE  Seconds to wait for an answer; 30 by default.
                  --help           Show help.
                  --version        Show the version.

                With --json it prints:
                  {
                    id: text,
                    requests: [{
                      id: text
                    }, …]
                  }

                Exit codes: 0 done, 1 failed, 2 wrong usage, 3 Waggle not running,
                4 not found, 5 refused, 6 timed out, 7 conflict.

                """)
    }

    @Test func `a noun's help lists its commands`() throws {
        #expect(
            try help.text(on: ["peer"]) == """
                Usage: waggle peer VERB [OPTIONS]

                  peer add             Dial an address.
                  peer remove, forget  Forget an address.

                """)
    }

    @Test func `a command's other verbs are named in its help`() throws {
        let full = try help.text(on: ["peer", "forget"])
        #expect(try full == help.text(on: ["peer", "remove"]))
        #expect(full.contains("\n\nForget an address.\n\nThe same as 'peer forget'.\n\n"))
    }

    @Test func `help on everything names every command once`() throws {
        let text = try help.text(on: [])
        for entry in SampleTable.table.entries {
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("  \(entry.name)  ") }
            #expect(lines.count == 1, "\(entry.name)")
        }
    }

    @Test func `help on a noun with and without verbs shows both`() throws {
        let text = try help.text(on: ["node"])
        #expect(text.hasPrefix("Usage: waggle node [OPTIONS]\n"))
        #expect(text.contains("--[no-]avahi"))
        #expect(text.contains("\n  node stop  Stop the node.\n"))
    }

    @Test func `help on an unknown command is an error`() {
        #expect(throws: CommandFault.self) { try help.text(on: ["cat"]) }
        #expect(throws: CommandFault.self) { try help.text(on: ["walk", "fly"]) }
        #expect(throws: CommandFault.self) { try help.text(on: ["walk", "ask", "now"]) }
    }
}
