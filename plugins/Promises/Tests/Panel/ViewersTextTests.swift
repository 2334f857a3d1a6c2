import Contract
import PanelTestSupport
import PromisesAPI
import Testing

@testable import PromisesPanel

/// The sentence that says who sees the user's location on the way.
@MainActor struct ViewersTextTests {
    private func person(_ name: String) -> PromisePerson {
        PromisePerson(
            person: key("b"), suffix: KeySuffix(key("b")), name: name, me: false, state: .member)
    }

    @Test(
        arguments: [
            ([], "Those who take part see"), (["Jun"], "Jun sees"),
            (["Jun", "Mina"], "Jun and Mina see"),
            (["Ann", "Jun", "Mina"], "Ann, Jun and Mina see"),
            (["Ann", "Ben", "Jun", "Mina"], "Ann, Ben and 2 others see"),
        ] as [([String], String)])
    func `the sentence names those who see the user's location`(names: [String], begin: String) {
        let text = ViewersText(names.map { person($0) })
        #expect(text.sentence(.sharing) == "\(begin) your location until you arrive")
    }

    @Test func `a location that is unknown, or sent by another device, is said too`() {
        let text = ViewersText([person("Ben")])
        #expect(
            text.sentence(.searching)
                == "Your location is unknown: Ben will see it as soon as it is known")
        #expect(
            text.sentence(.elsewhere)
                == "Another device of yours shows your location to Ben until you arrive")
        #expect(text.sentence(.stopped) == nil)
    }
}
