/// A language of the program's own texts.
public enum Language: String, CaseIterable, Hashable, Sendable, Codable {
    case en
    case ko

    /// Chooses the language of a process, in gettext's order: the choice of a setting, then the
    /// first of `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty. English is chosen
    /// if none of them names a language that there is.
    ///
    /// `LANGUAGE` is a list of which the first known language counts, and it has no effect if the
    /// locale is "C" or "POSIX":
    ///
    ///     Language(environment: ["LANG": "ko_KR.UTF-8"])  // ko
    ///     Language(environment: ["LANGUAGE": "fr:ko", "LANG": "de_DE.UTF-8"])  // ko
    ///     Language(environment: ["LANGUAGE": "ko", "LC_ALL": "C"])  // en
    ///
    /// - Parameters:
    ///   - setting: a language's code; nil or another word, such as "system", leaves the choice to
    ///     the environment.
    ///   - environment: the environment of the process.
    public init(setting: String? = nil, environment: [String: String]) {
        if let chosen = setting.flatMap(Language.init(rawValue:)) {
            self = chosen
            return
        }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale, !["C", "POSIX"].contains(locale) else {
            self = .en
            return
        }
        let names = environment["LANGUAGE"].map { $0.split(separator: ":").map(String.init) } ?? []
        let wanted = names.isEmpty ? [locale] : names
        self = wanted.lazy.compactMap(Self.init(locale:)).first ?? .en
    }

    /// Reads a locale, such as "ko", "ko_KR" or "ko_KR.UTF-8"; nil if it has another language.
    private init?(locale: String) {
        self.init(rawValue: String(locale.prefix { !["_", ".", "@"].contains($0) }))
    }
}
