import ChatAPI
import Contract
import FeaturesAPI
import PromisesAPI
import Testing

@testable import CommandLineKit

/// The tables of real answers, on terminals and elsewhere.
@Suite struct TablesTests {
    private func text(_ sample: SampleAnswers.Sample, widthMax: Int?) -> String {
        ResultRenderer(of: sample.schema, now: SampleAnswers.now, widthMax: widthMax)
            .text(for: sample.answer)
    }

    private func lines<Answer: Codable & Sendable>(
        _ command: Command<some CommandRequest, Answer>, _ answer: Answer, widthMax: Int?
    ) -> [String] {
        text(SampleAnswers.Sample(command, answer), widthMax: widthMax)
            .split(separator: "\n").map(String.init)
    }

    @Test(arguments: [80, 120])
    func `every table fits the terminal, and none falls apart into blocks`(width: Int) throws {
        for sample in try SampleAnswers.all() {
            let lines = text(sample, widthMax: width).split(separator: "\n").map(String.init)
            let wide = lines.filter { $0.displayWidth > width }
            #expect(wide.isEmpty, "\(sample.name): \(wide)")
            let heads = lines.filter { line in
                line.contains("  ") && line.contains(where: \.isLetter)
                    && line == line.uppercased() && !line.contains(where: \.isNumber)
            }
            #expect(!heads.isEmpty, "\(sample.name) has no table: \(lines)")
            let ids = lines.filter { $0.contains(/[0-9a-f]{7}/) }
            #expect(ids.isEmpty, "\(sample.name): \(ids)")
        }
    }

    @Test func `mates have a name, their dog's name, and a key to type`() throws {
        let lines = lines(MateCommands.list, try SampleAnswers.mates(), widthMax: 80)
        let head = lines[0].split(separator: " ").map(String.init)
        #expect(head.starts(with: ["NAME", "DOG", "NAME", "STATE", "KEY"]))
        #expect(!head.contains("PERSON") && !head.contains("PROFILE"))
        #expect(lines.contains { $0.contains("콩이") && $0.contains("3fa2c1") })
    }

    @Test func `two people of one name are told apart by their keys`() throws {
        let lines = lines(MateCommands.list, try SampleAnswers.mates(), widthMax: 80)
        #expect(lines.contains { $0.hasPrefix("Mina ") && $0.contains("90bb17") })
        #expect(lines.contains { $0.hasPrefix("Mina next door ") && $0.contains("3fa2c1") })
    }

    @Test func `ids whose first six digits are equal are shown with as many as differ`() throws {
        let ids = try ["abcdef01", "abcdef02"].map(SampleAnswers.key)
        let groups = ids.map { id in
            GroupSummary(id: id, name: "Walkers", state: .member, peopleCount: 2)
        }
        let lines = lines(GroupCommands.list, GroupList(groups: groups), widthMax: 80)
        #expect(lines[1].contains(" abcdef01 ") && lines[2].contains(" abcdef02 "))
    }

    @Test func `a pipe has one line for each row, with all columns and whole ids`() throws {
        let mates = try SampleAnswers.mates()
        let lines = lines(MateCommands.list, mates, widthMax: nil)
        #expect(lines.count == 1 + mates.mates.count)
        #expect(lines[0].contains("PERSON") && lines[0].contains("LOCATION"))
        for (line, mate) in zip(lines.dropFirst(), mates.mates) {
            #expect(line.contains(mate.person.string))
        }
        let walks = self.lines(WalkCommands.list, try SampleAnswers.walks(), widthMax: nil)
        #expect(walks[1].contains("Shall we go to the river? I have the long lead with me today."))
    }

    @Test func `the ledger says who owes whom, and shows no zeros`() throws {
        let lines = lines(PromiseCommands.ledger, try SampleAnswers.ledger(), widthMax: 80)
        #expect(lines.contains("  Mina owes you 500 potatoes for Dinner."))
        #expect(!lines.contains { $0.split(separator: " ").contains("0") })
    }

    @Test func `details are shown if there is room`() throws {
        let (narrow, wide) = (
            lines(GroupCommands.list, try SampleAnswers.groups(), widthMax: 80)[0],
            lines(PromiseCommands.list, try SampleAnswers.promises(), widthMax: 200)[0]
        )
        #expect(narrow.contains("ROLE"))
        #expect(wide.contains("PENALTY") && wide.contains("LATITUDE"))
        let promises = lines(PromiseCommands.list, try SampleAnswers.promises(), widthMax: 80)[0]
        #expect(!promises.contains("LATITUDE"))
    }

    @Test func `a word of the program is shown as words`() throws {
        let lines = lines(WalkCommands.list, try SampleAnswers.walks(), widthMax: 120)
        #expect(lines.contains { $0.contains("not answered") })
    }
}
