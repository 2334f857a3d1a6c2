import Contract
import ControlAPI
import FeaturesAPI
import Foundation
import PanelKit

/// The form that asks a mate for a walk, and the faults in its fields.
struct WalkForm: Equatable, Sendable {
    /// The mate; nil before one is chosen.
    var to: Key?
    /// The location to meet at; nil before one is chosen.
    var location: Coordinate?
    /// The name of the meeting point; blank if it has none.
    var locationName = ""
    /// The time of the walk in words; blank for now.
    var when = ""
    var message = ""

    /// Returns the request that is sent to the node.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first field that breaks its rule.
    func request(now: Timestamp, calendar: Calendar = .here) throws -> AskForWalk {
        guard let to else {
            throw CommandFault.usage("Choose a mate to ask.", field: "to")
        }
        guard let location else {
            throw CommandFault.usage(
                "Choose where to meet on the map.", field: "latitude")
        }
        let message = try WalkMessage(message, field: "message")
        let name =
            locationName.trimmed.isEmpty
            ? nil : try LocationName(locationName, field: "locationName")
        return AskForWalk(
            to: NameOrKey(to), latitude: location.north, longitude: location.east,
            locationName: name, message: message, atMs: try at(now: now, calendar: calendar))
    }

    /// Returns the time of the walk; nil for now.
    private func at(now: Timestamp, calendar: Calendar) throws -> Timestamp? {
        switch TypedMoment(when, now: now, calendar: calendar) {
        case .empty: return nil
        case .fault(let sentence):
            throw CommandFault.usage(Sentence(verbatim: sentence), field: "atMs")
        case .moment(let moment):
            guard moment > now else {
                throw CommandFault.usage("That time has passed.", field: "atMs")
            }
            return moment
        }
    }

    /// Returns a sentence about the fault in a field, or nil.
    func fault(now: Timestamp, calendar: Calendar = .here) -> String? {
        do {
            _ = try request(now: now, calendar: calendar)
            return nil
        } catch {
            let fault = CommandFault(error)
            if case .usage(_, field: "message") = fault, message.trimmed.isEmpty {
                return localized("Write a line, such as “A walk before dinner?”")
            }
            return fault.shown(labels: Self.labels)
        }
    }

    private static let labels = [
        "message": localized("The message"), "locationName": localized("The name of the location"),
    ]

    /// "12 of 100".
    var counter: String {
        localized("\(message.trimmed.count) of \(WalkMessage.rule.characters.upperBound)")
    }

    /// Returns a sentence about how long the request waits.
    /// - Parameters:
    ///   - name: the mate's name.
    ///   - isHere: whether a device of theirs is linked now.
    func waiting(name: String, isHere: Bool) -> String {
        if !when.trimmed.isEmpty {
            return isHere
                ? localized("\(name) can answer until then.")
                : localized("\(name) is not here now. The request waits until then.")
        }
        return isHere
            ? localized("\(name) has 60 s to answer.")
            : localized("\(name) is not here. Without a time the request expires after 60 s.")
    }

    /// Returns the words for a time that can be offered instead of now: this evening, or tomorrow
    /// evening if that is near or over.
    static func offeredTime(now: Timestamp, calendar: Calendar = .here) -> String {
        let hour = calendar.component(.hour, from: Date(now))
        return hour < 17 ? localized("today 18:00") : localized("tomorrow 18:00")
    }
}
