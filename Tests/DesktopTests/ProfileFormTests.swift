import Contract
import FeaturesAPI
import PanelTestSupport
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

    @Test(arguments: [
        ("", false), ("a", true), (String(repeating: "a", count: 20), true),
        (String(repeating: "a", count: 21), false),
    ])
    func `a name has 1 to 20 characters`(name: String, isGood: Bool) {
        #expect(form { $0.nickname = name }.isValid == isGood)
    }

    @Test func `a key is shown in groups of four digits`() {
        #expect(key("a").inGroups == Array(repeating: "aaaa", count: 16).joined(separator: " "))
    }

    @Test func `a family emoji is one character`() {
        let family = "👨‍👩‍👧‍👦"
        #expect(form { $0.nickname = family }.fault(in: .nickname) == nil)
        let tooMany = String(repeating: family, count: 21)
        #expect(form { $0.nickname = tooMany }.fault(in: .nickname) != nil)
        #expect(form { $0.dogName = String(repeating: family, count: 15) }.isValid)
    }

    @Test func `a dog's name has 1 to 15 characters or is left blank`() throws {
        #expect(form { $0.dogName = "   " }.isValid)
        #expect(try form { $0.dogName = "   " }.edit().dogName == nil)
        #expect(try form { $0.dogName = "   " }.edit().clear?.contains(.dogName) == true)
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
        #expect(form { $0.keywords = [.smart, .shy] }.isValid)
        #expect(!form { $0.keywords = [.smart, .shy, .friendly] }.isValid)
    }

    @Test func `the fault has the limit and the current length`() {
        #expect(form { $0.nickname = " " }.fault(in: .nickname) == "Your name must not be blank.")
        #expect(
            form { $0.nickname = String(repeating: "a", count: 21) }.fault(in: .nickname)
                == "Your name must have 1 to 20 characters; it has 21.")
    }

    @Test func `a blank field is cleared and a typed one is trimmed`() throws {
        let edit = try form {
            $0.nickname = "  Sora \n"
            $0.age = "3"
            $0.keptPrivate = [.size, .age]
        }.edit()
        #expect(edit.nickname?.string == "Sora")
        #expect(edit.age?.value == 3)
        #expect(edit.keywords == nil)
        #expect(edit.keptPrivate == [.age, .size])
        #expect(edit.clear == [.sex, .neutered, .size, .keywords])
    }

    @Test func `the form of a node's answer sends the same back`() throws {
        let me = MyProfile(
            nickname: "Sora", dogName: "Bori", age: 3, sex: .female, neutered: true,
            size: .small, keywords: [.smart], person: key("a"), device: key("b"),
            suffix: KeySuffix(key("a")),
            complete: true, keptPrivate: [.age])
        let edit = try ProfileForm(me).edit()
        #expect(edit.clear?.isEmpty == true)
        #expect(edit.neutered == true)
        #expect(edit.keywords?.words == [.smart])
        #expect(edit.keptPrivate == [.age])
    }
}
