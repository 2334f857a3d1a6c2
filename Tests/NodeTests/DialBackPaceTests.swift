import Testing

@testable import Node

@Suite struct DialBackPaceTests {
    @Test func `a peer is dialled back once in ten seconds`() {
        var pace = DialBackPace()
        #expect(pace.permitsDial(now: .seconds(3)))
        pace.begin(now: .seconds(3))
        pace.end()
        #expect(!pace.permitsDial(now: .milliseconds(12_999)))
        #expect(pace.permitsDial(now: .seconds(13)))
    }

    @Test func `the next attempt waits until the socket of the last one is closed`() {
        var pace = DialBackPace()
        pace.begin(now: .zero)
        #expect(!pace.permitsDial(now: .seconds(11)))
        pace.end()
        #expect(pace.permitsDial(now: .seconds(11)))
    }
}
