import { describe, expect, it } from "vitest";
import { configMap, gatewayUnderTest, HOME, mapsIn, STRANGER, USER } from "./gateway-under-test.ts";

const maps = mapsIn("default");
const written = ({ logger }: ReturnType<typeof gatewayUnderTest>) =>
  logger.lines.filter(({ message }) => message === "gateway write").map(({ fields }) => fields);

describe("the audit", () => {
  it("has a line a write: who, for which controller, what, and how it was answered", async () => {
    const gateway = gatewayUnderTest();
    const managed = "?fieldManager=documents";
    const apply = { body: configMap("b", { text: "private" }), type: "application/apply-patch+yaml" };
    await gateway.send("POST", `${maps}${managed}&dryRun=All`, { body: configMap("a", { text: "private" }), id: "1" });
    await gateway.send("PATCH", `${maps}/b${managed}`, { ...apply, id: "2" });
    await gateway.send("DELETE", `${maps}/c`, { id: "3" });
    await gateway.send("GET", `${maps}/b`);
    await gateway.send("GET", maps);
    const common = { user: USER, controller: "documents", group: "", resource: "configmaps", namespace: "default" };
    expect(written(gateway)).toEqual([
      { ...common, verb: "create", name: "a", dryRun: true, status: 201, id: "1" },
      { ...common, verb: "patch", name: "b", status: 201, id: "2" },
      { ...common, verb: "delete", name: "c", status: 404, id: "3" },
    ]);
    expect(JSON.stringify(gateway.logger.lines)).not.toContain("private");
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "null"],
    ["no name", '{"metadata":{"generateName":"a-"}}'],
    ["a name that is none", '{"metadata":{"name":"../a"}}'],
    ["a name that is no text", '{"metadata":{"name":{"a":1}}}'],
  ])("names nothing where the body has %s", async (_, body) => {
    const gateway = gatewayUnderTest();
    await gateway.send("POST", `${maps}?fieldManager=documents`, { body });
    expect(written(gateway)).toHaveLength(1);
    expect(written(gateway)[0]).not.toHaveProperty("name");
  });

  it("tells of a write whose answer never came", async () => {
    const transport = { fetch: () => Promise.reject(new TypeError("no answer")) };
    const gateway = gatewayUnderTest({ transport });
    await gateway.send("DELETE", `${maps}/a`);
    expect(written(gateway)).toMatchObject([{ verb: "delete", name: "a", status: 502 }]);
  });

  it("X4 a refusal of a known sender is logged without its body, one of a stranger is not at all", async () => {
    const gateway = gatewayUnderTest();
    const body = configMap("a", { text: "private" });
    await gateway.send("POST", `${maps}?fieldManager=documents`, { body, secrets: [STRANGER] });
    expect(gateway.logger.lines).toEqual([]);
    await gateway.send("POST", `${maps}?fieldManager=others`, { body, id: "1" });
    expect(gateway.logger.lines).toEqual([
      {
        level: "warn",
        message: "the gateway refused a request",
        fields: {
          controller: "documents",
          id: "1",
          verb: "create",
          code: "malformed",
          error: "fieldManager: must be documents, the controller's own",
        },
      },
    ]);
    expect(JSON.stringify(gateway.logger.lines)).not.toContain(HOME);
  });
});
