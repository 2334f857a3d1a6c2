/// The reason why a command failed: one case per exit code and HTTP status.
///
/// Each carries a sentence that says what to do.
///
/// A literal at the place that throws is the template of the sentence, with its values as
/// arguments: `throw CommandFault.notFound("There is no mate \(name).")`. So each program can show
/// it in the language of its person.
public enum CommandFault: Error, Hashable, Sendable {
    /// The command failed; exit 1, status 500.
    case failed(Sentence)
    /// The request is wrong, in `field` if one field is the cause; exit 2, status 400.
    case usage(Sentence, field: String? = nil)
    /// No node answers on the socket; exit 3.
    case notRunning(Sentence)
    /// The named thing does not exist; exit 4, status 404.
    case notFound(Sentence)
    /// A rule forbids it; exit 5, status 403.
    case refused(Sentence)
    /// It took too long; exit 6, status 504.
    case timedOut(Sentence)
    /// It conflicts with the present state; exit 7, status 409.
    case conflict(Sentence)

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

    /// The reason and what to do.
    public var reason: Sentence {
        switch self {
        case .failed(let text), .usage(let text, _), .notRunning(let text), .notFound(let text),
            .refused(let text), .timedOut(let text), .conflict(let text):
            text
        }
    }

    /// The reason in the language of the process.
    public var sentence: String { localized(reason) }

    /// The wrong parameter, if one is the cause.
    public var field: String? {
        if case .usage(_, let field) = self { field } else { nil }
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

    /// Creates the fault from its code and reason; an unknown code becomes a failure.
    public init(code: String, sentence reason: Sentence, field: String? = nil) {
        switch code {
        case "usage": self = .usage(reason, field: field)
        case "notRunning": self = .notRunning(reason)
        case "notFound": self = .notFound(reason)
        case "refused": self = .refused(reason)
        case "timedOut": self = .timedOut(reason)
        case "conflict": self = .conflict(reason)
        default: self = .failed(reason)
        }
    }
}

extension Sentence.Interpolation {
    /// Inserts an error: its sentence if it has one, else its description.
    public mutating func appendInterpolation(_ error: any Error) {
        switch error {
        case let fault as CommandFault: appendInterpolation(fault.reason)
        case let fault as any SentenceError: appendInterpolation(fault.sentence)
        default: appendInterpolation(String(describing: error))
        }
    }
}
