internal import PluginKit
internal import Records

extension PluginServices: NearbyAccess {
    func people() async throws -> [NearbyPerson] {
        try require(.nearby)
        let keys = Set(manifest.announces.map(\.key))
        return await node.nearbyDevices().map { near in
            NearbyPerson(
                device: near.device, person: near.person, tag: near.tag,
                announced: near.fields.only(keys),
                switchedOn: host.switchedOn(near.fields),
                isOpenToMeet: host.isOpenToMeet(near.fields), distanceMetres: near.distanceMetres,
                bearingDegrees: near.bearingDegrees, since: near.since, trouble: near.trouble)
        }
    }

    func reach(_ tag: AnnouncedTag) async throws -> NearbyReach {
        try require(.nearby)
        return await node.reach(tag)
    }

    func meet(_ wish: MeetingWish) async throws {
        try require(.nearby)
        try await host.meet(wish)
    }

    func reasonNobodyIsSeen() async throws -> (cause: Sentence, fix: Sentence, command: String?)? {
        try require(.nearby)
        return await node.reasonNobodyIsSeen()
    }

    func announce(_ key: String, _ bytes: [UInt8]?) async throws {
        let field = try declared(key)
        let bytes = bytes.flatMap { $0.isEmpty ? nil : $0 }
        guard bytes?.count ?? 0 <= field.bytesMax else {
            throw refusal("\(bytes?.count ?? 0) bytes in the announced field '\(key)'")
        }
        if let form = AnnouncedFields.fixedForms[key], let bytes, !form.admits(bytes) {
            throw refusal(
                "other bytes than \(form.digitsCount) digits in the announced field '\(key)'")
        }
        await change { $0.set(key, bytes) }
    }

    func setSwitch(_ key: String, isOn: Bool) async throws {
        guard try declared(key).shown == .whileSwitchedOn else {
            throw refusal("a switch for the announced field '\(key)'")
        }
        await change { $0.setSwitch(key, isOn: isOn) }
    }

    func setVisible(_ isVisible: Bool) async throws {
        try require(.visibility)
        await change { $0.isVisible = isVisible }
    }

    private func declared(_ key: String) throws -> Manifest.AnnouncedField {
        guard let field = manifest.announces.first(where: { $0.key == key }) else {
            throw refusal("the announced field '\(key)'")
        }
        return field
    }

    private func change(_ change: (inout AnnouncementBoard) -> Void) async {
        if host.changeAnnouncement(change) { await node.announcementChanged() }
    }
}
