import ControlAPI
import Hummingbird
import PluginKit

/// A request that breaks HTTP's rules rather than a command's; it has its own status.
struct HTTPFault: Error {
    let status: HTTPResponse.Status
    let fault: CommandFault
    /// The methods that the path allows, for ``methodNotAllowed(_:path:allowed:)``.
    var allowed: [HTTPRequest.Method] = []

    /// Returns a 405 fault: the path exists but only allows other methods.
    static func methodNotAllowed(
        _ method: HTTPRequest.Method, path: String, allowed: [HTTPRequest.Method]
    ) -> HTTPFault {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return HTTPFault(
            status: .methodNotAllowed,
            fault: .usage("\(path) takes \(names), not \(method.rawValue)"), allowed: allowed)
    }

    /// 413: the body is over the limit.
    static let contentTooLarge = HTTPFault(
        status: .contentTooLarge,
        fault: .usage("the body is over \(APILimits.bodyBytesMax) bytes"))

    /// 414: the query string is over the limit.
    static let queryTooLong = HTTPFault(
        status: .uriTooLong,
        fault: .usage("the query string is over \(APILimits.queryBytesMax) bytes"))

    /// Returns a 415 fault: the body is not declared as JSON.
    static func unsupportedMediaType(_ type: String) -> HTTPFault {
        HTTPFault(
            status: .unsupportedMediaType,
            fault: .usage(
                "the body is declared as '\(type)': send 'Content-Type: application/json'"))
    }
}
