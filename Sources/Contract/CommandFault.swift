/// The reason why a command failed: one case per exit code and HTTP status.
///
/// Each carries a sentence that says what to do.
public enum CommandFault: Error, Hashable, Sendable {
    /// The command failed; exit 1, status 500.
    case failed(String)
    /// The request is wrong, in `field` if one field is the cause; exit 2, status 400.
    case usage(String, field: String? = nil)
    /// No node answers on the socket; exit 3.
    case notRunning(String)
    /// The named thing does not exist; exit 4, status 404.
    case notFound(String)
    /// A rule forbids it; exit 5, status 403.
    case refused(String)
    /// It took too long; exit 6, status 504.
    case timedOut(String)
    /// It conflicts with the present state; exit 7, status 409.
    case conflict(String)

    /// The code in JSON.
    public var code: String {
        switch self {
        case .failed: "failed"
        case .usage: "usage"
        case .notRunning: "notRunning"
        case .notFound: "notFound"
        case .refused: "refused"
        case .timedOut: "timedOut"
        case .conflict: "conflict"
        }
    }

    /// The sentence for a person.
    public var sentence: String {
        switch self {
        case .failed(let text), .usage(let text, _), .notRunning(let text), .notFound(let text),
            .refused(let text), .timedOut(let text), .conflict(let text):
            text
        }
    }

    /// The exit code of the command line.
    public var exitCode: Int32 {
        switch self {
        case .failed: 1
        case .usage: 2
        case .notRunning: 3
        case .notFound: 4
        case .refused: 5
        case .timedOut: 6
        case .conflict: 7
        }
    }

    /// The HTTP status of the local API.
    public var httpStatus: Int {
        switch self {
        case .failed: 500
        case .usage: 400
        case .notRunning: 503
        case .notFound: 404
        case .refused: 403
        case .timedOut: 504
        case .conflict: 409
        }
    }

    /// Creates the fault from its code and sentence; an unknown code becomes a failure.
    public init(code: String, sentence: String, field: String? = nil) {
        switch code {
        case "usage": self = .usage(sentence, field: field)
        case "notRunning": self = .notRunning(sentence)
        case "notFound": self = .notFound(sentence)
        case "refused": self = .refused(sentence)
        case "timedOut": self = .timedOut(sentence)
        case "conflict": self = .conflict(sentence)
        default: self = .failed(sentence)
        }
    }
}
