public import Contract
internal import NodeAPI

/// A command that the command line performs itself.
public enum LocalCommand: String, CaseIterable, Sendable {
    case initialise = "init"
    case node
    case practice
    case doctor
    case watch
    case backup
    case restore
    case export
    case completion
    case manual
    case help

    /// The declaration, for the command line and its help. It derives from the types of the request
    /// and of the answer, as that of a node's command does.
    public var declaration: CommandDeclaration {
        switch self {
        case .initialise:
            command(
                Initialise.self, CreatedIdentity.self,
                "Create your identity on this device and show its recovery words, once.",
                topics: [
                    .example(
                        .start, command: "waggle init",
                        effect: "creates your identity and shows its recovery words, once"),
                    .example(
                        .start, command: "waggle init --recover",
                        effect: "asks for your nine words, to bring your identity back"),
                    .example(
                        .start, command: "waggle init --join CODE",
                        effect: "makes this device yours by the code of your other one"),
                ])
        case .node:
            command(
                RunNode.self, StartedNode.self,
                "Run Waggle in the foreground until it is stopped.",
                topics: [
                    .example(
                        .start, command: "waggle node", effect: "runs Waggle until Ctrl-C")
                ])
        case .doctor:
            command(
                Diagnose.self, NodeDiagnosis.self,
                "Show why people do not find each other, and how to fix it.")
        case .practice:
            command(
                Practise.self, Done.self,
                "Run a practice mate on this computer, who plays along until it is stopped.",
                topics: [
                    .example(
                        .start, command: "waggle practice",
                        effect: "starts a practice mate, to try everything alone")
                ])
        case .watch:
            command(
                Watch.self, WatchedEvent.self, "Print what changes as it happens, until Ctrl-C.",
                topics: [
                    .example(
                        .scripts, command: "waggle watch link status --json",
                        effect: "one line for each change of these topics")
                ])
        case .backup:
            command(
                MakeBackup.self, WrittenBackup.self,
                "Write a backup of everything, with this device's key, to a new file.")
        case .restore:
            command(
                RestoreHome.self, RestoredHome.self,
                "Restore a backup into an empty home directory.")
        case .export:
            command(
                MakeExport.self, WrittenExport.self,
                "Write everything readable as JSON, to a new file or standard output.")
        case .completion:
            command(MakeCompletion.self, Done.self, "Print the completion script of a shell.")
        case .manual:
            command(
                NoParameters.self, Done.self, "Print the manual page, for 'man -l' or an installer."
            )
        case .help:
            command(
                ShowHelp.self, Done.self,
                "Show all commands, one of them in full, or a topic such as 'times'.")
        }
    }

    /// The declarations, in the order of the help.
    public static let declarations = allCases.map(\.declaration)

    private func command<Request: CommandRequest, Answer: Codable & Sendable>(
        _ request: Request.Type, _ answer: Answer.Type, _ help: String,
        topics: [HelpTopicPart] = []
    ) -> CommandDeclaration {
        Command<Request, Answer>(.action, rawValue, "", help: help, topics: topics).declaration
    }
}
