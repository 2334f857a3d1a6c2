import Contract
import ControlAPI
import Node
import NodeAPI
import Testing
import TimePhrases

@testable import CommandLineKit

@Suite struct KoreanTextTests {
    private let table = CommandTable(
        node: CommandCatalogue.declarations, events: EventCatalogue.declarations)

    @Test func `the help of every command and topic has no English line`() throws {
        let help = HelpText(table, in: try Catalogue(.ko))
        var subjects = [[]] + table.nouns.map { [$0] }
        subjects += table.entries.map { $0.name.split(separator: " ").map(String.init) }
        subjects += HelpTopicName.allCases.map { [$0.rawValue] }
        for subject in subjects {
            let lines = Self.lines(of: try help.text(on: subject))
            let english = lines.filter { !$0.isKorean }
            #expect(english.isEmpty, "\(subject): \(english)")
        }
    }

    @Test func `no line of a topic in Korean is wider than a terminal`() throws {
        for topic in HelpTopic.all(of: table, in: try Catalogue(.ko)) {
            let wide = topic.text.split(separator: "\n").filter { String($0).displayWidth > 80 }
            #expect(wide.isEmpty, "\(wide)")
        }
    }

    @Test func `a refusal is shown in Korean, with the particles of its values`() throws {
        let fault = CommandFault.refused(
            "You can make promises only with mates, and \("벤") is not one; meet them first.")
        let read = try #require(CommandFault(envelope: fault.envelope))
        #expect(
            try Catalogue(.ko).text(read.reason)
                == "약속은 메이트와만 할 수 있는데 벤은 메이트가 아니에요. 먼저 만나세요.")
    }

    @Test func `a wrong value is described in Korean`() throws {
        let table = SampleTable.table
        let parser = CommandLineParser(table, now: Timestamp(milliseconds: 0))
        do throws(CommandFault) {
            _ = try parser.parse(["nosuch"])
            Issue.record("there is such a command")
        } catch {
            #expect(try Catalogue(.ko).text(error.reason).hasPrefix("'nosuch' 명령은 없어요"))
        }
    }

    @Test func `columns of Hangul are aligned, and words of the program are in Korean`() throws {
        let schema = Schema.object([
            Schema.Member(
                "walks",
                .list(
                    .object([
                        Schema.Member("name", .text),
                        Schema.Member("state", .text(.choice(["accepted", "declined"]))),
                    ])))
        ])
        let renderer = ResultRenderer(
            of: schema, now: Timestamp(milliseconds: 0), in: try Catalogue(.ko))
        let text = renderer.text(
            for: [
                "walks": [
                    ["name": "민아", "state": "accepted"], ["name": "declined", "state": "declined"],
                ]
            ])
        #expect(
            text == """
                이름      상태
                민아      수락됨
                declined  거절됨

                """)
    }

    @Test func `the sentence beside a text is shown in its place`() throws {
        let answer = JSONValue(
            encoding: NodeDiagnosis.Fix(advice: "Set the clock by the network.", command: nil))
        #expect(answer["advice"] == "Set the clock by the network.")
        let korean = ResultRenderer(
            now: Timestamp(milliseconds: 0), in: try Catalogue(.ko)
        ).text(for: answer)
        #expect(korean == "도움말  네트워크로 시계를 맞추세요.\n")
        let english = ResultRenderer(
            now: Timestamp(milliseconds: 0), in: .english
        ).text(for: answer)
        #expect(english == "advice  Set the clock by the network.\n")
    }

    /// Returns the lines of a help text that hold words for people: no blank ones, no commands as
    /// they are typed, and no shape of JSON.
    private static func lines(of help: String) -> [String] {
        var isShape = false
        return help.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            defer { if line.hasPrefix("--json") { isShape = true } }
            if line.isEmpty { isShape = false }
            return line.isEmpty || isShape || line.hasPrefix("  waggle ") ? nil : String(line)
        }
    }
}

extension String {
    fileprivate var isKorean: Bool { contains { ("가"..."힣").contains($0) } }
}
