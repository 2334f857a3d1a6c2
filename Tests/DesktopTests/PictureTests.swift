import Foundation
import GtkKit
import Testing

@testable import Desktop

struct PictureTests {
    private func decode<Answer: Decodable>(_ json: String, as type: Answer.Type) throws -> Answer {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    private func mate(
        _ person: String, _ name: String, suffix: String, rest: String = ""
    ) -> String {
        """
        {"person":"\(person)","suffix":"\(suffix)","state":"mate","present":false,
         "profile":{"nickname":"\(name)"}\(rest)}
        """
    }

    @Test func `two mates of one name show the end of their keys and others do not`() throws {
        let list = try decode(
            """
            {"mates":[\(mate("p1", "Mina", suffix: "aa")),\(mate("p2", "Mina", suffix: "bb")),
            \(mate("p3", "Jun", suffix: "cc"))]}
            """, as: MateList.self)
        #expect(list.names == ["p1": "Mina · aa", "p2": "Mina · bb", "p3": "Jun"])
    }

    @Test func `a place that is not on Earth is on no map`() throws {
        var picture = Picture()
        picture.mates = try decode(
            """
            {"mates":[\(mate("p1", "Mina", suffix: "aa",
                rest: ",\"place\":{\"latitude\":91,\"longitude\":0,\"ageSeconds\":3}"))]}
            """, as: MateList.self)
        #expect(MapMarker.all(in: picture, nowMs: 0).isEmpty)
    }

    @Test func `a fix older than two minutes is drawn as stale`() throws {
        var picture = Picture()
        picture.mates = try decode(
            """
            {"mates":[\(mate("p1", "Mina", suffix: "aa",
                rest: ",\"place\":{\"latitude\":1,\"longitude\":2,\"atMs\":1000}"))]}
            """, as: MateList.self)
        let fresh = MapMarker.all(in: picture, nowMs: 121_000)
        let old = MapMarker.all(in: picture, nowMs: 122_000)
        #expect(fresh.map(\.isStale) == [false])
        #expect(old.map(\.isStale) == [true])
        #expect(old.map(\.detail) == ["2 min ago"])
    }

    @Test func `a request of an unknown state is shown and cannot be answered`() throws {
        let request = try decode(
            """
            {"id":"w","direction":"received","person":"p","latitude":1,"longitude":2,
             "message":"m","createdMs":5,"state":"reconsidered"}
            """, as: WalkRequest.self)
        #expect(request.state == .unknown)
        #expect(request.answers.isEmpty)
    }

    @Test(arguments: [
        ("received", "pending", ["Accept", "Decline"]),
        ("received", "delivered", ["Accept", "Decline"]),
        ("received", "accepted", []), ("received", "missed", []),
        ("sent", "queued", ["Cancel request"]),
        ("sent", "delivered", ["Cancel request"]), ("sent", "expired", []),
    ])
    func `what can be done about a request follows its state`(
        direction: String, state: String, answers: [String]
    ) throws {
        let request = try decode(
            """
            {"id":"w","direction":"\(direction)","person":"p","latitude":1,"longitude":2,
             "message":"m","createdMs":5,"state":"\(state)"}
            """, as: WalkRequest.self)
        #expect(request.answers.map(\.rawValue) == answers)
    }

    @Test(arguments: [
        ("sent", "queued", "Queued"), ("sent", "delivered", "Delivered"),
        ("sent", "accepted", "Accepted"), ("sent", "declined", "Declined"),
        ("sent", "cancelled", "You cancelled"), ("sent", "expired", "Not answered in time"),
        ("sent", "notAnswered", "Not answered in time"), ("received", "missed", "Missed"),
        ("received", "expired", "It ran out"), ("received", "cancelled", "They cancelled"),
    ])
    func `every state of a request has its own words`(
        direction: String, state: String, words: String
    ) throws {
        let request = try decode(
            """
            {"id":"w","direction":"\(direction)","person":"p","latitude":1,"longitude":2,
             "message":"m","createdMs":5,"state":"\(state)"}
            """, as: WalkRequest.self)
        #expect(request.stateText.hasPrefix(words))
    }

    @Test func `the nearby line counts everybody and names at most three`() throws {
        let people = ["Ann", "Bo", "Cy", "Di"].map {
            """
            {"device":"d\($0)","suffix":"s","name":"\($0)","mate":false,"dropOpen":false}
            """
        }
        let nearby = try decode(
            "{\"people\":[\(people.joined(separator: ","))]}", as: Nearby.self)
        #expect(nearby.summary == "4 people nearby: Ann, Bo, Cy and 1 more.")
        #expect(Nearby(people: [], emptyReason: nil).summary == "Nobody is nearby.")
    }

    @Test func `a distance that is not known is absent and not zero`() {
        let known = NearbyPerson(
            device: "d", suffix: "s", name: "Ann", mate: false, dropOpen: false,
            distanceMetres: 12.4)
        let unknown = NearbyPerson(
            device: "d", suffix: "s", name: "Ann", mate: false, dropOpen: false)
        #expect(known.spelledName == "Ann (12 m)")
        #expect(unknown.spelledName == "Ann")
        let senseless = NearbyPerson(
            device: "d", suffix: "s", name: "Ann", mate: false, dropOpen: false,
            distanceMetres: -1)
        #expect(senseless.spelledName == "Ann")
    }

    @Test func `an inbox item about a walk request has no second row`() throws {
        var picture = Picture()
        picture.walks = try decode(
            """
            {"requests":[{"id":"w1","direction":"received","person":"p","latitude":1,
            "longitude":2,"message":"m","createdMs":5,"state":"pending"}]}
            """, as: WalkList.self)
        picture.inbox = try decode(
            """
            {"items":[{"id":"i1","kind":"walk","title":"t","body":"b","atMs":1,"handled":false,
            "actions":[],"ref":"w1"},{"id":"i2","kind":"drop","title":"t","body":"b","atMs":1,
            "handled":false,"actions":[]},{"id":"i3","kind":"drop","title":"t","body":"b",
            "atMs":1,"handled":true,"actions":[]}]}
            """, as: Inbox.self)
        #expect(picture.otherItems.map(\.id) == ["i2"])
    }
}
