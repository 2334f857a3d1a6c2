import Contract
import Testing
import TimePhrases

@testable import CommandLineKit

struct ResultRendererTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)
    private var renderer: ResultRenderer { ResultRenderer(now: now) }

    @Test func `an object is shown as aligned names and values`() {
        let text = renderer.text(for: [
            "nickname": "Bo", "sinceMs": .integer((now - .seconds(180)).milliseconds), "mate": true,
            "distanceMetres": 1234.5, "bearingDegrees": 90, "secondsLeft": 42, "clockSkewMs": -12,
            "keptPrivate": ["age", "sex"],
        ])
        #expect(
            text == """
                nickname      Bo
                bearing       90°
                clock skew    -12 ms
                distance      1.23 km
                kept private  age, sex
                mate          yes
                time left     42 s
                since         3 min ago

                """)
    }

    @Test func `counts have commas, and ports and bytes have none`() {
        let text = renderer.text(for: [
            "batches": 12_345, "held": 999, "port": 47_110, "usedBytes": 2_000_000,
        ])
        #expect(
            text == """
                batches     12,345
                held        999
                port        47110
                used bytes  2000000

                """)
    }

    @Test func `a member that its type names as leading comes before those in order`() {
        let result: JSONValue = ["age": 3, "dogName": "Rex", "nickname": "Bo", "state": "mate"]
        let schema = Schema.list(.of(ShownProfile.self))
        #expect(
            ResultRenderer(of: schema, now: now).text(for: [result]) == """
                NAME  DOG NAME  STATE  AGE
                Bo    Rex       mate   3

                """)
        #expect(
            renderer.text(for: [result]) == """
                NAME  STATE  AGE  DOG NAME
                Bo    mate   3    Rex

                """)
    }

    @Test func `a list of objects is shown as a table, with wide characters aligned`() {
        let text = renderer.text(for: [
            "mates": [
                ["nickname": "강아지", "state": "mate", "present": true],
                ["nickname": "Bo 🐕", "state": "waiting"],
                ["nickname": "Christa", "state": "mate", "present": false],
            ]
        ])
        #expect(
            text == """
                NAME     STATE    PRESENT
                강아지   mate     yes
                Bo 🐕    waiting
                Christa  mate     no

                """)
    }

    @Test func `a cell of 40 columns is on one line, a wider one on several, and three at most`() {
        func rows(_ text: String, widthMax: Int? = 100) -> [Substring] {
            ResultRenderer(now: now, widthMax: widthMax).text(for: [["note": .string(text)]])
                .split(separator: "\n").dropFirst().map { $0 }
        }
        let fitting = String(repeating: "x ", count: 19) + "xy"
        #expect(rows(fitting) == [fitting[...]])
        #expect(rows(fitting + "z") == [fitting.dropLast(3), "xyz"])
        let wide = String(repeating: "강", count: 70)
        let line = wide.prefix(20)
        #expect(rows(wide) == [line, line, line.dropLast() + "…"])
        #expect(rows(wide, widthMax: nil) == [wide[...]])
    }

    @Test func `a key in a table is never cut, since people type it again`() {
        let key = String(repeating: "0f", count: 32)
        #expect(renderer.text(for: [["person": .string(key)]]) == "PERSON\n\(key)\n")
    }

    @Test func `a table fits the terminal, its widest columns first`() {
        let key = String(repeating: "0f", count: 16)
        let rows: JSONValue = [
            ["name": "Ann", "id": .string(key), "note": "one two three four five six seven"],
            ["name": "강아지", "id": .string(key), "note": "short"],
        ]
        let narrow = ResultRenderer(now: now, widthMax: 60)
        #expect(
            narrow.text(for: rows) == """
                NAME    ID                                NOTE
                Ann     \(key)  one two three four
                                                          five six seven
                강아지  \(key)  short

                """)
        let lines = narrow.text(for: rows).split(separator: "\n")
        #expect(lines.allSatisfy { String($0).displayWidth <= 60 })
    }

    @Test func `rows that fit no terminal as a table are shown one below the other`() {
        let key = String(repeating: "0f", count: 16)
        let rows: JSONValue = [
            ["name": "Ann", "id": .string(key), "person": .string(key)],
            ["name": "Ben", "id": .string(key), "person": .string(key)],
        ]
        #expect(
            ResultRenderer(now: now, widthMax: 60).text(for: rows) == """
                name    Ann
                id      \(key)
                person  \(key)

                name    Ben
                id      \(key)
                person  \(key)

                """)
    }

    @Test func `a time ahead is shown with its date`() {
        let later = now + .seconds(2 * 3600)
        let text = renderer.text(for: ["atMs": .integer(later.milliseconds)])
        #expect(text == "at  \(later.phrase(now: now))\n")
        #expect(text.hasSuffix(", in 2 h\n"))
    }

    @Test func `a message is shown completely, below its author`() {
        let long = String(repeating: "long ", count: 20) + "end"
        let text = renderer.text(
            for: [
                "messages": [
                    [
                        "id": "0a", "from": "ff", "name": "Ann", "isMine": false,
                        "text": .string("one\n" + long),
                        "atMs": .integer((now - .seconds(180)).milliseconds),
                        "cursor": "00",
                    ],
                    ["id": "0b", "isMine": true, "text": "\u{1B}[2J", "atMs": 0, "state": "read"],
                ]
            ])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix("Ann  3 min ago") && lines[0].hasSuffix("0a"))
        #expect(lines[1] == "  one")
        #expect(lines[2] == "  " + long)
        #expect(lines[3].hasPrefix("you") && lines[3].contains("read"))
        #expect(!lines[4].contains("\u{1B}"))
        #expect(!text.contains("ff") && !text.contains("00"))
    }

    @Test func `a post is shown with its title, category and distance, also without a text`() {
        let text = renderer.text(
            for: [
                "posts": [
                    [
                        "id": "0a", "name": "Ann", "mine": false, "title": "Sofa", "text": "Blue",
                        "category": "give-away", "distanceMetres": 120.0,
                        "atMs": .integer((now - .seconds(180)).milliseconds),
                    ],
                    ["id": "0b", "mine": true, "title": "Vet?", "text": "", "atMs": 0],
                    ["id": "0c", "title": "A draft", "text": "", "atMs": 0],
                ]
            ])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(lines[3].hasPrefix("A draft  ") && !lines[3].contains("someone"))
        #expect(lines[0] == "Sofa  Ann  give-away  3 min ago  120 m  0a")
        #expect(lines[1] == "  Blue")
        #expect(lines[2].hasPrefix("Vet?  you  ") && lines[2].hasSuffix("  0b"))
    }

    @Test func `nested members are shown below their names`() {
        let text = renderer.text(for: [
            "port": 7,
            "discovery": ["state": "noDaemon", "detail": "none"],
            "links": [["device": "abc", "mate": true]],
            "spaces": [],
        ])
        #expect(
            text == """
                port    7
                spaces  none

                discovery
                  state   noDaemon
                  detail  none

                links
                  DEVICE  MATE
                  abc     yes

                """)
    }

    @Test func `an empty result is shown in words`() {
        #expect(renderer.text(for: [:]) == "done\n")
        #expect(renderer.text(for: ["peers": []]) == "no peers\n")
        #expect(renderer.text(for: []) == "none\n")
    }

    @Test func `an event is shown on one line`() {
        #expect(renderer.line(for: "Mina came.") == "\(now.clockText())  Mina came.")
    }

    @Test func `headings are bold only if colours are on`() {
        let bold = ResultRenderer(now: now, isColoured: true)
        #expect(bold.line(for: "Mina came.").hasPrefix("\u{1B}[1m"))
        #expect(!renderer.text(for: [["a": 1]]).contains("\u{1B}"))
    }

    @Test func `another person's text cannot control the terminal`() {
        let text = renderer.text(for: [
            "message": "\u{1B}[2J\u{9B}31m\r\n\u{202E}x\u{2066}", "\u{1B}]0;x\u{7}": 1,
        ])
        #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
        #expect(!text.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x0D })
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test func `a family emoji stays one character`() {
        #expect("👨‍👩‍👧".harmless == "👨‍👩‍👧")
        #expect("👨‍👩‍👧".displayWidth == 2)
    }
}
