import Contract
import ControlAPI
import FeaturesAPI
import PanelKit
import Testing

struct ShownFaultTests {
    @Test(arguments: [
        ("other users may look into it", "Other users may look into it."),
        ("No.", "No."), ("Is it on?", "Is it on?"), ("One moment…", "One moment…"),
        ("run 'waggle node'", "Run 'waggle node'."), ("say “Who?”", "Say “Who?”"),
        ("it failed (full)", "It failed (full)."), ("", ""),
    ])
    func `a fault is a whole sentence`(reason: String, shown: String) {
        #expect(CommandFault.failed(Sentence(declared: reason)).shown() == shown)
    }

    @Test func `a fault that begins with a name or a path keeps it as it is`() {
        let name = "mina"
        #expect(CommandFault.failed("\(name) is away").shown() == "mina is away.")
    }

    @Test func `a fault in a field has the label of the form`() {
        let fault = CommandFault.usage("'as' is given twice", field: "as")
        #expect(fault.shown(labels: ["as": "The nickname"]) == "The nickname is given twice.")
        #expect(fault.shown(labels: ["other": "It"]) == "'as' is given twice.")
    }

    @Test func `a text that may be empty has only an upper limit`() {
        let fault = #expect(throws: CommandFault.self) {
            _ = try OwnNickname(String(repeating: "a", count: 31), field: "as")
        }
        #expect(
            fault?.shown(labels: ["as": "The nickname"])
                == "The nickname must have at most 20 characters; it has 31.")
    }
}
