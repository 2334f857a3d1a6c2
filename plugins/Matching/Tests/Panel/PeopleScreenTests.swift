import Contract
import MatchingAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import MatchingPanel

/// The people who look, as the page lists them.
struct PeopleScreenTests {
    private func person(
        _ digit: Character, _ state: MatchingPersonState = .free, shares: Bool = true,
        wishes: [PersonWish] = [], metres: Double? = 320, answer: Sentence? = nil
    ) -> MatchingPerson {
        MatchingPerson(
            person: key(digit), name: "Ben", state: state, wishes: wishes, shares: shares,
            distanceMetres: metres,
            location: metres.map { _ in MatchingLocation(latitude: 37.5, longitude: 127) },
            age: 24, gender: .female, isMate: true, reviewCount: 2, answer: answer)
    }

    private func screen(
        _ people: [MatchingPerson], hidden: Int = 0, sharedOnly: Bool = false,
        isFiltered: Bool = false, recommended: [RecommendedWish] = []
    ) -> PeopleScreen {
        PeopleScreen(
            MatchingPeople(
                state: .seeking, recommended: recommended, people: people, hiddenCount: hidden),
            state: .seeking, sharedOnly: sharedOnly, isFiltered: isFiltered)
    }

    @Test func `a card says the distance and what the person gives, and marks shared wishes first`()
    {
        let wishes = [
            PersonWish(wish: "run", isShared: false), PersonWish(wish: "coffee", isShared: true),
        ]
        let entry = PersonEntry(person("b", wishes: wishes), in: .seeking)
        #expect(entry.name == "Ben" && entry.reviewCount == 2 && entry.isSharing)
        #expect(entry.line == "320 m · 24 years old · Woman · Mate")
        #expect(entry.wishes == "Wishes: ✓ coffee, run")
        #expect(PersonEntry(person("b"), in: .seeking).wishes == "Wishes: anything")
        let far = PersonEntry(person("b", .asking, metres: nil), in: .seeking)
        #expect(far.line.hasPrefix("Asks you · Distance not known · ") && far.initials == "Ben")
        var unnamed = person("b")
        unnamed.name = nil
        let stranger = PersonEntry(unnamed, in: .seeking)
        #expect(stranger.name == "Someone without a name (bbbbbb)" && stranger.initials.isEmpty)
    }

    @Test(
        arguments: [
            (.free, .seeking, [.ask]), (.free, .accepted, []), (.free, .matched, []),
            (.requested, .seeking, [.takeBack]), (.offering, .accepted, [.takeBack]),
            (.asking, .seeking, [.decline, .accept]), (.asking, .accepted, [.decline]),
            (.accepted, .accepted, [.cancel]), (.confirming, .confirming, [.cancel]),
            (.matched, .matched, [.openChat]), (.gone, .seeking, []), (.unknown, .seeking, []),
        ] as [(MatchingPersonState, MatchingState, [PersonEntry.Action])])
    func `what can be done about a person follows from both states`(
        theirs: MatchingPersonState, mine: MatchingState, actions: [PersonEntry.Action]
    ) {
        let entry = PersonEntry(person("b", theirs), in: mine)
        #expect(entry.actions == actions)
        let isSilent = theirs == .unknown || theirs == .free && mine == .seeking
        #expect((entry.note == nil) == isSilent)
    }

    @Test func `an answer to a request and the time to confirm are told on the card`() {
        let matched = PersonEntry(
            person("b", answer: "They are already matched."), in: .seeking)
        #expect(matched.note == "They are already matched." && matched.actions == [.ask])
        let gone = PersonEntry(
            person("b", .gone, answer: "They are already matched."), in: .seeking)
        #expect(gone.note == "They are already matched." && gone.actions.isEmpty)
        #expect(PersonEntry(person("b", .gone), in: .seeking).note == "They stopped looking.")
        let accepted = PersonEntry(
            person("b", .accepted), in: .accepted,
            acceptance: Countdown(timeLeft: .seconds(60), measuredAt: .zero), now: .seconds(50))
        #expect(accepted.note == "You accepted. They have to confirm: 10 s left.")
    }

