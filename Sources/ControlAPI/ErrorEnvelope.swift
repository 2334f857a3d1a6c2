public import Contract

extension CommandFault {
    /// The fault as the local API and `--json` write it:
    /// `{"error":{"code":…,"message":…,"field":…}}`.
    public var envelope: JSONValue {
        var field: String?
        if case .usage(_, let name) = self { field = name }
        return [
            "error": .record([
                "code": .string(code), "message": .string(sentence),
                "field": field.map(JSONValue.string),
            ])
        ]
    }

    /// Reads the fault in an envelope; nil if the value is not one.
    public init?(envelope: JSONValue) {
        guard let error = envelope["error"], let code = error["code"]?.string,
            let message = error["message"]?.string
        else { return nil }
        self.init(code: code, sentence: message, field: error["field"]?.string)
    }

    /// Converts any error to a fault for a person: a fault stays as it is, anything else becomes a
    /// failure. An error that describes itself does so in a sentence for people.
    public init(_ error: any Error) {
        switch error {
        case let fault as CommandFault: self = fault
        case let fault as HomeFault: self = fault.commandFault
        case let fault as NodeUnreachable: self = .notRunning(fault.reason)
        case let refusal as NodeRefusal:
            self.init(code: refusal.code, sentence: refusal.message, field: refusal.field)
        case is CancellationError: self = .failed("it was cancelled")
        case let error as any Error & CustomStringConvertible: self = .failed(error.description)
        default: self = .failed("it failed: \(error)")
        }
    }
}
