import Contract
import Testing

struct EventTests {
    private struct Change: EventBody {
        var number: Int?

        func sentence(_ names: EventNames) -> Sentence? { number.map { "\($0) dogs changed." } }
    }

    private static let dogs = Event<Change>("dog", help: "A dog changed.")
    private static let cats = Event<Change>("cat", help: "A cat changed.")

    @Test func `a declaration has the topic, the help and the shape of the body`() {
        let declaration = Self.dogs.declaration
        #expect(declaration.topic == "dog" && declaration.help == "A dog changed.")
        #expect(declaration.body == .object([.init("number", .integer, isRequired: false)]))
    }

    @Test func `an event is a sentence of its body, else its help`() {
        let names = EventNames()
        let dogs = Self.dogs.declaration
        #expect(dogs.sentence(for: ["number": 2], names) == "2 dogs changed.")
        #expect(dogs.sentence(for: [:], names) == "A dog changed.")
        #expect(dogs.sentence(for: ["number": "two"], names) == "A dog changed.")
        #expect(dogs.sentence(for: nil, names) == "A dog changed.")
    }

    @Test func `events after one change are published once each, in their order`() {
        let events = [2, 1, 2].map { EventMessage(Self.dogs, Change(number: $0)) }
        #expect(EventMessage.merged(events) == [events[0], events[1]])
    }

    @Test(arguments: [
        (EventMessage.atOnceCountMax, EventMessage.atOnceCountMax),
        (EventMessage.atOnceCountMax + 1, 1),
    ])
    func `as many events as allowed stay, and one more becomes one that names nothing`(
        count: Int, published: Int
    ) {
        let cat = EventMessage(Self.cats, Change(number: 1))
        let events = (0..<count).map { EventMessage(Self.dogs, Change(number: $0)) }
        let merged = EventMessage.merged(events + [cat])
        #expect(merged.count == published + 1 && merged.last == cat)
        #expect((merged[0].body == [:]) == (published == 1))
    }
}
