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

    private let group = SpaceDescriptor.group(
        owner: PersonID(raw: Digest.person.hash([1])), nonce: .zero)

    @Test func `somebody of a group who is no mate is offered the group and nothing else`() {
        let relations = Relations(groups: [group: [me, other]])
        #expect(relations.spaces(sharedWith: other, me: me) == [group])
        #expect(relations.isKnown(other))
    }

    @Test func `a mate of a group is offered it beside the pair and the cards`() {
        let relations = Relations(pairs: [other: .mate], groups: [group: [me, other]])
        #expect(
            relations.spaces(sharedWith: other, me: me)
                == [.between(me, other), .card(me), .card(other), group])
    }

    @Test func `who is in no group is offered none`() {
        let relations = Relations(pairs: [other: .waiting], groups: [group: [me]])
        #expect(relations.spaces(sharedWith: other, me: me) == [.between(me, other)])
        #expect(!Relations(groups: [group: [me]]).isKnown(other))
    }

    @Test func `a blocked person is not offered the group that both are in`() {
        let relations = Relations(blocked: [other], groups: [group: [me, other]])
        #expect(relations.spaces(sharedWith: other, me: me).isEmpty)
    }

    @Test func `my own devices are offered my groups`() {
        let relations = Relations(groups: [group: [me]])
        #expect(relations.spaces(sharedWith: me, me: me) == [.own(me), .card(me), group])
    }

    @Test func `nobody else is offered what is mine alone`() {
        let relations = Relations(pairs: [other: .mate])
        #expect(!relations.spaces(sharedWith: other, me: me).contains(.own(me)))
    }
}
