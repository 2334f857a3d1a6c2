import Foundation
import Contract
import Testing

@testable import ControlAPI

struct HomeTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "waggle-home-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    @Test func `the XDG directories are used if no home is named`() throws {
        let home = try Home.resolve(
            nil,
            environment: [
                "HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": "/run/user/7",
            ])
        #expect(home.deviceKeyFile == "/d/waggle/device.key")
        #expect(try home.socketPath() == "/run/user/7/waggle/api.sock")
    }

    @Test func `without XDG_DATA_HOME the default directory below HOME is used`() throws {
        let home = try Home.resolve(nil, environment: ["HOME": "/h"])
        #expect(home.directory == "/h/.local/share/waggle")
    }

    @Test func `a relative XDG directory is ignored`() throws {
        let home = try Home.resolve(nil, environment: ["HOME": "/h", "XDG_DATA_HOME": "d"])
        #expect(home.directory == "/h/.local/share/waggle")
    }

    @Test func `a named home contains all files`() throws {
        let home = try Home.resolve("/n/", environment: [:])
        #expect(home.replicaFile == "/n/replica.db")
        #expect(try home.socketPath() == "/n/api.sock")
    }

    @Test func `a relative home is made absolute`() {
        #expect(Home("x").directory == FileManager.default.currentDirectoryPath + "/x")
    }

    @Test func `without any directory for data resolving fails`() {
        #expect(throws: HomeFault.noDataDirectory) { try Home.resolve(nil, environment: [:]) }
    }

    @Test func `without a runtime directory only the socket's path is missing`() throws {
        let home = try Home.resolve(nil, environment: ["HOME": "/h"])
        #expect(throws: HomeFault.noRuntimeDirectory) { try home.socketPath() }
        let fault = HomeFault.noRuntimeDirectory.commandFault
        #expect(fault.exitCode == 1)
        #expect(fault.sentence.contains("XDG_RUNTIME_DIR"))
        #expect(fault.sentence.contains("--home"))
    }

    @Test func `a socket path of 103 bytes is accepted, one of 104 is refused`() throws {
        // "/api.sock" has 9 bytes.
        let fitting = "/" + String(repeating: "d", count: 93)
        #expect(try Home(fitting).socketPath().utf8.count == 103)
        #expect(
            throws: HomeFault.socketPathTooLong(path: fitting + "d", bytes: 104, limit: 103)
        ) { try Home(fitting + "d").socketPath() }
    }

    @Test func `the length of a socket path is counted in bytes, not in characters`() {
        let path = "/" + String(repeating: "강", count: 33)
        #expect(throws: HomeFault.self) { try Home(path).socketPath() }
    }

    @Test func `missing directories are created for the owner alone`() throws {
        try withDirectory { path in
            let home = Home(path + "/a/b")
            try home.prepare()
            #expect(try mode(path + "/a") == 0o700)
            #expect(try mode(home.directory) == 0o700)
            try home.prepare()
            #expect(try home.prepareSocket() == path + "/a/b/api.sock")
        }
    }

    @Test func `an empty directory open to others is closed to them`() throws {
        try withDirectory { path in
            try setMode(0o755, of: path)
            try Home(path).prepare()
            #expect(try mode(path) == 0o700)
        }
    }

    @Test func `a directory in use that is open to others is refused and left as it is`() throws {
        try withDirectory { path in
            try Data().write(to: URL(fileURLWithPath: path + "/something"))
            try setMode(0o755, of: path)
            #expect(throws: HomeFault.openToOthers(path)) { try Home(path).prepare() }
            #expect(try mode(path) == 0o755)
        }
    }

    @Test func `a file at the path of the home is refused`() throws {
        try withDirectory { path in
            try Data().write(to: URL(fileURLWithPath: path + "/file"))
            #expect(throws: HomeFault.notADirectory(path + "/file")) {
                try Home(path + "/file").prepare()
            }
            #expect(throws: HomeFault.notADirectory(path + "/file/below")) {
                try Home(path + "/file/below").prepare()
            }
        }
    }

    @Test func `a home on a file system that refuses writes is not writable`() {
        #expect(throws: HomeFault.self) { try Home("/proc/waggle").prepare() }
    }
}
