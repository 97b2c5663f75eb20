import { describe, expect, it } from "vitest";
import { deadLinks, strayPlaces } from "./text-rules.ts";

describe("places", () => {
  it.each([
    ["a path of a home", ["", "root", "project", "a.ts"].join("/")],
    ["a path of a user", `cd ${["", "home", "ann", "project"].join("/")}`],
    ["a work tree", `"${["", "work", "main", "a.ts"].join("/")}"`],
    ["a registry", `"resolved": "https://${["registry", "npmjs", "org"].join(".")}/a.tgz"`],
  ])("%s is found", (_, text) => {
    expect(strayPlaces("a.md", text)).toHaveLength(1);
  });

  it.each(["https://example.com/work/list", "test/cluster/a.ts", "$HOME/root/a", "/healthz"])("%s is none", (text) => {
    expect(strayPlaces("a.md", text)).toEqual([]);
  });
});

describe("links", () => {
  const dead = (text: string) => deadLinks("docs/a.md", text, (path) => path === "docs/b.md" || path === "README.md");

  it("a relative link to nothing is dead", () => {
    expect(dead("see [c](c.md) and [d](../d/)")).toEqual([
      "docs/a.md links to c.md, which does not exist",
      "docs/a.md links to ../d/, which does not exist",
    ]);
  });

  it("links that lead somewhere, addresses, anchors and code are left alone", () => {
    const text = "[b](b.md#part) [r](../README.md) [w](https://example.com) [m](mailto:a@b.c) [h](#here) `[x](y)`";
    expect(dead(text)).toEqual([]);
    expect(dead("```\n[x](y)\n```\n")).toEqual([]);
  });
});
