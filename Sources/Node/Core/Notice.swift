internal import NodeAPI
internal import PluginKit

/// A notice for the person about this device or a peer's.
package struct Notice: Hashable, Sendable {
    /// The kind of event.
    enum Kind: Hashable, Sendable {
        /// This device continues under a new key.
        case newDevice
        /// A peer held batches of this device that were missing here, and they were stored.
        case adopted
        /// A device signed two batches with one number.
        case forked
        /// A device is in use on two hosts at once.
        case clone
        /// A stored batch was damaged.
        case damaged
        /// A limit of what is stored is reached.
        case full
        /// Something came back by recovery words.
        case recovered
        /// This device was removed by another one of its person.
        case removed
        /// A device was added to this person.
        case added
    }

    let kind: Kind
    /// The subject: there is only one notice of a kind per subject.
    let reference: String
    /// A sentence for the person.
    let text: Sentence
    let at: Timestamp

    /// The maximum number of notices that a node keeps; the oldest are dropped.
    static let keptMax = 64

    /// The notice as `status` shows it.
    var answer: NodeStatus.Notice {
        NodeStatus.Notice(
            kind: .init(kind), text: text, atMs: at)
    }
}
