import PluginKit
import Records
import Testing

@testable import Node

@Suite struct RelationsTests {
    private let me = PersonID(raw: Digest.person.hash([1]))
    private let other = PersonID(raw: Digest.person.hash([2]))

    @Test func `a stranger is offered nothing`() {
        #expect(Relations().spaces(sharedWith: other, me: me).isEmpty)
    }

    @Test func `a mate is offered the pair and both cards`() {
        let relations = Relations(pairs: [other: .mate])
        #expect(
            relations.spaces(sharedWith: other, me: me)
                == [.between(me, other), .card(me), .card(other)])
    }

    @Test(arguments: [Relations.PairState.waiting, .ending])
    func `one edge alone shares the pair and no card`(state: Relations.PairState) {
        let relations = Relations(pairs: [other: state])
        #expect(relations.spaces(sharedWith: other, me: me) == [.between(me, other)])
    }

    @Test func `a blocked person is offered nothing, not even the end of a mateship`() {
        let relations = Relations(pairs: [other: .ending], blocked: [other])
        #expect(relations.spaces(sharedWith: other, me: me).isEmpty)
    }

    @Test func `nobody else is offered what is mine alone`() {
        let relations = Relations(pairs: [other: .mate])
        #expect(!relations.spaces(sharedWith: other, me: me).contains(.own(me)))
    }
}
