public import Contract

extension CommandFault {
    /// The fault as the local API and `--json` write it:
    ///
    ///     {"error":{"code":…,"message":…,"field":…,"template":…,"arguments":[…],"singular":…}}
    ///
    /// The message is in English. The rest is its ``Sentence``, for a program that shows it in
    /// another language.
    public var envelope: JSONValue {
        guard case .object(var error) = JSONValue(encoding: reason) else {
            preconditionFailure("a sentence is an object")
        }
        error["code"] = .string(code)
        error["message"] = .string(reason.english)
        if let field { error["field"] = .string(field) }
        return ["error": .object(error)]
    }

    /// Reads the fault in an envelope; nil if the value is not one. The message counts: a template
    /// that is missing, over a limit or says something else in English is ignored.
    public init?(envelope: JSONValue) {
        guard let error = envelope["error"], let code = error["code"]?.string,
            let message = error["message"]?.string
        else { return nil }
        let reason = Sentence(reading: error, english: message)
        self.init(code: code, sentence: reason, field: error["field"]?.string)
    }

    /// Converts any error to a fault for a person: a fault stays as it is, anything else becomes a
    /// failure. An error that describes itself does so in a sentence for people.
    public init(_ error: any Error) {
        switch error {
        case let fault as CommandFault: self = fault
        case let fault as HomeFault: self = fault.commandFault
        case let fault as NodeUnreachable: self = .notRunning(fault.sentence)
        case let refusal as NodeRefusal:
            self.init(code: refusal.code, sentence: refusal.reason, field: refusal.field)
        case is CancellationError: self = .failed("it was cancelled")
        case let fault as any SentenceError: self = .failed(fault.sentence)
        case let error as any Error & CustomStringConvertible:
            self = .failed(Sentence(verbatim: error.description))
        default: self = .failed("it failed: \(error)")
        }
    }
}
