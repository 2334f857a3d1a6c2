internal import Synchronization

/// The texts of one language.
///
///     let catalogue = try Catalogue(.ko)
///     catalogue.text("\(name) is here")  // "하루가 여기 있어요"
///
/// A sentence without a translation is shown in English.
public struct Catalogue: Sendable {
    /// The language of the texts.
    public let language: Language
    private let templates: [String: Template]

    /// The English texts, which need no file.
    public static let english = Catalogue(language: .en, templates: [:])

    private init(language: Language, templates: [String: Template]) {
        self.language = language
        self.templates = templates
    }

    /// Reads the catalogue of a language: the program's own `.po` files and one of each plugin.
    /// - Throws: ``CatalogueFault``.
    public init(_ language: Language) throws(CatalogueFault) {
        guard language != .en else {
            self = .english
            return
        }
        guard let files = TranslationFiles.ofThisProgram else { throw .notFound }
        try self.init(language, in: files)
    }

    /// Reads the catalogue of a language from the files of a program.
    init(_ language: Language, in files: TranslationFiles) throws(CatalogueFault) {
        var contents: [[UInt8]] = []
        for path in files.paths(of: language) {
            contents.append(
                try TranslationFiles.read(path, bytesMax: CatalogueFile.bytesMax))
        }
        try self.init(language: language, files: contents)
    }

    /// Makes a catalogue of the bytes of `.po` files.
    /// - Throws: ``CatalogueFault``, for the first file with a mistake. If two files translate the
    ///   same sentence, the first one counts.
    public init(language: Language, files: [[UInt8]]) throws(CatalogueFault) {
        var templates: [String: Template] = [:]
        for file in files {
            templates.merge(try CatalogueFile(file).templates) { first, _ in first }
        }
        self.init(language: language, templates: templates)
    }

    /// Returns a sentence in this language.
    public func text(_ sentence: Sentence) -> String {
        guard let template = templates[sentence.template] else { return sentence.english(text) }
        return template.filled(sentence.arguments.map { $0.text(text) })
    }

    /// Returns whether a sentence has a translation; English ones need none.
    public func translates(_ sentence: Sentence) -> Bool {
        language == .en || templates[sentence.template] != nil
    }

    private static let shared = Mutex(Catalogue.english)

    /// The catalogue of this process, English until another one is set. A program sets it once,
    /// before it shows a text.
    public static var current: Catalogue {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }
}

/// Returns a sentence in the language of the process:
///
///     label.text = localized("\(name) is here")
///
/// `script/translations` finds the sentence by this call, and asks for its translation.
public func localized(_ sentence: Sentence) -> String {
    Catalogue.current.text(sentence)
}
