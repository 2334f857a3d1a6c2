/// The options of the command line.
struct Options {
    /// `power`, `io` or `init`.
    var part = ""
    var seed: UInt64 = 1
    /// The maximum number of power cuts or failing calls; nil for the default.
    var count: Int?
    /// The one case to repeat.
    var only: Int?
    /// This process runs each case whose number has the remainder `share` when divided by `shares`.
    var share = 0
    var shares = 1

    /// - Throws: ``TrialFault/usage(_:)``.
    init(_ arguments: [String]) throws(TrialFault) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "power", "io", "init": part = argument
            case "--seed": seed = UInt64(try Options.number(&rest, after: argument))
            case "--count": count = try Options.number(&rest, after: argument)
            case "--only": only = try Options.number(&rest, after: argument)
            case "--share": share = try Options.number(&rest, after: argument)
            case "--shares": shares = max(1, try Options.number(&rest, after: argument))
            default: throw .usage("unknown argument: \(argument)")
            }
        }
        guard !part.isEmpty else { throw .usage("name a part: power, io or init") }
    }

    private static func number(
        _ rest: inout ArraySlice<String>, after argument: String
    ) throws(TrialFault) -> Int {
        guard let number = rest.popFirst().flatMap({ Int($0) }), number >= 0 else {
            throw .usage("\(argument) needs a number")
        }
        return number
    }

    /// Whether this process runs a case.
    func includes(_ number: Int) -> Bool {
        if let only { return number == only }
        return number % shares == share
    }
}
