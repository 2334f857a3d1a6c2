import Foundation
import Localization
import Testing

struct SentenceTests {
    @Test func `a literal is a template with numbered placeholders`() {
        let (name, metres) = ("Haru", 30)
        let sentence: Sentence = "\(name) is \(metres) m away"
        #expect(sentence.template == "%1 is %2 m away")
        #expect(sentence.arguments == [.text("Haru"), .text("30")])
        #expect(sentence.english == "Haru is 30 m away")
    }

    @Test func `percent signs stay what they are in templates and in arguments`() {
        let sentence: Sentence = "100 % of \("50 %1")%"
        #expect(sentence.template == "100 %% of %1%%")
        #expect(sentence.english == "100 % of 50 %1%")
    }

    @Test func `a digit after a placeholder is text`() {
        let sentence: Sentence = "\("a")0 and \("b")1"
        #expect(sentence.template == "%10 and %21")
        #expect(sentence.english == "a0 and b1")
    }

    @Test func `joined literals are one template`() {
        let sentence: Sentence = "\("Ann") and 5 % " + "of \("Ben") and \("Cho")"
        #expect(sentence.template == "%1 and 5 %% of %2 and %3")
        #expect(sentence.english == "Ann and 5 % of Ben and Cho")
    }

    @Test(arguments: [(0, "0 dogs"), (1, "1 dog"), (2, "2 dogs"), (21, "21 dogs")])
    func `a count of one has its own wording in English`(count: Int, text: String) {
        let sentence = Sentence(count: count, one: "1 dog", other: "\(count) dogs")
        #expect(sentence.english == text)
        #expect(sentence.template == "%1 dogs")
    }

    @Test func `a sentence may insert another one`() {
        let age: Sentence = "\(3) min ago"
        let sentence: Sentence = "Last seen \(age)"
        #expect(sentence.arguments == [.sentence(age)])
        #expect(sentence.english == "Last seen 3 min ago")
    }

    @Test func `a verbatim text keeps its percent signs`() {
        #expect(Sentence(verbatim: "100 %1 %%").english == "100 %1 %%")
    }

    @Test func `a sentence survives JSON`() throws {
        let dogs = Sentence(count: 1, one: "1 dog", other: "\(1) dogs")
        let sentence: Sentence = "\("Ann") has \(dogs)"
        let bytes = try JSONEncoder().encode(sentence)
        #expect(try JSONDecoder().decode(Sentence.self, from: bytes) == sentence)
    }

    @Test(arguments: [(9, true), (10, false)])
    func `a sentence from outside has at most nine arguments`(count: Int, isRead: Bool) {
        let arguments = Array(repeating: "\"a\"", count: count).joined(separator: ",")
        let json = Data("{\"template\":\"%1\",\"arguments\":[\(arguments)]}".utf8)
        let sentence = try? JSONDecoder().decode(Sentence.self, from: json)
        #expect((sentence != nil) == isRead)
    }
}
