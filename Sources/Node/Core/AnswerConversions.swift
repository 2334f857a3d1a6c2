internal import Discovery
internal import NodeAPI
internal import PluginKit
internal import Records

// Conversions of values of the engine to those of answers.

extension NodeStatus.Space.Kind {
    /// Creates the kind of a space.
    init(_ kind: SpaceKind) {
        switch kind {
        case .own: self = .own
        case .card: self = .card
        case .pair: self = .pair
        case .group: self = .group
        case .open: self = .open
        }
    }
}

extension NodeStatus.Member.Role {
    /// Creates the role of a group's member.
    init(_ role: Role) {
        switch role {
        case .reader: self = .reader
        case .writer: self = .writer
        case .owner: self = .owner
        }
    }
}

extension NodeStatus.Member.State {
    /// Creates the state of a group's member.
    init(_ state: Member.State) {
        switch state {
        case .invited: self = .invited
        case .member: self = .member
        case .left: self = .left
        case .removed: self = .removed
        }
    }
}

extension NodeStatus.Discovery.State {
    /// Creates the state of discovery.
    init(_ state: DiscoveryState) {
        switch state {
        case .starting: self = .starting
        case .announcing: self = .announcing
        case .renamed: self = .renamed
        case .quiet: self = .quiet
        case .noBus: self = .noBus
        case .noDaemon: self = .noDaemon
        case .noInterface: self = .noInterface
        case .failed: self = .failed
        case .stopped: self = .stopped
        }
    }
}

extension NodeDiagnosis.Check.Cause {
    /// Creates the cause that was checked.
    init(_ cause: Diagnosis.Check.Cause) {
        switch cause {
        case .bus: self = .bus
        case .daemon: self = .daemon
        case .interface: self = .interface
        case .port: self = .port
        case .clock: self = .clock
        case .dialBack: self = .dialBack
        }
    }
}

extension NodeDiagnosis.Check.State {
    /// Creates the result of a check.
    init(_ state: Diagnosis.Check.State) {
        switch state {
        case .ok: self = .ok
        case .failed: self = .failed
        case .skipped: self = .skipped
        }
    }
}

extension NodeStatus.Notice.Kind {
    /// Creates the cause of a notice.
    init(_ kind: Notice.Kind) {
        switch kind {
        case .newDevice: self = .newDevice
        case .adopted: self = .adopted
        case .forked: self = .forked
        case .clone: self = .clone
        case .damaged: self = .damaged
        case .full: self = .full
        case .recovered: self = .recovered
        case .removed: self = .removed
        case .added: self = .added
        }
    }
}

extension InboxKind {
    /// The kind of the inbox item of a notice.
    init(_ kind: Notice.Kind) {
        self =
            switch kind {
            case .newDevice: "newDevice"
            case .adopted: "adopted"
            case .forked: "forked"
            case .clone: "clone"
            case .damaged: "damaged"
            case .full: "full"
            case .recovered: "recovered"
            case .removed: "removed"
            case .added: "added"
            }
    }
}
