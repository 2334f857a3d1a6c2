import Contract
import Testing

@testable import CommandLineKit

struct CommandLineParserTests {
    private let parser = CommandLineParser(
        SampleTable.table, now: Timestamp(milliseconds: 1_795_392_000_000))

    private func parse(_ line: String) throws(CommandFault) -> Invocation {
        try parser.parse(line.split(separator: " ").map(String.init))
    }

    private func run(_ line: String) throws -> (name: String, values: Arguments) {
        guard case .run(let entry, let arguments) = try parse(line).purpose else {
            throw CommandFault.failed("it runs nothing")
        }
        return (entry.name, arguments)
    }

    @Test func `a relative path of a file is resolved in the directory of the caller`() throws {
        let play = CommandDeclaration(
            "track", "play", .action, help: "Play a track.",
            parameters: [.required("file", .text(.path), "The file.", positional: true)],
            result: .done)
        let parser = CommandLineParser(
            CommandTable(node: [play]), directory: "/srv/ann", now: .min)
        for (word, path) in [
            ("a.gpx", "/srv/ann/a.gpx"), ("/b.gpx", "/b.gpx"), ("../c", "/srv/ann/../c"),
        ] {
            guard case .run(_, let arguments) = try parser.parse(["track", "play", word]).purpose
            else { throw CommandFault.failed("it runs nothing") }
            #expect(arguments["file"]?.string == path)
        }
        #expect(throws: CommandFault.self) {
            try Arguments(checking: ["file": "a.gpx"], against: play)
        }
    }

    private func fault(_ line: String) -> CommandFault? {
        do {
            _ = try parse(line)
            return nil
        } catch {
            return error
        }
    }

    @Test func `positional arguments, options and flags become arguments`() throws {
        let (name, values) = try run(
            "walk ask bob --latitude -37.5 --message=a=b --count 5 --no-share --size small")
        #expect(name == "walk ask")
        #expect(values["to"] == "bob")
        #expect(values["latitude"] == -37.5)
        #expect(values["message"] == "a=b")
        #expect(values["count"] == 5)
        #expect(values["share"] == false)
        #expect(values["size"] == "small")
        #expect(values["keywords"] == nil)
    }

    @Test func `options may come first, and a flag may have an explicit value`() throws {
        let (_, values) = try run("walk ask --latitude 1 --share bob")
        #expect(values["to"] == "bob")
        #expect(values["share"] == true)
        #expect(try run("walk ask --latitude 1 --share=no bob").values["share"] == false)
    }

    @Test func `a list is a repeated option or a JSON array, and is never split at commas`() throws
    {
        let (_, values) = try run("walk ask bob --latitude 1 --keywords shy,smart --keywords C++")
        #expect(values["keywords"] == ["shy,smart", "C++"])
        let (_, array) = try run(#"walk ask bob --latitude 1 --keywords ["a&b=c","한글"]"#)
        #expect(array["keywords"] == ["a&b=c", "한글"])
        #expect(try run("walk ask bob --latitude 1 --keywords=").values["keywords"] == [])
    }

    @Test func `a query is followed if an event says when its answer changes`() throws {
        #expect(try parse("walk list --follow").options.follows)
        #expect(try !parse("walk list").options.follows)
        #expect(
            fault("drop show --follow")?.sentence
                == "'waggle drop show' cannot be followed: changes to its answer are not reported")
        for line in ["walk ask bob --latitude 1 --follow", "doctor --follow", "stop --follow"] {
            #expect(
                fault(line)?.sentence.hasSuffix("is for commands that only show something")
                    == true)
        }
        #expect(fault("walk list --follow=yes")?.sentence == "--follow takes no value")
    }

    @Test func `after two hyphens every word is a positional argument`() throws {
        #expect(try run("peer add -- --odd").values["address"] == "--odd")
        #expect(try run("walk ask --latitude 1 -- -h").values["to"] == "-h")
    }

    @Test func `a negative number and a lone hyphen are not options`() throws {
        #expect(try run("peer add -5.5").values["address"] == "-5.5")
        #expect(try run("peer add -").values["address"] == "-")
    }

    @Test(arguments: [
        ("status", "status show"), ("verify", "verify"), ("walk", "walk list"),
        ("drop", "drop show"), ("chat", "chat rooms"), ("verify bob", "verify"),
        ("node", "node"), ("node stop", "node stop"), ("node --no-avahi", "node"),
        ("watch walk mates", "watch"), ("doctor", "doctor"), ("init", "init"),
        ("doctor --listen-port 4711", "doctor"),
    ])
    func `a noun alone means its default verb`(line: String, name: String) throws {
        #expect(try run(line).name == name)
    }

    @Test func `a command of this process replaces the node's run of that noun`() {
        #expect(fault("doctor run")?.exitCode == 2)
        #expect(SampleTable.table.entries(of: "doctor").map(\.place) == [.here])
    }

    @Test func `a noun with verbs alone never acts`() {
        #expect(fault("peer")?.sentence == "'waggle peer' needs a verb: add, remove")
    }

    @Test func `a command is found by each of its verbs, and bears the first`() throws {
        #expect(try run("peer forget").name == "peer remove")
        #expect(
            fault("peer forgot")?.sentence
                == "'waggle peer' has no verb 'forgot'; did you mean 'forget'? "
                + "its verbs: add, remove")
    }

    @Test func `a command whose verb in the local API is run is its noun alone`() {
        #expect(
            fault("stop now")?.sentence == "'waggle stop' takes no more words: 'now' is unexpected")
        #expect(SampleTable.table.entry("stop", "")?.declaration.route == "/v1/stop/run")
    }

    @Test func `a time is typed in words`() throws {
        let line = ["walk", "ask", "bob", "--latitude", "1", "--at"]
        guard case .run(_, let values) = try parser.parse(line + ["in 2 h"]).purpose else {
            throw CommandFault.failed("it runs nothing")
        }
        #expect(values["atMs"] == 1_795_399_200_000)
        let number = try run("walk ask bob --latitude 1 --at 1795399200001").values
        #expect(number["atMs"] == 1_795_399_200_001)
        let refused = fault("walk ask bob --latitude 1 --at soon")
        #expect(refused?.sentence.hasPrefix("--at: 'soon' is not a time") == true)
    }

    @Test func `words after a noun alone become its positional arguments`() throws {
        #expect(try run("verify bob").values["peer"] == "bob")
        #expect(try run("watch walk mates").values["topics"] == ["walk", "mates"])
    }

    @Test func `every command accepts the common options, in any position`() throws {
        for line in [
            "--json --home /h --timeout 2.5 status", "status --json --home=/h --timeout=2.5",
            "status --home /h show --timeout 2.5 --json",
        ] {
            let options = try parse(line).options
            #expect(options.isJSON)
            #expect(options.home == "/h")
            #expect(options.timeout == .milliseconds(2500))
        }
        #expect(try parse("status").options == CommonOptions())
    }

    @Test func `help is shown on the named words`() throws {
        #expect(try parse("").purpose == .help([]))
        #expect(try parse("--help").purpose == .help([]))
        #expect(try parse("help").purpose == .help([]))
        #expect(try parse("help walk ask").purpose == .help(["walk", "ask"]))
        #expect(try parse("walk --help").purpose == .help(["walk"]))
        #expect(try parse("walk ask -h").purpose == .help(["walk", "ask"]))
        #expect(try parse("node --help").purpose == .help(["node"]))
    }

    @Test func `the version is shown`() throws {
        #expect(try parse("--version").purpose == .version)
        #expect(try parse("status --version").purpose == .version)
    }

    @Test(arguments: [
        (
            "stauts",
            "there is no command 'stauts'; did you mean 'status'? 'waggle help' lists them all"
        ),
        ("zzz", "there is no command 'zzz'; 'waggle help' lists them all"),
        ("walk aks", "'waggle walk' has no verb 'aks'; did you mean 'ask'? its verbs: ask, list"),
        ("peer", "'waggle peer' needs a verb: add, remove"),
        ("peer --json", "'waggle peer' needs a verb: add, remove"),
        ("peer add", "'waggle peer add' needs ADDRESS: host:port"),
        ("walk ask bob", "'waggle walk ask' needs --latitude: Degrees north."),
        ("peer add a b", "'waggle peer add' takes no more words: 'b' is unexpected"),
        ("init now", "'waggle init' takes no more words: 'now' is unexpected"),
        (
            "walk ask bob --mesage hi",
            "'waggle walk ask' has no option --mesage; did you mean '--message'? "
                + "'waggle help walk ask' lists its options"
        ),
        (
            "status -x",
            "'waggle status show' has no option -x; 'waggle help status show' lists its options"
        ),
        (
            "--jsno status",
            "there is no option '--jsno' before a command; did you mean '--json'? "
                + "'waggle help' lists them all"
        ),
        ("walk ask bob --latitude", "--latitude needs a value: Degrees north."),
        (
            "walk ask bob --latitude north",
            "--latitude must be a number, not 'north'"
        ),
        (
            "walk ask bob --latitude 1 --count 1.5",
            "--count must be a whole number, not '1.5'"
        ),
        ("walk ask bob --latitude 1 --size tall", "--size must be one of small, big, not 'tall'"),
        ("walk ask bob --latitude 1 --share=maybe", "--share must be true or false, not 'maybe'"),
        ("walk ask bob --latitude 1 --no-share=yes", "--no-share takes no value"),
        ("walk ask bob --latitude 1 --latitude 2", "--latitude is given twice"),
        ("walk ask bob --latitude 1 --share --no-share", "--share is given twice"),
        ("status --json=yes", "--json takes no value"),
        ("status --home", "--home needs a value: a directory"),
        ("status --home=", "--home needs a value: a directory"),
        ("status --timeout", "--timeout needs a value: a number of seconds"),
        (
            "status --timeout 0",
            "--timeout must be a number of seconds from 0.001 to 86400, not '0'"
        ),
        (
            "status --timeout nan",
            "--timeout must be a number of seconds from 0.001 to 86400, not 'nan'"
        ),
        (
            "status --timeout 0x10",
            "--timeout must be a number of seconds from 0.001 to 86400, not '0x10'"
        ),
        ("-- status --json", "'waggle status' has no verb '--json'; its verbs: show"),
        ("completion", "'waggle completion' needs SHELL: The shell."),
        ("completion csh", "'shell' must be one of bash, zsh, fish, not 'csh'"),
    ])
    func `an invalid command line is refused with a sentence`(line: String, sentence: String) {
        let fault = fault(line)
        #expect(fault?.sentence == sentence)
        #expect(fault?.exitCode == 2)
    }

    @Test func `a mistake names the parameter`() {
        guard case .usage(_, let field) = fault("walk ask bob --latitude north") else {
            Issue.record("it was taken")
            return
        }
        #expect(field == "latitude")
    }

    @Test func `two hyphens may precede the command's name`() throws {
        #expect(try run("--home /h -- status show").name == "status show")
        #expect(try parse("--home /h -- status show").options.home == "/h")
        #expect(try run("-- peer add --odd").values["address"] == "--odd")
    }

    @Test func `a node's fault spells an option, and names a positional parameter`() {
        let ask = SampleTable.declarations.first { $0.noun == "walk" && $0.verb == "ask" }
        let fault = CommandFault.usage("'atMs' must lie ahead, not 'atMs'", field: "atMs")
        #expect(
            ask.map(fault.asTyped)
                == .usage("--at must lie ahead, not 'atMs'", field: "atMs"))
        let place = CommandFault.usage("'to' is nobody", field: "to")
        #expect(ask.map(place.asTyped) == place)
    }

    @Test func `bytes that are not UTF-8 are refused, and the error names the word`() throws {
        let fitting = [Array("me".utf8), Array("강아지".utf8)]
        #expect(try CommandLineParser.words(fitting) == ["me", "강아지"])
        let broken = CommandFault.usage("word 2 of the command is not UTF-8: 'a\u{FFFD}'")
        #expect(throws: broken) {
            try CommandLineParser.words([Array("me".utf8), [0x61, 0xFF]])
        }
    }

    @Test func `the shortest timeout is accepted, a shorter one is refused`() throws {
        #expect(try parse("status --timeout 0.001").options.timeout == .milliseconds(1))
        #expect(fault("status --timeout 0.0009") != nil)
    }

    @Test func `a timeout of a day is accepted, a second more is refused`() throws {
        #expect(try parse("status --timeout 86400").options.timeout == .seconds(86_400))
        #expect(fault("status --timeout 86401") != nil)
    }

    @Test func `errors are written as JSON if --json precedes two hyphens`() {
        #expect(CommandLineParser.wantsJSON(["walk", "--nonsense", "--json"]))
        #expect(!CommandLineParser.wantsJSON(["peer", "add", "--", "--json"]))
    }
}
