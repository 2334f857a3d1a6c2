import PluginHost
import PluginKit
import Records
import Testing

/// The spaces shared with a person, given the relations that the core answers.
@Suite struct RelationsTests {
    private let me = PersonID(raw: Digest.person.hash([1]))
    private let other = PersonID(raw: Digest.person.hash([2]))

    /// Returns relations of the given kinds with the other person, and groups.
    private func related(
        _ kinds: RelationKind..., blocked: Set<PersonID> = [],
        groups: [SpaceDescriptor: Set<PersonID>] = [:]
    ) -> Relationships {
        var relationships = Relationships()
        for kind in kinds { relationships.add(kind, with: other) }
        relationships.blocked = blocked
        relationships.groups = groups
        return relationships
    }

    @Test func `a stranger is offered nothing`() {
        #expect(related().spaces(sharedWith: other, me: me).isEmpty)
    }

    @Test func `a mate is offered the pair and both cards`() {
        let relations = related(.mate)
        #expect(
            relations.spaces(sharedWith: other, me: me)
                == [.between(me, other), .card(me), .card(other)])
    }

    @Test(arguments: [RelationKind.waiting, .ending])
    func `one edge alone shares the pair and no card`(kind: RelationKind) {
        let relations = related(kind)
        #expect(relations.spaces(sharedWith: other, me: me) == [.between(me, other)])
    }

    @Test(arguments: [RelationKind.requesting, .corresponding, .correspondenceEnding])
    func `a person who was asked counts as missing, and shares the pair and no card`(
        kind: RelationKind
    ) {
        let relations = related(kind)
        #expect(relations.people == [other] && relations.isKnown(other))
        #expect(relations.spaces(sharedWith: other, me: me) == [.between(me, other)])
        #expect(relations.people(sharing: .cards).isEmpty)
        #expect(relations.endsWhenAcknowledged(by: other) == (kind == .correspondenceEnding))
    }

    @Test func `a blocked person is offered nothing, not even the end of a mateship`() {
        let relations = related(.ending, blocked: [other])
        #expect(relations.spaces(sharedWith: other, me: me).isEmpty)
    }

    private let group = SpaceDescriptor.group(
        owner: PersonID(raw: Digest.person.hash([1])), nonce: .zero)

    @Test func `a member of a group who is not a mate is offered the group and nothing else`() {
        let relations = related(groups: [group: [me, other]])
        #expect(relations.spaces(sharedWith: other, me: me) == [group])
        #expect(relations.isKnown(other))
    }

    @Test func `a mate in a group is offered it in addition to the pair and the cards`() {
        let relations = related(.mate, groups: [group: [me, other]])
        #expect(
            relations.spaces(sharedWith: other, me: me)
                == [.between(me, other), .card(me), .card(other), group])
    }

    @Test func `a person in no group is offered no group`() {
        let relations = related(.waiting, groups: [group: [me]])
        #expect(relations.spaces(sharedWith: other, me: me) == [.between(me, other)])
        #expect(!related(groups: [group: [me]]).isKnown(other))
    }

    @Test func `a blocked person is not offered the group that both are in`() {
        let relations = related(blocked: [other], groups: [group: [me, other]])
        #expect(relations.spaces(sharedWith: other, me: me).isEmpty)
    }

    @Test func `this person's devices are offered their groups`() {
        let relations = related(groups: [group: [me]])
        #expect(relations.spaces(sharedWith: me, me: me) == [.own(me), group, .card(me)])
    }

    @Test func `this person's devices are offered ended pairs, and none of blocked people`() {
        var relations = related()
        relations.pairs = [me, other]
        #expect(
            relations.spaces(sharedWith: me, me: me) == [.own(me), .between(me, other), .card(me)])
        #expect(relations.spaces(sharedWith: other, me: me).isEmpty)
        relations.blocked = [other]
        #expect(relations.spaces(sharedWith: me, me: me) == [.own(me), .card(me)])
    }

    @Test func `no other person is offered this person's private spaces`() {
        let relations = related(.mate)
        #expect(!relations.spaces(sharedWith: other, me: me).contains(.own(me)))
    }

    /// A relation that the engine does not know by name.
    private let matched = RelationKind("matched", shares: [.pair])

    @Test func `a kind that a feature adds shares only the declared spaces`() {
        let relations = related(matched)
        #expect(relations.spaces(sharedWith: other, me: me) == [.between(me, other)])
        #expect(relations.isKnown(other) && !relations.has(.mate, with: other))
        #expect(relations.people(sharing: .cards).isEmpty)
        #expect(!relations.endsWhenAcknowledged(by: other))
    }

    @Test func `a person with several relations shares the spaces of all of them`() {
        let relations = related(matched, .mate)
        #expect(
            relations.spaces(sharedWith: other, me: me)
                == [.between(me, other), .card(me), .card(other)])
        #expect(related(matched, .ending).endsWhenAcknowledged(by: other))
    }
}
