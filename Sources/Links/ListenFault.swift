/// Why a device cannot be reached at a port.
public enum ListenFault: Error, Equatable, Sendable {
    /// Another program listens on this port.
    case portTaken(port: UInt16)
    /// The system refused; the text is its reason.
    case cannotListen(String)
}

extension ListenFault: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .portTaken(let port): "port \(port) is taken by another program"
        case .cannotListen(let reason): "cannot listen for other devices: \(reason)"
        }
    }
}