    @Test func `the filter lists those who share a wish alone, in the order of the node`() {
        let people = [person("b"), person("c"), person("d", shares: false)]
        #expect(screen(people).people.map(\.person) == [key("b"), key("c"), key("d")])
        #expect(screen(people).heading == "3 people within 700 m" && screen(people).hint == nil)
        let shared = screen(people, sharedOnly: true)
        #expect(shared.people.map(\.person) == [key("b"), key("c")])
        #expect(screen([person("b")]).heading == "1 person within 700 m")
        #expect(screen([person("b"), person("c", .gone)]).heading == "1 person within 700 m")
    }

    @Test func `an empty list says why, and has the action that changes that`() {
        let unshared = screen([person("d", shares: false)], sharedOnly: true)
        #expect(unshared.remedy == .showAll && unshared.heading == nil)
        #expect(unshared.hint == "Nobody here shares a wish with you yet.")
        let filtered = screen([], hidden: 2, isFiltered: true)
        #expect(filtered.remedy == .clearFilters && filtered.hint?.contains("filters") == true)
        for hidden in [0, 2] {
            let alone = screen([], hidden: hidden)
            #expect(alone.remedy == nil)
            #expect(alone.hint?.hasPrefix("Nobody looks within 700 m yet.") == true)
            let left = screen([person("b", .gone)], hidden: hidden)
            #expect(left.heading == nil && left.hint == alone.hint && left.people.count == 1)
        }
        #expect(screen([person("b")], hidden: 1).hint?.hasPrefix("1 more person is") == true)
        #expect(screen([person("b")], hidden: 2).hint?.hasPrefix("2 more people are") == true)
        let before = PeopleScreen(nil, state: .seeking, sharedOnly: false, isFiltered: false)
        #expect(before.people.isEmpty && before.hint == nil && before.heading == nil)
    }

    @Test func `recommended wishes keep the order of their counts, and own ones have a mark`() {
        let shown = screen(
            [],
            recommended: [
                RecommendedWish(wish: "coffee", count: 3, isMine: true),
                RecommendedWish(wish: "run", count: 1, isMine: false),
            ]
        ).recommended
        #expect(shown.map(\.title) == ["✓ coffee · 3", "run · 1"])
        #expect(shown.first?.name == "Remove the wish “coffee”, which 3 people have")
        #expect(shown.last?.name == "Add the wish “run”, which 1 person has")
    }

    @Test func `the map shows those of the list whose location is known, and a circle of 700 m`()
        throws
    {
        let people = [
            person("b"), person("c", metres: nil), person("d", shares: false), person("e", .gone),
        ]
        let here = Coordinate(latitude: 37.5, longitude: 127)
        let listed = screen(people, sharedOnly: true).people
        let layer = MatchingLayer.make(people, entries: listed, around: here)
        #expect(layer.markers.map(\.id) == [MatchingLayer.markerID(of: key("b"))])
        let marker = try #require(layer.markers.first)
        #expect(MatchingLayer.person(of: marker.id) == key("b"))
        #expect(marker.title == "Ben" && marker.letter == "B")
        #expect(marker.offer == .person(key("b")))
        #expect(layer.circles.map(\.radiusMetres) == [700])
        #expect(MatchingLayer.make(people, entries: listed, around: nil).circles.isEmpty)
        #expect(MatchingLayer.person(of: key("b").string) == nil)
    }

    @Test func `a person without a name has no letter on the map`() {
        var unnamed = person("b")
        unnamed.name = nil
        let layer = MatchingLayer.make([unnamed], entries: screen([unnamed]).people, around: nil)
        #expect(layer.markers.map(\.title) == ["Someone without a name (bbbbbb)"])
        #expect(layer.markers.map(\.letter) == [""])
    }
}
