import PanelKit
import PromisesAPI

/// The sentence that says who sees the user's location on the way.
struct ViewersText {
    private let names: [String]

    /// Creates the sentence for those who take part besides the user; none, if they are not known.
    init(_ viewers: [PromisePerson]) {
        names = viewers.map { PromiseText.name($0.name, of: $0.person) }
    }

    /// Returns the sentence for a state of sharing; nil if the location is shown to nobody.
    func sentence(_ sharing: PromiseSharing) -> String? {
        switch sharing {
        case .sharing:
            switch names.count {
            case 0: localized("Those who take part see your location until you arrive")
            case 1: localized("\(who) sees your location until you arrive")
            default: localized("\(who) see your location until you arrive")
            }
        case .searching:
            localized("Your location is unknown: \(who) will see it as soon as it is known")
        case .elsewhere:
            localized("Another device of yours shows your location to \(who) until you arrive")
        case .idle, .outside, .stopped, .interrupted, .arrived, .unconfirmed, .unknown: nil
        }
    }

    /// The number of people who are all named.
    private static let namedMax = 3

    /// "Jun, Mina and 3 others".
    private var who: String {
        switch names.count {
        case 0: localized("those who take part")
        case 1: names[0]
        case 2: localized("\(names[0]) and \(names[1])")
        case Self.namedMax: localized("\(names[0]), \(names[1]) and \(names[2])")
        default: localized("\(names[0]), \(names[1]) and \(names.count - 2) others")
        }
    }
}
