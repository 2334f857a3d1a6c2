internal import PluginKit
internal import PromisesAPI

/// The notices of promises on the desktop.
extension Promises {
    /// Returns the notice for the desktop about an inbox item. Its buttons perform the commands
    /// that the item names.
    func desktopNotice(
        _ notice: PromiseNotice, of promise: Promise, _ names: [PersonID: String], _ item: InboxItem
    ) -> DesktopNotice {
        let maker = names.sentence(for: promise.maker)
        return DesktopNotice(
            about: item.subject, from: item.person, title: item.title, body: item.body,
            withoutText: withoutText(notice, maker: maker, names),
            actions: buttons(notice, of: promise))
    }

    /// Returns the line that names people and says nothing about the promise.
    private func withoutText(
        _ notice: PromiseNotice, maker: Sentence, _ names: [PersonID: String]
    ) -> Sentence {
        switch notice {
        case .invitation: "\(maker) invites you to a promise"
        case .confirmation: "\(maker) moved a promise"
        case .reminder: "You have a promise soon"
        case .interruption: "Your location is now hidden"
        case .arrival(_, context.me): "You arrived"
        case .arrival(_, let person): "\(names.sentence(for: person)) arrived"
        case .change: "\(maker) changed a promise"
        case .deletion: "\(maker) called off a promise"
        case .result: "A promise is over"
        }
    }

    private func buttons(
        _ notice: PromiseNotice, of promise: Promise
    ) -> [DesktopNotice.Action] {
        let key = NameOrKey(promise.id)
        // The button agrees to the time that the notice shows, and to no other.
        let agreed = AgreeToPromise(promise: key, atMs: promise.at)
        let leave = PromiseReference(promise: key)
        return switch notice {
        case .invitation:
            [
                DesktopNotice.Action("Accept", PromiseCommands.accept, agreed),
                DesktopNotice.Action("Decline", PromiseCommands.leave, leave),
            ]
        case .confirmation:
            [
                DesktopNotice.Action("Confirm", PromiseCommands.confirm, agreed),
                DesktopNotice.Action("Leave", PromiseCommands.leave, leave),
            ]
        case .interruption: [DesktopNotice.Action("Show my location", PromiseCommands.share, leave)]
        case .reminder, .arrival, .change, .deletion, .result: []
        }
    }
}
