import Foundation
import Testing

@testable import ProximityDropPanel

struct DropScreenTests {
    private func session(_ json: String) throws -> DropSession {
        try JSONDecoder().decode(DropSession.self, from: Data(json.utf8))
    }

    private func screen(_ json: String, left: Int? = nil) throws -> DropScreen {
        DropScreen(try session(json), secondsLeft: left)
    }

    private let peer =
        #""peer":{"device":"d","suffix":"p4t8","card":{"nickname":"Haneul","age":5}}"#

    @Test func `before a drop the user sees what is sent and with whom`() throws {
        let screen = try screen(#"{"phase":"idle"}"#)
        #expect(screen.showsChoice && screen.showsTarget && !screen.showsCode)
        #expect(screen.actions == [.cancel, .start])
    }

    @Test(arguments: ["finding", "exchanging", "deciding"])
    func `whatever runs can be cancelled`(phase: String) throws {
        #expect(try screen("{\"phase\":\"\(phase)\"}").actions.contains(.cancel))
    }

    @Test func `of several who pressed one is chosen`() throws {
        let screen = try screen(
            """
            {"phase":"finding",
             "candidates":[{"device":"a","suffix":"x"},{"device":"b","suffix":"y"}]}
            """
        )
        #expect(screen.showsTarget)
        #expect(screen.actions == [.cancel, .choose])
    }

    @Test func `an invitation shows what would be sent before it is accepted`() throws {
        let session = try session(
            #"{"phase":"idle","incoming":true,"peer":{"device":"d","suffix":"p4t8"}}"#)
        let screen = DropScreen(session, secondsLeft: nil)
        #expect(session.isInvitation)
        #expect(screen.title == "Somebody (p4t8) wants to drop profiles")
        #expect(screen.showsChoice && !screen.showsTarget)
        #expect(screen.actions == [.decline, .accept])
    }

    @Test func `the code is shown as soon as there is one, in two groups`() throws {
        let text = #"{"phase":"exchanging","checkCode":"048213"}"#
        #expect(try screen(text).showsCode)
        #expect(try session(text).spelledCheckCode == "048 213")
        #expect(try !screen(#"{"phase":"exchanging"}"#).showsCode)
    }

    @Test func `deciding asks by name, and after the answer waits`() throws {
        let asking = try screen("{\"phase\":\"deciding\",\(peer)}", left: 54)
        #expect(asking.title == "Become mates with Haneul?")
        #expect(asking.sentence == "54 s left.")
        #expect(asking.actions == [.cancel, .decline, .accept])
        let waiting = try screen("{\"phase\":\"deciding\",\"myAnswer\":\"accept\",\(peer)}")
        #expect(waiting.title == "Waiting for Haneul")
        #expect(waiting.actions == [.cancel])
    }

    @Test(arguments: ["waiting", "mates", "declined", "failed", "cancelled", "something new"])
    func `every end can be closed`(phase: String) throws {
        let screen = try screen("{\"phase\":\"\(phase)\",\(peer)}")
        #expect(screen.actions.contains(.close))
        #expect(screen.progress == nil)
    }

    @Test func `a failure is said in the node's words`() throws {
        let screen = try screen(#"{"phase":"failed","reason":"The other has gone silent."}"#)
        #expect(screen.sentence == "The other has gone silent.")
    }

    @Test(arguments: [(30, 0.0), (15, 0.5), (0, 1), (90, 0), (-5, 1)])
    func `the bar fills with the time and never past its ends`(left: Int, filled: Double) throws {
        #expect(try screen(#"{"phase":"finding"}"#, left: left).progress == filled)
    }

    @Test func `a card's fields come in reading order, unknown ones last`() throws {
        let card = try JSONDecoder().decode(
            CardFields.self,
            from: Data(
                """
                {"zodiac":"ox","keywords":["smart","shy"],"neutered":false,"age":1,
                 "nickname":"Mina"}
                """
                .utf8))
        #expect(
            card.rows == [
                .init(label: "Name", value: "Mina"), .init(label: "Age", value: "1 year"),
                .init(label: "Neutered", value: "no"),
                .init(label: "Keywords", value: "smart, shy"), .init(label: "zodiac", value: "ox"),
            ])
    }

    @Test func `a field of no known kind is refused`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CardFields.self, from: Data(#"{"x":{"y":1}}"#.utf8))
        }
    }

    @Test func `what is kept private is named`() throws {
        let preview = try JSONDecoder().decode(
            DropPreview.self, from: Data(#"{"fields":{},"keptPrivate":["age","size"]}"#.utf8))
        #expect(preview.keptPrivateText == "age, size")
        #expect(DropPreview(fields: .none, keptPrivate: []).keptPrivateText == nil)
    }
}
