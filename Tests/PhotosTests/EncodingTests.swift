import PhotoFormat
import Photos
import Testing

/// The built worker, on pictures that it accepts.
struct EncodingTests {
    private static let red: [UInt8] = [254, 0, 0]

    @Test func `no byte of the metadata is in what comes out`() async throws {
        var jpeg = MadeJPEG(columns: 40, rows: 30)
        jpeg.segments = [
            MadeJPEG.exif(orientation: 1), (0xFE, Array("A comment, SecretMeadow".utf8)),
            (0xE2, Array("ICC_PROFILE\0SecretMeadow".utf8)),
        ]
        #expect(jpeg.bytes.contain("SecretMeadow"))
        var png = MadePNG(width: 30, height: 20)
        png.extras = [("tEXt", Array("Comment\0SecretMeadow".utf8)), ("eXIf", [77, 77, 0, 42])]
        for (bytes, use) in [
            (jpeg.bytes, PhotoUse.profile), (jpeg.bytes, .chat), (png.bytes, .chat),
        ] {
            // What follows the picture does not belong to it.
            let photo = try await Studio.decoder().encode(
                .bytes(bytes + Array("SecretMeadow".utf8)), for: use)
            for made in [photo.jpeg, photo.thumbnail] {
                for needle in ["Secret", "Exif", "ICC", "Comment", "comment", "MM\0"] {
                    #expect(!made.contain(needle), "\(needle)")
                }
            }
        }
    }

    /// The four quarters of a picture, and the place of each after turning it: EXIF numbers the
    /// eight orientations by where row 0 and column 0 are seen.
    @Test(
        arguments: zip(
            1...8,
            [
                ["ab", "cd"], ["ba", "dc"], ["dc", "ba"], ["cd", "ab"], ["ac", "bd"], ["ca", "db"],
                ["db", "ca"], ["bd", "ac"],
            ]))
    func `a picture comes out right way up`(orientation: Int, wanted: [String]) async throws {
        let blocks: [Character: [UInt8]] = [
            "a": [60, 128, 128], "b": [120, 128, 128], "c": [180, 128, 128], "d": [240, 128, 128],
        ]
        var jpeg = MadeJPEG(columns: 8, rows: 4)
        jpeg.segments = [MadeJPEG.exif(orientation: UInt8(orientation))]
        jpeg.block = { column, row in
            blocks[row < 2 ? (column < 4 ? "a" : "b") : (column < 4 ? "c" : "d")] ?? []
        }
        let photo = try await Studio.decoder().encode(.bytes(jpeg.bytes), for: .chat)
        let isTurned = orientation >= 5
        #expect(photo.size == PhotoSize(width: isTurned ? 32 : 64, height: isTurned ? 64 : 32))
        let found = try await Studio.colours(of: photo.jpeg, columns: 2, rows: 2)
        for (row, letters) in wanted.enumerated() {
            for (column, letter) in letters.enumerated() {
                let grey = blocks[letter]?[0] ?? 0
                #expect(isNear(found[row][column], [grey, grey, grey]), "\(row) \(column)")
            }
        }
    }

    @Test func `the size is that of the use, and a small picture is not enlarged`() async throws {
        let photos = try Studio.decoder()
        let jpeg = MadeJPEG(columns: 400, rows: 250).bytes
        let profile = try await photos.encode(.bytes(jpeg), for: .profile)
        #expect(profile.size == PhotoSize(width: 392, height: 245))
        let chat = try await photos.encode(.bytes(jpeg), for: .chat)
        #expect(chat.size == PhotoSize(width: 1600, height: 1000))
        let small = try await photos.encode(.bytes(MadeJPEG(columns: 2, rows: 1).bytes), for: .chat)
        #expect(small.size == PhotoSize(width: 16, height: 8))
        for photo in [profile, chat, small] {
            let header = try PhotoHeader(photo.jpeg)
            #expect(header.format == .jpeg && header.size == photo.size)
            #expect(try PhotoHeader(photo.thumbnail).size == PhotoLimits.thumbnailSize)
            #expect(photo.thumbnail.count <= PhotoLimits.thumbnailBytesMax)
        }
    }

    @Test func `the thumbnail is the middle of the picture`() async throws {
        var jpeg = MadeJPEG(columns: 12, rows: 4)
        jpeg.block = { column, _ in (4..<8).contains(column) ? [200, 128, 128] : [20, 128, 128] }
        let photo = try await Studio.decoder().encode(.bytes(jpeg.bytes), for: .profile)
        let found = try await Studio.colours(of: photo.thumbnail, columns: 3, rows: 3)
        #expect(found.joined().allSatisfy { isNear($0, [200, 200, 200], by: 12) })
    }

    @Test func `noise is within the bytes of its use`() async throws {
        var png = MadePNG(width: 1600, height: 1600, colours: .grey)
        png.pixel = { x, y in
            var hash = UInt64(x &* 0x9E37 &+ y &* 0x85EB) &* 0xC2B2_AE3D_27D4_EB4F
            hash ^= hash >> 29
            return [UInt8(truncatingIfNeeded: hash &* 0x1656_67B1 >> 24)]
        }
        let photos = try Studio.decoder(timeMax: Studio.largestTimeMax)
        for (use, bytesMax) in [
            (PhotoUse.profile, PhotoLimits.profileBytesMax), (.chat, PhotoLimits.chatBytesMax),
        ] {
            let photo = try await photos.encode(.bytes(png.bytes), for: use)
            #expect(photo.jpeg.count <= bytesMax && photo.jpeg.count > bytesMax / 8)
            #expect(photo.thumbnail.count <= PhotoLimits.thumbnailBytesMax)
        }
    }

