import Localization
import Testing

struct LanguageTests {
    @Test(
        arguments: [
            ([:], .en), (["LANG": "ko_KR.UTF-8"], .ko), (["LANG": "ko"], .ko),
            (["LANG": "ko_KR@x"], .ko), (["LANG": "kok_IN"], .en), (["LANG": "de_DE.UTF-8"], .en),
            (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "en_US.UTF-8"], .en),
            (["LC_MESSAGES": "en_US.UTF-8", "LC_ALL": "ko_KR.UTF-8"], .ko),
            (["LC_ALL": "", "LANG": "ko_KR.UTF-8"], .ko),
            (["LANG": "en_US.UTF-8", "LANGUAGE": "ko:en"], .ko),
            (["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:ko_KR"], .ko),
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": "en:ko"], .en),
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": ""], .ko),
            (["LANG": "C", "LANGUAGE": "ko"], .en), (["LC_ALL": "C.UTF-8", "LANGUAGE": "ko"], .ko),
            (["LC_ALL": "POSIX", "LANG": "ko_KR.UTF-8"], .en), (["LANGUAGE": "ko"], .en),
        ] as [([String: String], Language)])
    func `the environment is read in gettext's order`(
        environment: [String: String], language: Language
    ) {
        #expect(Language(environment: environment) == language)
    }

    @Test func `the setting comes before the environment`() {
        let korean = ["LANG": "ko_KR.UTF-8"]
        #expect(Language(setting: "en", environment: korean) == .en)
        #expect(Language(setting: "ko", environment: [:]) == .ko)
        #expect(Language(setting: "system", environment: korean) == .ko)
        #expect(Language(setting: nil, environment: korean) == .ko)
    }
}
