/// What "status show" answers, as far as the window shows it.
struct NodeStatus: Decodable, Equatable, Sendable {
    /// How the node looks for others on the network.
    struct Discovery: Decodable, Equatable, Sendable {
        var state: String
        var detail: String?
    }

    /// The node's own time in milliseconds since 1970, when it answered.
    var nowMs: Int64
    var discovery: Discovery?
}
