import Foundation
import Testing

@testable import Desktop

struct ProfileFormTests {
    private func form(_ change: (inout ProfileForm) -> Void) -> ProfileForm {
        var form = ProfileForm()
        form.nickname = "Sora"
        form.dogName = "Bori"
        change(&form)
        return form
    }

    @Test(arguments: [("ab", true), ("a", false), ("abcdefgh", true), ("abcdefghi", false)])
    func `a name has 2 to 8 characters`(name: String, isGood: Bool) {
        #expect(form { $0.nickname = name }.isValid == isGood)
    }

    @Test func `a family emoji is one character`() {
        let family = "👨‍👩‍👧‍👦"
        #expect(form { $0.nickname = family }.fault(in: .nickname) != nil)
        #expect(form { $0.nickname = family + family }.fault(in: .nickname) == nil)
        #expect(form { $0.dogName = String(repeating: family, count: 15) }.isValid)
    }

    @Test func `a dog's name has 1 to 15 characters`() {
        #expect(!form { $0.dogName = "   " }.isValid)
        #expect(form { $0.dogName = "B" }.isValid)
        #expect(form { $0.dogName = String(repeating: "b", count: 15) }.isValid)
        #expect(!form { $0.dogName = String(repeating: "b", count: 16) }.isValid)
    }

    @Test(arguments: [
        ("0", true), ("99", true), ("100", false), ("-1", false), ("3.5", false),
        ("", true), (" 7 ", true), ("99999999999999999999", false),
    ])
    func `an age is a whole number from 0 to 99, or blank`(age: String, isGood: Bool) {
        #expect(form { $0.age = age }.isValid == isGood)
    }

    @Test func `two keywords fit and three do not`() {
        #expect(form { $0.keywords = ["smart", "shy"] }.isValid)
        #expect(!form { $0.keywords = ["smart", "shy", "friendly"] }.isValid)
    }

    @Test func `the fault says the limit and what is there`() {
        #expect(
            form { $0.nickname = "S" }.fault(in: .nickname)
                == "2 to 8 characters, please; this has 1.")
    }

    @Test func `what is blank is cleared and what is typed is trimmed`() {
        let edit = form {
            $0.nickname = "  Sora \n"
            $0.age = "3"
            $0.keptPrivate = [.size, .age]
        }.edit
        #expect(edit.nickname == "Sora")
        #expect(edit.age == 3)
        #expect(edit.keywords == nil)
        #expect(edit.keptPrivate == ["age", "size"])
        #expect(edit.clear == ["sex", "neutered", "size", "keywords"])
    }

    @Test func `the form of a node's answer sends the same back`() throws {
        let json = """
            {"person":"p","device":"d","suffix":"k3","complete":true,"nickname":"Sora",
             "dogName":"Bori","age":3,"sex":"female","neutered":true,"size":"small",
             "keywords":["smart"],"keptPrivate":["age"]}
            """
        let me = try JSONDecoder().decode(Me.self, from: Data(json.utf8))
        let edit = ProfileForm(me).edit
        #expect(edit.clear.isEmpty)
        #expect(edit.neutered == true)
        #expect(edit.keptPrivate == ["age"])
    }
}
