internal import FeaturesAPI
internal import PluginKit

extension GroupRole {
    /// Reads the role that a member's records give.
    init(_ role: Role) {
        self =
            switch role {
            case .reader: .reader
            case .writer: .writer
            case .owner: .owner
            }
    }
}

extension Role {
    /// Reads the role that a command names.
    init(_ role: GroupRole) {
        self =
            switch role {
            case .reader: .reader
            case .writer: .writer
            case .owner: .owner
            }
    }
}
