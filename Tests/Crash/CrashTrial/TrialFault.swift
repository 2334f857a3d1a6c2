/// Why a trial could not be held at all; what it tries is not at fault then.
enum TrialFault: Error, CustomStringConvertible {
    case escaped(Set<String>)
    case usage(String)

    var description: String {
        switch self {
        case .escaped(let names):
            "the disk did not note all that was done to \(names.sorted().joined(separator: ", "))"
        case .usage(let sentence): sentence
        }
    }
}
