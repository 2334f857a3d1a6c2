/// The reason a device cannot listen on a port.
public enum ListenFault: Error, Equatable, Sendable {
    /// Another program uses the port.
    case portTaken(port: UInt16)
    /// The system refused; the text is its reason.
    case cannotListen(String)
}

extension ListenFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .portTaken(let port): "port \(port) is used by another program"
        case .cannotListen(let reason): "cannot listen for other devices: \(reason)"
        }
    }
}
