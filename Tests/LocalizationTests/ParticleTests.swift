import Localization
import Testing

struct ParticleTests {
    /// Fills a Korean template that consists of a placeholder and its particle.
    private func filled(_ marker: String, _ text: String) throws -> String {
        let file = """
            msgid ""
            msgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=1; plural=0;"

            msgid "<%1>"
            msgstr "%1{\(marker)}"

            """
        let catalogue = try Catalogue(language: .ko, files: [Array(file.utf8)])
        return catalogue.text("<\(text)>")
    }

    @Test(
        arguments: [
            ("이/가", "하루가", "보름이", "달이"), ("을/를", "하루를", "보름을", "달을"),
            ("은/는", "하루는", "보름은", "달은"), ("와/과", "하루와", "보름과", "달과"),
            ("과/와", "하루와", "보름과", "달과"), ("으로/로", "하루로", "보름으로", "달로"),
            ("이나/나", "하루나", "보름이나", "달이나"), ("이랑/랑", "하루랑", "보름이랑", "달이랑"),
            ("아/야", "하루야", "보름아", "달아"), ("이라고/라고", "하루라고", "보름이라고", "달이라고"),
            ("이에요/예요", "하루예요", "보름이에요", "달이에요"),
        ])
    func `the form follows the final consonant`(
        marker: String, vowel: String, consonant: String, rieul: String
    ) throws {
        #expect(try filled(marker, "하루") == vowel)
        #expect(try filled(marker, "보름") == consonant)
        #expect(try filled(marker, "달") == rieul)
    }

    @Test func `the first and the last syllable of Hangul are read`() throws {
        #expect(try filled("이/가", "가") == "가가")
        #expect(try filled("이/가", "힣") == "힣이")
        #expect(try filled("이/가", "각") == "각이")
    }

    @Test func `a syllable of separate letters is read like a composed one`() throws {
        #expect(try filled("으로/로", "\u{1112}\u{1161}").hasSuffix("로"))
        #expect(try filled("이/가", "\u{1112}\u{1161}\u{11AB}").hasSuffix("이"))
        #expect(try !filled("으로/로", "\u{1103}\u{1161}\u{11AF}").hasSuffix("으로"))
    }

    @Test(
        arguments: [
            ("0", "으로"), ("1", "로"), ("2", "로"), ("3", "으로"), ("4", "로"), ("5", "로"),
            ("6", "으로"), ("7", "로"), ("8", "로"), ("9", "로"), ("10", "으로"), ("100", "으로"),
            ("1000", "으로"), ("10000", "으로"), ("100000000", "으로"), ("100000000000", "으로"),
            ("1000000000000", "로"), ("10000000000000000", "으로"), ("12", "로"), ("3.5", "로"),
        ])
    func `a number is read aloud`(number: String, form: String) throws {
        #expect(try filled("으로/로", number) == number + form)
    }

    @Test func `the numbers that end with ㄹ take the form after a consonant`() throws {
        #expect(try filled("을/를", "1") == "1을")
        #expect(try filled("을/를", "7") == "7을")
        #expect(try filled("을/를", "2") == "2를")
    }

    @Test(
        arguments: [
            ("Ann", "이"), ("Sam", "이"), ("Carl", "이"), ("Jack", "이"), ("Philip", "이"),
            ("Scott", "이"), ("Eric", "이"), ("Bong", "이"), ("Haru", "가"), ("Mike", "가"),
            ("Robert", "가"), ("Peter", "가"), ("Mark", "가"), ("Greg", "가"), ("David", "가"),
            ("GPS", "가"), ("LAN", "이"), ("QR", "이"), ("PUT", "가"), ("É", "가"),
        ])
    func `a Latin word is read by its last letters`(word: String, form: String) throws {
        #expect(try filled("이/가", word) == word + form)
    }

    @Test func `only a word that ends with l has the sound of ㄹ`() throws {
        #expect(try filled("으로/로", "Carl") == "Carl로")
        #expect(try filled("으로/로", "Ann") == "Ann으로")
    }

    @Test func `a particle may follow the quotation marks around its word`() throws {
        let file = """
            msgid ""
            msgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=1; plural=0;"

            msgid "<%1>"
            msgstr "“%1”{은/는} ‘%1’{을/를} (%1){이/가}"

            """
        let catalogue = try Catalogue(language: .ko, files: [Array(file.utf8)])
        #expect(catalogue.text("<\("보름")>") == "“보름”은 ‘보름’을 (보름)이")
    }

    @Test func `marks and emoji at the end do not count`() throws {
        #expect(try filled("이/가", "하루 🐶") == "하루 🐶가")
        #expect(try filled("이/가", "“보름”") == "“보름”이")
        #expect(try filled("은/는", "하루 (보름)!") == "하루 (보름)!은")
    }

    @Test(arguments: ["", "🐶", "…", "日本", "Мила"])
    func `both forms are shown if nothing tells the sound`(text: String) throws {
        #expect(try filled("이/가", text) == text + "이(가)")
        #expect(try filled("와/과", text) == text + "과(와)")
        #expect(try filled("으로/로", text) == text + "(으)로")
    }

    @Test func `a topic is marked in Korean only`() {
        #expect(TopicText.marked("별명", in: .ko) == "별명은")
        #expect(TopicText.marked("나이", in: .ko) == "나이는")
        #expect(TopicText.marked("The age", in: .en) == "The age")
    }
}
