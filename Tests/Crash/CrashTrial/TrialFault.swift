/// The reasons for which a trial cannot run; the replica is not at fault then.
enum TrialFault: Error, CustomStringConvertible {
    case escaped(Set<String>)
    case usage(String)
    case notFetched

    var description: String {
        switch self {
        case .escaped(let names):
            "the disk did not record all changes of \(names.sorted().joined(separator: ", "))"
        case .usage(let sentence): sentence
        case .notFetched: "content that arrived whole was not stored"
        }
    }
}
