import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import NodeAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

/// The words of the preferences, and what makes them stale.
@MainActor
struct SettingTextTests {
    private func setting(_ name: String, _ value: String) -> Setting {
        Setting(name: name, value: value, allowed: "anything", help: "Something.")
    }

    @Test(arguments: [
        ("theme", "system", "Same as the desktop"), ("theme", "dark", "Dark"),
        ("language", "ko", "한국어"), ("location.source", "gpsd", "GPS receiver (gpsd)"),
        ("notifications.level", "names", "Names only"), ("plugin.level", "names", "names"),
    ])
    func `choices have words, and an unknown one is shown as it is`(
        setting: String, choice: String, label: String
    ) { #expect(SettingText.label(of: choice, in: setting) == label) }

    @Test func `a setting has a short title, or says what it does`() {
        #expect(SettingText.title(of: setting("theme", "dark")) == "Theme")
        #expect(SettingText.title(of: setting("plugin.level", "names")) == "Something")
        #expect(SettingText.detail(of: setting("plugin.level", "names")) == "Allowed: anything.")
        #expect(SettingText.detail(of: setting("theme", "dark")) == "")
    }

    @Test(arguments: [
        ("dark", ColourScheme.dark), ("light", .light), ("system", .desktop), ("blue", .desktop),
    ])
    func `the theme decides the colours`(value: String, scheme: ColourScheme) {
        #expect(ColourScheme([setting("language", "ko"), setting("theme", value)]) == scheme)
        #expect(ColourScheme([setting("language", value)]) == .desktop)
    }

    @Test func `the source of the location says what it knows, and who sees it`() {
        let now = Timestamp(milliseconds: 600_000)
        func text(
            _ source: LocationSourceName, reason: Sentence? = nil, file: String? = nil,
            at time: Int64? = nil
        ) -> String {
            SettingText.source(
                of: MyLocation(
                    source: source, state: .known, reason: reason, file: file,
                    atMs: time.map { Timestamp(milliseconds: $0) }), now: now)
        }
        #expect(text(.hand) == "Not set. Click on the map, then choose “I am here”.")
        #expect(text(.hand, at: 300_000) == "Set 5 min ago. Your mates see it.")
        #expect(text(.gpsd) == "The receiver does not know yet where you are.")
        #expect(text(.gpsd, reason: "No gpsd answers.", at: 0) == "No gpsd answers.")
        #expect(text(.gpsd, at: 300_000) == "Received 5 min ago. Your mates do not see it.")
        #expect(
            text(.gpx, file: "/tracks/Park.gpx")
                == "“Park.gpx” is playing as your location. Choose another source to stop it.")
    }

    @Test func `a blocked person has a time, a reason and a note, as far as each is known`() {
        let now = Timestamp(milliseconds: 600_000)
        let entry = BlockList.Entry(
            person: key("1"), suffix: KeySuffix(key("1")), reason: .violent, text: "Bit Bori",
            atMs: Timestamp(milliseconds: 300_000))
        #expect(
            SettingText.block(entry, now: now)
                == "Blocked 5 min ago · Violent behaviour · Bit Bori")
        let bare = BlockList.Entry(person: key("1"), suffix: KeySuffix(key("1")), reason: .other)
        #expect(SettingText.block(bare, now: now) == "Blocked")
    }

    @Test func `blocked people have names, and a key only to tell two of one name apart`() {
        func names(_ people: [(Character, String?)]) -> [String] {
            SettingText.names(
                of: people.map { digit, name in
                    BlockList.Entry(
                        person: key(digit), suffix: KeySuffix(key(digit)), name: name)
                })
        }
        #expect(names([("1", "Ann"), ("2", nil)]) == ["Ann", "Someone without a name"])
        #expect(
            names([("1", "Ann"), ("2", "Ann"), ("3", nil), ("4", nil)]) == [
                "Ann · 111111", "Ann · 222222", "Someone without a name · 333333",
                "Someone without a name · 444444",
            ])
    }

    @Test(arguments: [
        (999, "999 bytes"), (1000, "1 kB"), (999_499, "999 kB"), (1_000_000, "1.0 MB"),
        (12_370_000, "12.3 MB"),
    ])
    func `a size has a unit that people know`(bytes: Int, text: String) {
        #expect(SettingText.size(bytes: bytes) == text)
    }

    @Test func `each event repeats only the queries that show it`() {
        let queries = SettingsPanel.queries { _ in }
        #expect(queries.stale(after: NodeEvent(ConfigEvents.changed, ConfigChange())) == [.list])
        #expect(
            queries.stale(after: NodeEvent(NearbyEvents.changed, NearbyChange(part: .visibility)))
                == [.visibility])
        #expect(!queries.topics.contains(LocationEvents.changed.topic))
        #expect(
            queries.stale(
                after: NodeEvent(MateEvents.changed, MateChange(part: .relation))) == [.blocked])
        #expect(
            queries.stale(
                after: NodeEvent(MateEvents.changed, MateChange(part: .presence))) == [])
    }
}