    @Test func `transparency becomes white`() async throws {
        var png = MadePNG(width: 32, height: 16, colours: .rgba)
        png.pixel = { x, _ in x < 16 ? [0, 0, 255, 0] : [0, 0, 0, 128] }
        let photo = try await Studio.decoder().encode(.bytes(png.bytes), for: .chat)
        let found = try await Studio.colours(of: photo.jpeg, columns: 2, rows: 1)[0]
        #expect(isNear(found[0], [255, 255, 255]) && isNear(found[1], [127, 127, 127]))
        let direct = try await Studio.colours(of: png.bytes, columns: 2, rows: 1)[0]
        #expect(isNear(direct[0], [255, 255, 255], by: 1))
    }

    @Test(arguments: [false, true])
    func `every kind of PNG is read`(isInterlaced: Bool) async throws {
        var kinds: [MadePNG] = []
        func add(_ colours: MadePNG.Colours, _ bits: UInt8, _ red: [UInt8], _ other: [UInt8]) {
            var png = MadePNG(
                width: 20, height: 12, bits: bits, colours: colours, isInterlaced: isInterlaced)
            png.pixel = { x, _ in x < 10 ? red : other }
            if colours == .palette {
                png.extras = [("PLTE", Self.red + [0, 0, 0]), ("tRNS", [255, 0])]
            }
            kinds.append(png)
        }
        add(.rgb, 8, Self.red, [255, 255, 255])
        add(.rgb, 16, [254, 9, 0, 9, 0, 9], [255, 255, 255, 255, 255, 255])
        add(.rgba, 16, [254, 9, 0, 9, 0, 9, 255, 255], [0, 0, 0, 0, 0, 0, 0, 0])
        add(.palette, 8, [0], [1])
        for png in kinds {
            let found = try await Studio.colours(of: png.bytes, columns: 2, rows: 1)[0]
            #expect(isNear(found[0], Self.red, by: 2) && isNear(found[1], [255, 255, 255], by: 2))
        }
        kinds = []
        add(.grey, 8, [100], [200])
        add(.grey, 16, [100, 7], [200, 7])
        add(.greyAlpha, 8, [100, 255], [0, 55])
        for png in kinds {
            let found = try await Studio.colours(of: png.bytes, columns: 2, rows: 1)[0]
            let wanted: [[UInt8]] = [[100, 100, 100], [200, 200, 200]]
            #expect(isNear(found[0], wanted[0], by: 2) && isNear(found[1], wanted[1], by: 2))
        }
    }

    @Test func `grey JPEGs, those of inks and progressive ones are read`() async throws {
        var grey = MadeJPEG(components: 1, columns: 4, rows: 4)
        grey.block = { _, _ in [90] }
        var progressive = MadeJPEG(columns: 4, rows: 4, isProgressive: true)
        progressive.block = { _, _ in [90, 128, 128] }
        // Inverted inks, as Adobe stores them: no cyan, all magenta and yellow, no black.
        var inks = MadeJPEG(components: 4, columns: 4, rows: 4)
        inks.segments = [(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])]
        inks.block = { _, _ in [255, 0, 0, 255] }
        for (jpeg, wanted) in [
            (grey, [90, 90, 90]), (progressive, [90, 90, 90]), (inks, [255, 0, 0] as [UInt8]),
        ] {
            let found = try await Studio.colours(of: jpeg.bytes, columns: 1, rows: 1)[0][0]
            #expect(isNear(found, wanted, by: 2))
        }
    }

    @Test func `twenty megapixels are read, in half a gibibyte of address space`() async throws {
        let photos = try Studio.decoder(timeMax: Studio.largestTimeMax)
        var jpeg = MadeJPEG(components: 4, columns: 625, rows: 500, isProgressive: true)
        jpeg.block = { column, _ in [UInt8(column & 0xFF), 128, 128, 255] }
        let photo = try await photos.encode(.bytes(jpeg.bytes), for: .chat)
        #expect(photo.size == PhotoSize(width: 1600, height: 1280))
        let png = MadePNG(
            width: 5000, height: 4000, colours: .rgba, isInterlaced: true,
            data: MadePNG.endlessZeros(count: 81_000_000))
        let white = try await photos.encode(.bytes(png.bytes), for: .chat)
        #expect(white.size == PhotoSize(width: 1600, height: 1280))
    }

    @Test func `lines are read however long they are`() async throws {
        let photos = try Studio.decoder(timeMax: Studio.largestTimeMax)
        let flat = MadePNG(
            width: 1_000_000, height: 20, colours: .grey,
            data: MadePNG.endlessZeros(count: 20_001_000))
        let found = try await photos.encode(.bytes(flat.bytes), for: .chat)
        #expect(found.size == PhotoSize(width: 1600, height: 1))
        let upright = MadePNG(
            width: 1, height: 1_000_000, colours: .grey,
            data: MadePNG.endlessZeros(count: 2_001_000))
        let other = try await photos.encode(.bytes(upright.bytes), for: .profile)
        #expect(other.size == PhotoSize(width: 1, height: 591))
    }
}
