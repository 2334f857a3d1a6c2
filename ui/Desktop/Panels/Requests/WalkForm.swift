import Contract
import ControlAPI
import FeaturesAPI
import PanelKit

/// The form that asks a mate for a walk, and the faults in its fields.
struct WalkForm: Equatable, Sendable {
    var to: Key
    var meetingPoint: Coordinate
    /// The name of the meeting point; blank if it has none.
    var locationName = ""
    var message = ""

    /// Returns the request that is sent to the node.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first field that breaks its rule.
    func request() throws -> AskForWalk {
        let message = try WalkMessage(message, field: "message")
        let name =
            locationName.trimmed.isEmpty
            ? nil : try LocationName(locationName, field: "locationName")
        return AskForWalk(
            to: NameOrKey(to), latitude: meetingPoint.north,
            longitude: meetingPoint.east, locationName: name, message: message)
    }

    /// A sentence about the fault in a field, or nil.
    var fault: String? {
        if message.trimmed.isEmpty { return "Write a line, such as “A walk before dinner?”" }
        do {
            _ = try request()
            return nil
        } catch {
            return CommandFault(error).sentence(labels: Self.labels)
        }
    }

    private static let labels = [
        "message": "The message", "locationName": "The name of the location",
    ]

    /// "12 of 100".
    var counter: String {
        "\(message.trimmed.count) of \(WalkMessage.rule.characters.upperBound)"
    }
}
