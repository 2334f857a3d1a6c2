import Contract
import ControlAPI
import Node
import Testing

@testable import CommandLineKit

/// The lines of `waggle watch`.
struct EventSentenceTests {
    private static let mina = try? Key("ab12" + String(repeating: "0", count: 60))
    private let table = CommandTable(node: [], events: EventCatalogue.declarations, here: [])
    private let names = EventNames(mina.map { [$0: "Mina"] } ?? [:])

    @Test(arguments: [
        ("mates", #"{"person":"KEY","part":"presence"}"#, "Mina came or left."),
        ("mates", #"{"person":"KEY","part":"later"}"#, "A mate changed"),
        ("mates", #"{"person":"cd34","part":"profile"}"#, "A mate changed"),
        ("walk", #"{"person":"KEY"}"#, "A walk request with Mina changed."),
        ("location", #"{"person":"KEY","me":false}"#, "Mina shows another location."),
        ("location", #"{"person":"KEY","me":true}"#, "Your location changed."),
        ("link", #"{"person":"KEY","state":"up"}"#, "Connected with Mina."),
        ("link", #"{"state":"down"}"#, "No longer connected with a device."),
        ("status", #"{"discovery":"noBus"}"#, "This device cannot look for people"),
        ("promise", #"{"parts":["positions"]}"#, "Someone on the way to a promise moved."),
        ("drop", #"{"phase":"deciding"}"#, "A drop waits for your answer"),
        ("chat", "{}", "A room changed"),
        ("later", "{}", "later"),
    ])
    func `an event is a sentence with names`(topic: String, body: String, start: String) throws {
        let key = try #require(Self.mina).string
        let payload = try JSONValue(
            parsing: Array(body.replacing("KEY", with: key).utf8))
        let event = NodeEvent(topic: topic, payload: payload)
        #expect(table.sentence(for: event, names).english.hasPrefix(start))
    }

    @Test func `an event about a person without a name contains no key`() throws {
        let key = try #require(Self.mina).string
        for declaration in EventCatalogue.declarations {
            let event = NodeEvent(
                topic: declaration.topic, payload: ["person": .string(key)])
            let sentence = table.sentence(for: event, EventNames()).english
            #expect(!sentence.contains("ab12") && sentence.hasSuffix("."))
        }
    }
}
