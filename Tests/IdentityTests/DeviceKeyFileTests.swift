import Foundation
import Identity
import TestSupport
import Testing

@Suite struct DeviceKeyFileTests {
    /// Runs a test in a new directory, which is removed afterwards.
    private func inDirectory(_ claim: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "waggle-key-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try claim(path)
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func generator() -> SeededGenerator { SeededGenerator(seed: 81) }

    @Test func `a created key is loaded as the same device`() throws {
        try inDirectory { directory in
            let file = DeviceKeyFile(path: directory + "/home/keys/device.key")
            var generator = generator()
            let made = try file.create(using: &generator)
            #expect(try file.load().id == made.id)
            #expect(try file.loadOrCreate(using: &generator).id == made.id)
        }
    }

    @Test func `only the owner may use file and directory, and no other file is left`() throws {
        try inDirectory { directory in
            var generator = generator()
            _ = try DeviceKeyFile(path: directory + "/home/device.key").create(using: &generator)
            #expect(try mode(directory + "/home/device.key") == 0o600)
            #expect(try mode(directory + "/home") == 0o700)
            let left = try FileManager.default.contentsOfDirectory(atPath: directory + "/home")
            #expect(left == ["device.key"])
        }
    }

    @Test func `an existing key is never replaced`() throws {
        try inDirectory { directory in
            let file = DeviceKeyFile(path: directory + "/device.key")
            var generator = generator()
            let made = try file.create(using: &generator)
            #expect(throws: KeyFileFault.alreadyExists(file.path)) {
                try file.create(using: &generator)
            }
            #expect(try file.load().id == made.id)
            let left = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(left == ["device.key"])
        }
    }

    @Test func `a missing file is created by one call and reported by the other`() throws {
        try inDirectory { directory in
            let file = DeviceKeyFile(path: directory + "/device.key")
            #expect(throws: KeyFileFault.notFound(file.path)) { try file.load() }
            var generator = generator()
            let made = try file.loadOrCreate(using: &generator)
            #expect(try file.load().id == made.id)
        }
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o601])
    func `a file that other users may access is refused`(permissions: Int) throws {
        try inDirectory { directory in
            let file = DeviceKeyFile(path: directory + "/device.key")
            var generator = generator()
            _ = try file.create(using: &generator)
            try FileManager.default.setAttributes(
                [.posixPermissions: permissions], ofItemAtPath: file.path)
            #expect(throws: KeyFileFault.wrongPermissions(file.path, mode: UInt32(permissions))) {
                try file.load()
            }
        }
    }

    @Test(arguments: [0, 31, 33, 4096])
    func `a file of another length is refused`(count: Int) throws {
        try inDirectory { directory in
            let path = directory + "/device.key"
            _ = FileManager.default.createFile(
                atPath: path, contents: Data(count: count), attributes: [.posixPermissions: 0o600])
            #expect(throws: KeyFileFault.wrongLength(path, bytes: count)) {
                try DeviceKeyFile(path: path).load()
            }
        }
    }

    @Test func `a directory, a symbolic link and a named pipe are refused at once`() throws {
        try inDirectory { directory in
            #expect(throws: KeyFileFault.notAFile(directory)) {
                try DeviceKeyFile(path: directory).load()
            }
            var generator = generator()
            let file = DeviceKeyFile(path: directory + "/device.key")
            _ = try file.create(using: &generator)
            let link = directory + "/link"
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: file.path)
            #expect(throws: KeyFileFault.notAFile(link)) { try DeviceKeyFile(path: link).load() }
            let pipe = directory + "/pipe"
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            #expect(throws: KeyFileFault.notAFile(pipe)) { try DeviceKeyFile(path: pipe).load() }
        }
    }

    @Test func `the fault names a directory that cannot be created`() throws {
        try inDirectory { directory in
            let blocked = directory + "/file"
            _ = FileManager.default.createFile(atPath: blocked, contents: Data())
            var generator = generator()
            #expect {
                try DeviceKeyFile(path: blocked + "/keys/device.key").create(using: &generator)
            } throws: { error in
                guard case .failed(let path, _, let reason)? = error as? KeyFileFault else {
                    return false
                }
                return path == blocked + "/keys" && reason == "Not a directory"
            }
        }
    }

    @Test func `a key that is replaced is kept beside the new one`() throws {
        try inDirectory { directory in
            var generator = generator()
            let file = DeviceKeyFile(path: directory + "/device.key")
            let next = DeviceKeyFile(path: directory + "/device.key.next")
            let (old, new) = (
                try file.create(using: &generator), try next.create(using: &generator)
            )
            try file.replace(by: next, keeping: directory + "/device.key.old")
            #expect(try file.load().id == new.id)
            #expect(try DeviceKeyFile(path: directory + "/device.key.old").load().id == old.id)
            #expect(throws: KeyFileFault.notFound(next.path)) { try next.load() }
        }
    }

    @Test func `replacing by a missing key keeps the old one`() throws {
        try inDirectory { directory in
            var generator = generator()
            let file = DeviceKeyFile(path: directory + "/device.key")
            let old = try file.create(using: &generator)
            let next = DeviceKeyFile(path: directory + "/none")
            #expect(throws: KeyFileFault.notFound(next.path)) {
                try file.replace(by: next, keeping: directory + "/device.key.old")
            }
            #expect(try file.load().id == old.id)
        }
    }
}
