import Foundation
import Contract
import Testing

@testable import CommandLineKit

struct CompletionScriptTests {
    private let script = CompletionScript(
        CommandTable(
            node: SampleTable.declarations.filter { ["walk", "peer"].contains($0.noun) }, here: []))

    @Test func `bash completes verbs after a noun and options after a command`() {
        #expect(
            script.text(for: .bash) == """
                # Completion of waggle for bash: eval "$(waggle completion bash)"
                _waggle() {
                    local word="${COMP_WORDS[COMP_CWORD]}" noun="" verb="" at
                    for ((at = 1; at < COMP_CWORD; at++)); do
                        case "${COMP_WORDS[at]}" in
                            --home|--timeout) ((at++)) ;;
                            -*) ;;
                            *) if [ -z "$noun" ]; then noun="${COMP_WORDS[at]}"
                               elif [ -z "$verb" ]; then verb="${COMP_WORDS[at]}"; fi ;;
                        esac
                    done
                    local words="--json --follow --home --timeout --help --version"
                    case "$noun $verb" in
                        ' ') words="peer walk $words" ;;
                        'peer add') words="$words" ;;
                        'peer remove'|'peer forget') words="$words" ;;
                        'peer '*) words="add remove forget $words" ;;
                        'walk ask') words="--latitude --message --at --count --share --no-share \
                --size --keywords $words" ;;
                        'walk list') words="$words" ;;
                        'walk '*) words="ask list $words" ;;
                    esac
                    COMPREPLY=($(compgen -W "$words" -- "$word"))
                }
                complete -o default -F _waggle waggle

                """)
    }

    @Test func `the script for fish has a line for every word`() {
        let lines = script.text(for: .fish).split(separator: "\n").map(String.init)
        #expect(
            lines.contains(
                "complete -c waggle -n '__fish_use_subcommand' -a peer -d 'add, remove'"))
        #expect(
            lines.contains(
                "complete -c waggle -n '__fish_seen_subcommand_from walk; "
                    + "and __fish_seen_subcommand_from ask' -l size -x -a 'small big' "
                    + "-d 'The dog\\'s size.'"))
        #expect(
            lines.contains(
                "complete -c waggle -n '__fish_seen_subcommand_from peer' -a 'remove forget' "
                    + "-d 'Forget an address.'"))
        #expect(
            lines.contains(
                "complete -c waggle -l home -r "
                    + "-d 'Store all data in this directory.'"))
    }

    @Test func `the script for zsh has the words of that for bash`() {
        let text = script.text(for: .zsh)
        #expect(text.contains("bashcompinit"))
        #expect(text.contains("'walk '*) words=\"ask list $words\" ;;"))
    }

    @Test func `bash completes words with the script`() throws {
        let script = CompletionScript(SampleTable.table).text(for: .bash)
        #expect(try complete(script, ["waggle", "wal"]) == ["walk"])
        #expect(try complete(script, ["waggle", "--home", "/h", "walk", "as"]) == ["ask"])
        #expect(try complete(script, ["waggle", "walk", "ask", "--me"]) == ["--message"])
        #expect(try complete(script, ["waggle", "completion", "f"]) == ["fish"])
        #expect(try complete(script, ["waggle", "node", "st"]) == ["stop"])
        #expect(try complete(script, ["waggle", "node", "--no-a"]) == ["--no-avahi"])
    }

    private func complete(_ script: String, _ words: [String]) throws -> [String] {
        let run = #"""
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _waggle
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        let bash = Process()
        bash.executableURL = URL(fileURLWithPath: "/bin/bash")
        bash.arguments = ["-c", script + run, "bash"] + words
        let output = Pipe()
        bash.standardOutput = output
        try bash.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        bash.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
