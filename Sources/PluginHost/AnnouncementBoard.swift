package import PluginKit
internal import Records

/// This device's announcement: plugins set their fields, and the board decides which are shown.
///
/// If there is no room for all of them, fields that are switched on come first, then those that
/// are always shown, then those shown while visible; among equals the order is that of the
/// plugins and their manifests. A field that does not fit is left out, and shorter ones after it
/// may still fit.
///
/// ```swift
/// var board = AnnouncementBoard([manifest])  // declares "f", shown while switched on
/// board.set("f", [0x64])
/// board.setSwitch("f", isOn: true)  // only now is the field shown
/// ```
package struct AnnouncementBoard: Sendable {
    private let declared: [Manifest.AnnouncedField]
    private var values: [String: [UInt8]] = [:]
    private var switchedOn: Set<String> = []
    /// Whether the person is visible to everyone.
    package var isVisible = false

    /// Creates a board for the fields of these manifests, with no field set.
    package init(_ manifests: [Manifest]) {
        let fields = manifests.flatMap(\.announces)
        declared = [.whileSwitchedOn, .always, .whileVisible].flatMap { shown in
            fields.filter { $0.shown == shown }
        }
    }

    /// Sets a field's bytes; nil removes them.
    package mutating func set(_ key: String, _ bytes: [UInt8]?) { values[key] = bytes }

    /// Turns the switch of a field on or off.
    package mutating func setSwitch(_ key: String, isOn: Bool) {
        if isOn { switchedOn.insert(key) } else { switchedOn.remove(key) }
    }

    /// The fields that are shown now.
    package var shown: AnnouncedFields {
        var fields = AnnouncedFields()
        for field in declared where isShown(field) {
            guard let bytes = values[field.key], bytes.count <= field.bytesMax else { continue }
            fields.insert(field.key, bytes)
        }
        return fields
    }

    private func isShown(_ field: Manifest.AnnouncedField) -> Bool {
        switch field.shown {
        case .always: true
        case .whileVisible: isVisible
        case .whileSwitchedOn: switchedOn.contains(field.key)
        }
    }
}
