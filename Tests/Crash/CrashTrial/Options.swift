/// What the command line asks for.
struct Options {
    /// `power` or `io`.
    var part = ""
    var seed: UInt64 = 1
    /// How many power cuts, or how many calls are made to fail, at most; nil for the usual number.
    var count: Int?
    /// The one case to try again.
    var only: Int?
    /// This process does each case whose number leaves `share` when divided by `shares`.
    var share = 0
    var shares = 1

    /// - Throws: ``TrialFault/usage(_:)``.
    init(_ arguments: [String]) throws(TrialFault) {
        var words = arguments[...]
        while let word = words.popFirst() {
            switch word {
            case "power", "io": part = word
            case "--seed": seed = UInt64(try Options.number(&words, after: word))
            case "--count": count = try Options.number(&words, after: word)
            case "--only": only = try Options.number(&words, after: word)
            case "--share": share = try Options.number(&words, after: word)
            case "--shares": shares = max(1, try Options.number(&words, after: word))
            default: throw .usage("unknown word: \(word)")
            }
        }
        guard !part.isEmpty else { throw .usage("name a part: power or io") }
    }

    private static func number(
        _ words: inout ArraySlice<String>, after word: String
    ) throws(TrialFault) -> Int {
        guard let number = words.popFirst().flatMap({ Int($0) }), number >= 0 else {
            throw .usage("\(word) wants a number")
        }
        return number
    }

    /// Whether a case is this process's to try.
    func includes(_ number: Int) -> Bool {
        if let only { return number == only }
        return number % shares == share
    }
}
