import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// The invitations to groups on the desktop.
@Suite struct GroupNoticeTests {
    /// Ann, who has invited Ben to a group.
    private func invited(
        _ network: TestNetwork
    ) async throws -> (ann: TestHost, ben: TestHost, group: Key) {
        let (ann, ben) = try await network.mates()
        _ = (ann.drainNotices(), ben.drainNotices())
        let group = try await ann.createGroup("Walkers")
        try await ann.invite(ben, to: group)
        try await network.settle()
        return (ann, ben, group)
    }

    @Test func `an invitation is shown once, with two buttons and without its text if asked`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben, _) = try await invited(network)
            let notices = ben.drainNotices()
            let notice = try #require(notices.first)
            #expect(notices.count == 1)
            #expect(notice.title == "Ann invites you to Walkers")
            #expect(notice.withoutText == "Ann invites you to a group")
            #expect(notice.person == ann.me.person)
            #expect(notice.actions.map(\.label) == ["Accept", "Decline"])
            let item = try #require(try await ben.inboxItems().first { !$0.handled })
            #expect(notice.subject.kind == item.kind)
            #expect(notice.subject.reference == item.ref?.string)
            await ben.start()
            try await network.settle()
            #expect(ben.drainNotices().isEmpty)
            #expect(ann.drainNotices().isEmpty)
        }
    }

    @Test(arguments: [(0, GroupState.member), (1, .left)])
    func `a button answers the invitation and settles its item`(
        button: Int, state: GroupState
    ) async throws {
        try await TestNetwork.with { network in
            let (_, ben, group) = try await invited(network)
            let action = try #require(ben.drainNotices().first).actions[button]
            guard case .object(let values) = action.arguments.json else { return }
            _ = try await ben.answer(to: action.command, values)
            try await network.settle()
            #expect(try await ben.groupState(group) == state)
            #expect(try await ben.openInvitations().isEmpty)
        }
    }

    @Test func `a mate without a name is not called by the digits of a key`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.matesOfWhomOneHasNoName()
            try await ann.invite(ben, to: ann.createGroup("Walkers"))
            try await network.settle()
            let notice = try #require(ben.drainNotices().last)
            #expect(notice.title == "A mate without a name invites you to Walkers")
            #expect(notice.withoutText == "A mate without a name invites you to a group")
        }
    }

    @Test func `the notice has my nickname for the mate`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ben.call(
                MateCommands.rename,
                .init(person: NameOrKey(ann.me.person), as: OwnNickname("Annie")))
            _ = ben.drainNotices()
            try await ann.invite(ben, to: ann.createGroup("Walkers"))
            try await network.settle()
            #expect(ben.drainNotices().map(\.title) == ["Annie invites you to Walkers"])
        }
    }
}
