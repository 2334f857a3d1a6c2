import Contract
import ControlAPI
import FeaturesAPI
import ProximityDropAPI
import Testing

@testable import ProximityDropPanel

struct DropScreenTests {
    /// Returns the status with these members; the other required members are added.
    private func session(_ json: String) throws -> DropStatus {
        guard case .object(var members) = try JSONValue(parsing: json.utf8) else { return .idle }
        members["ranged"] = ["available": false]
        return try JSONValue.object(members).decoded()
    }

    private func screen(_ json: String, left: Int? = nil) throws -> DropScreen {
        DropScreen(try session(json), secondsLeft: left)
    }

    private let peer =
        "\"peer\":{\"device\":\"\(key("d"))\",\"suffix\":\"p4t8\","
        + #""card":{"nickname":"Haneul","age":5}}"#

    @Test func `before a drop the user sees which fields are sent and to whom`() throws {
        let screen = try screen(#"{"phase":"idle"}"#)
        #expect(screen.showsChoice && screen.showsTarget && !screen.showsCode)
        #expect(screen.actions == [.cancel, .start])
    }

    @Test(arguments: ["finding", "exchanging", "deciding"])
    func `every running phase can be cancelled`(phase: String) throws {
        #expect(try screen("{\"phase\":\"\(phase)\"}").actions.contains(.cancel))
    }

    @Test func `the user chooses one of several people who pressed`() throws {
        let screen = try screen(
            """
            {"phase":"finding",
             "candidates":[{"device":"\(key("a"))","suffix":"x"},
                           {"device":"\(key("b"))","suffix":"y"}]}
            """
        )
        #expect(screen.showsTarget)
        #expect(screen.actions == [.cancel, .choose])
    }

    @Test func `an invitation shows the fields to be sent before it is accepted`() throws {
        let session = try session(
            """
            {"phase":"idle","incoming":true,"peer":{"device":"\(key("d"))","suffix":"p4t8"}}
            """)
        let screen = DropScreen(session, secondsLeft: nil)
        #expect(session.isInvitation)
        #expect(screen.title == "Person nearby (p4t8) wants to drop profiles")
        #expect(screen.showsChoice && !screen.showsTarget)
        #expect(screen.actions == [.decline, .accept])
    }

    @Test func `the code is shown as soon as it exists, in two groups`() throws {
        let text = #"{"phase":"exchanging","checkCode":"048213"}"#
        #expect(try screen(text).showsCode)
        #expect(try session(text).spelledCheckCode == "048 213")
        #expect(try !screen(#"{"phase":"exchanging"}"#).showsCode)
    }

    @Test func `a decision asks by name, and the screen waits after the answer`() throws {
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

    @Test func `a failure is shown in the node's words`() throws {
        let screen = try screen(#"{"phase":"failed","reason":"The other has gone silent."}"#)
        #expect(screen.sentence == "The other has gone silent.")
    }

    @Test(arguments: [(30, 0.0), (15, 0.5), (0, 1), (90, 0), (-5, 1)])
    func `the bar fills with the time and never past its ends`(left: Int, filled: Double) throws {
        #expect(try screen(#"{"phase":"finding"}"#, left: left).progress == filled)
    }

    @Test func `a card's fields come in reading order`() {
        let card = CardFields(
            ProfileFields(
                nickname: "Mina", age: 1, neutered: false, size: .big, keywords: [.smart, .shy]))
        #expect(
            card.rows == [
                .init(label: "Name", value: "Mina"), .init(label: "Age", value: "1 year"),
                .init(label: "Neutered", value: "no"), .init(label: "Size", value: "big"),
                .init(label: "Keywords", value: "smart, shy"),
            ])
    }

    @Test func `a field that a newer node added is omitted`() throws {
        let session = try session(
            "{\"phase\":\"deciding\",\"peer\":{\"device\":\"\(key("d"))\",\"suffix\":\"p4t8\","
                + #""card":{"nickname":"Mina","zodiac":"ox"}}}"#)
        #expect(session.peer?.fields.rows == [.init(label: "Name", value: "Mina")])
    }

    @Test func `the private fields are listed`() {
        let preview = DropPreview(fields: ProfileFields(), keptPrivate: [.age, .size])
        #expect(preview.keptPrivateText == "age, size")
        #expect(DropPreview(fields: ProfileFields(), keptPrivate: []).keptPrivateText == nil)
    }

    @Test func `a device to drop with is named as far as it is known`() {
        let peer = DropStatus.Peer(device: key("d"), suffix: "p4t8")
        #expect(DropTarget(peer).label == "Person nearby (p4t8)")
        let person = NearbyList.Person(
            device: key("d"), suffix: "p4t8", name: "Ann", mate: false, dropOpen: true,
            sinceMs: .example)
        #expect(DropTarget(person).label == "Ann, waiting for a drop")
    }
}
