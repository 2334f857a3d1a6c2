internal import PluginKit

/// Something about this device or a peer's that its person should know.
package struct Notice: Hashable, Sendable {
    /// What it is about.
    enum Kind: String, Hashable, Sendable {
        /// This device goes on under a new key.
        case newDevice
        /// A peer held batches of this device that were not here, and they were taken up.
        case adopted
        /// A device signed two batches with one number.
        case forked
        /// A device is in use on two hosts at once.
        case clone
        /// A stored batch was damaged.
        case damaged
    }

    let kind: Kind
    /// What it is about: the same thing is told once.
    let reference: String
    /// A sentence for the person.
    let text: String
    let milliseconds: Int64

    /// How many a node keeps; the oldest go.
    static let keptMax = 64

    /// What `status` says of it.
    var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "text": .string(text),
            "atMs": .integer(milliseconds),
        ]
    }
}
