internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit

// Notices for the person: in the log, in `status` and in the inbox.
extension Node {
    /// Adds a notice, once per kind and subject.
    func tell(_ kind: Notice.Kind, about reference: String, _ text: Sentence) async {
        guard notices.mayTell(kind, about: reference) else { return }
        await tell(Notice(kind: kind, reference: reference, text: text, at: clock.wallTime))
    }

    /// Adds a notice.
    func tell(_ notice: Notice) async {
        notices.add(notice)
        logger.warning("\(notice.text.english)")
        events.publish(StatusEvents.changed, StatusChange(notice: notice.text))
        if ownLogs.mayWrite { await post(notice) } else { notices.postLater(notice) }
    }

    /// Posts a notice to the inbox, where it stays until the person has dealt with it.
    func post(_ notice: Notice) async {
        do {
            try await host.core?.postToInbox(
                InboxItem(
                    kind: InboxKind(notice.kind), reference: notice.reference,
                    title: notice.kind.title, body: notice.text, actions: []))
        } catch {
            logger.error("a notice did not reach the inbox", metadata: ["why": "\(error)"])
        }
    }
}

extension Notice.Kind {
    /// A short title for the inbox.
    fileprivate var title: Sentence {
        switch self {
        case .newDevice: "This device has a new key"
        case .adopted: "Changes of this device came back"
        case .forked: "A device was copied"
        case .clone: "A device is in use twice"
        case .damaged: "A stored change was damaged"
        case .full: "There is no room for more"
        case .removed: "This device was removed"
        case .added: "You have a new device"
        case .recovered: "Your recovery words brought something back"
        }
    }
}
