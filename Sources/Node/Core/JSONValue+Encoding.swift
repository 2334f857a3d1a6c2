internal import ControlAPI
internal import Foundation
internal import PluginKit

extension JSONValue {
    /// The JSON of an encodable value.
    init(encoding value: some Encodable) throws {
        self = try JSONValue(parsing: try JSONEncoder().encode(value))
    }
}
