internal import Links
internal import PluginKit
internal import Sync

extension ConnectionTrouble {
    /// The trouble that prevented or ended a link; nil if the end is no trouble, or is this side's
    /// own decision.
    init?(_ error: any Error) {
        switch error {
        case let fault as LinkFault: self.init(fault)
        case let fault as SyncFault: self.init(fault)
        default: self = .notUnderstood
        }
    }

    private init?(_ fault: LinkFault) {
        switch fault {
        case .cannotConnect:
            self.init(
                .unreachable, cause: "Their device does not answer at its address.",
                fix: "Check that both devices are on the same network. On their device, "
                    + "'waggle doctor' says whether a firewall is in the way.")
        case .handshakeTooSlow, .helloTooSlow, .frameTooSlow, .silent, .writeTooSlow:
            self.init(
                .silent, cause: "Their device stops answering.",
                fix: "Wake their device, and move both closer to the Wi-Fi.")
        case .connectionLost, .closed:
            self.init(
                .unstable, cause: "The connection breaks again and again.",
                fix: "Move both devices closer to the Wi-Fi, or use another network.")
        case .handshakeFailed, .notEd25519, .frameTooLong, .frameEmpty: self = .notUnderstood
        case .wrongDevice:
            self.init(
                .wrongDevice, cause: "Another device answers at their address.",
                fix: "Ask them to restart Waggle, so that it announces its new address.")
        case .ownDevice:
            self.init(
                .ownCopy, cause: "The device has this device's own key.",
                fix: "It runs on a copy of your data folder. Use only one of the two.")
        case .crowdedOut: self = .noRoom
        case .replaced, .refused, .cancelled: return nil
        }
    }

    private init?(_ fault: SyncFault) {
        switch fault {
        case .noCommonVersion, .tooManySpaces, .unexpectedMessage, .notItsDevice, .framesTooShort,
            .tooManyFaults, .tooManyRequests:
            self = .notUnderstood
        case .owesTooMuch:
            self.init(
                .busy, cause: "Their devices sent more than this one handles at once.",
                fix: "Wait a moment: the devices connect again by themselves.")
        case .tooManyKeys, .noRoom: self = .noRoom
        case .notWelcome: return nil
        }
    }

    /// The trouble that a peer's goodbye means; nil if the link goes on in another one.
    init?(_ goodbye: ByeReason) {
        switch goodbye {
        case .leaving:
            self.init(
                .stopping, cause: "Waggle stops again and again on their device.",
                fix: "Ask them to run 'waggle doctor', and to restart Waggle.")
        case .replaced: return nil
        case .version, .fault: self = .notUnderstood
        case .tooMany: self = .noRoom
        }
    }

    private static var notUnderstood: ConnectionTrouble {
        ConnectionTrouble(
            .incompatible, cause: "The two versions of Waggle do not understand each other.",
            fix: "Update Waggle on both devices.")
    }

    private static var noRoom: ConnectionTrouble {
        ConnectionTrouble(
            .busy, cause: "Their device is connected with too many other people.",
            fix: "Ask them to press Drop on their device too: that makes room for you.")
    }
}
