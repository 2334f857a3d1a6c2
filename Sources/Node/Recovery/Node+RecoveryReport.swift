internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica

// The answer of `recovery show`.
extension Node {
    /// Returns how far this person was brought back.
    func recoveryReport() async -> RecoveryReport {
        guard let regained = recovery.regained, regained.joinedFrom == nil, !recovery.isSearching
        else {
            return RecoveryReport(
                stage: recovery.isSearching ? .searching : .none, detail: recoveryDetail,
                sinceMs: nil, problem: recovery.fault?.sentence, mates: 0, groups: 0, sources: [],
                missing: [])
        }
        let batches = Dictionary(
            await replica.spaces().map { ($0.id, $0.batches) }, uniquingKeysWith: { one, _ in one })
        let names = (try? await host.core?.names()) ?? [:]
        let sources = regained.everyone.map { person in
            RecoveryReport.Source(
                person: Key(person), suffix: KeySuffix(person), name: names[person],
                mate: relations.has(.mate, with: person),
                groups: relations.groups.values.count { $0.contains(person) },
                changes: relations.spaces(sharedWith: person, me: me)
                    .reduce(0) { $0 + (batches[$1.id] ?? 0) })
        }
        let hasOwnDevice = regained.contains(me)
        return RecoveryReport(
            stage: .regaining, detail: recoveryDetail, sinceMs: regained.since, problem: nil,
            mates: relations.people.count { relations.has(.mate, with: $0) },
            groups: relations.groups.values.count { $0.contains(me) }, sources: sources,
            missing: hasOwnDevice ? [] : [Self.missingSentence])
    }

    /// The stage as a sentence; nil if this person was not brought back, and this device neither
    /// joins nor receives.
    var recoverySentence: Sentence? {
        guard identity.attempt == nil, recovery.regained?.joinedFrom == nil else {
            return joiningSentence
        }
        return recovery.isSearching || recovery.regained != nil ? recoveryDetail : nil
    }

    private var recoveryDetail: Sentence {
        if recovery.isSearching {
            guard recovery.unknownCount == 0 else {
                return Sentence(
                    count: recovery.unknownCount,
                    one: "Recovering: 1 device nearby was asked and does not know you. Meet a mate "
                        + "who uses Waggle on the same network.",
                    other: "Recovering: \(recovery.unknownCount) devices nearby were asked and do "
                        + "not know you. Meet a mate who uses Waggle on the same network.")
            }
            return recovery.olderCount > 0
                ? "Recovering: the devices nearby have an older version of Waggle, which cannot "
                    + "answer. Ask your mate to update it."
                : "Recovering: no device nearby was asked yet. Meet a mate who uses Waggle on the "
                    + "same network."
        }
        guard let regained = recovery.regained, regained.joinedFrom == nil else {
            return "You did not come back by recovery words on this device."
        }
        return regained.everyone.isEmpty
            ? "You are back. What your mates have of you comes back as you meet them."
            : "You are back. More comes back as you meet further mates."
    }

    private static let missingSentence: Sentence = """
        What only your own devices had does not come back without another one of them: settings, \
        nicknames that you gave to mates, the people you blocked, fields you kept private, walks \
        and items that were handled, and photos that no mate has opened.
        """
}
