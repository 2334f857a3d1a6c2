import Contract
import Testing

@testable import ControlAPI

struct OpenAPIDocumentTests {
    private let document = OpenAPIDocument(
        [SampleCommands.ask, SampleCommands.list],
        events: StreamEvents.declarations + [SampleEvents.walk.declaration], version: "1.2.3"
    ).json

    @Test func `the document names its version and its licence`() {
        #expect(document["openapi"]?.string == "3.1.0")
        #expect(document["info"]?["version"]?.string == "1.2.3")
        #expect(document["info"]?["license"]?["identifier"]?.string == "Apache-2.0")
    }

    @Test func `every command has a path, and so does the event stream`() throws {
        guard case .object(let paths) = try #require(document["paths"]) else {
            Issue.record("paths is no object")
            return
        }
        #expect(
            Set(paths.keys)
                == ["/v1/walk/ask", "/v1/walk/list", "/v1/events", "/v1/openapi.json"])
    }

    @Test func `the event stream refers to the schema of each event's body`() throws {
        let get = try #require(document["paths"]?["/v1/events"]?["get"])
        guard case .object(let events) = try #require(get["x-events"]) else { return }
        #expect(Set(events.keys) == ["open", "lost", "walk"])
        #expect(events["walk"] == ["$ref": "#/components/schemas/Event-walk"])
        let body = try #require(document["components"]?["schemas"]?["Event-walk"])
        #expect(body["description"]?.string == "A walk changed.")
        #expect(body["properties"]?["state"]?["enum"] == ["open", "over"])
        #expect(body["required"] == nil && body["additionalProperties"] == true)
    }

    @Test func `the document names the header with which an action may be sent again`() throws {
        let text = try #require(document["info"]?["description"]?.string)
        #expect(text.contains(ActionID.header) && text.contains(ActionID.pattern))
    }

    @Test func `an action has a body with its parameters`() throws {
        let post = try #require(document["paths"]?["/v1/walk/ask"]?["post"])
        #expect(post["operationId"]?.string == "walk-ask")
        #expect(post["requestBody"]?["required"] == true)
        let schema = try #require(
            post["requestBody"]?["content"]?["application/json"]?["schema"])
        #expect(schema["required"] == ["to", "latitude"])
        #expect(schema["properties"]?["latitude"]?["type"]?.string == "number")
        #expect(schema["properties"]?["size"]?["enum"] == ["small", "big"])
        #expect(schema["properties"]?["keywords"]?["items"]?["type"]?.string == "string")
        #expect(schema["properties"]?["to"]?["description"]?.string == "The mate.")
    }

    @Test func `a query has parameters`() throws {
        let get = try #require(document["paths"]?["/v1/walk/list"]?["get"])
        let parameters = try #require(get["parameters"]?.array)
        #expect(parameters.map { $0["name"]?.string } == ["state", "keywords", "near", "open"])
        #expect(parameters.allSatisfy { $0["in"]?.string == "query" && $0["required"] == false })
        #expect(get["requestBody"] == nil)
    }

    @Test func `a result's schema says which members may be absent`() throws {
        let post = try #require(document["paths"]?["/v1/walk/ask"]?["post"])
        let schema = try #require(
            post["responses"]?["200"]?["content"]?["application/json"]?["schema"])
        #expect(schema["required"] == ["id"])
        #expect(schema["properties"]?["secondsLeft"]?["type"]?.string == "integer")
    }

    @Test func `every response except the successful one is the described error`() throws {
        guard case .object(let paths) = try #require(document["paths"]) else { return }
        for (path, methods) in paths {
            let operation = methods["get"] ?? methods["post"]
            guard case .object(let responses) = try #require(operation?["responses"]) else {
                continue
            }
            #expect(
                Set(["200", "400", "403", "404", "405", "409", "413", "415"]).isSubset(
                    of: responses.keys))
            for (status, response) in responses where status != "200" {
                let schema = response["content"]?["application/json"]?["schema"]
                #expect(
                    schema?["$ref"]?.string == "#/components/schemas/Error", "\(path) \(status)")
            }
        }
        let codes = document["components"]?["schemas"]?["Error"]?["properties"]?["error"]?[
            "properties"]?["code"]?["enum"]?.array
        #expect(codes?.contains("conflict") == true)
    }
}
