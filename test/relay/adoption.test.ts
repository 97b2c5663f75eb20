import { describe, expect, it } from "vitest";
import { type Adoption, manifestSeen, revisionTold, STABLE_MS } from "../../infra/relay/plan/adoption.ts";
import { documents, manifestOf, relationOf } from "./support/objects.ts";

const declared = (revision: string) => ({
  ...manifestOf({ docs: [relationOf({ watch: { resource: documents } })] }),
  revision,
});
const [r1, r2, r3] = [declared("r1"), declared("r2"), declared("r3")];
const now = 1_000_000;

/** What is adopted after each of these, a minute apart: manifests that were fetched. */
function adopted(...revisions: string[]): (string | undefined)[] {
  let state: Adoption = {};
  return revisions.map((revision, i) => {
    state = manifestSeen(state, declared(revision), now + i * STABLE_MS);
    return state.adopted?.revision;
  });
}

describe("R12 a manifest", () => {
  it("is adopted at once where there is none", () => {
    expect(manifestSeen({}, r1, now)).toEqual({ adopted: r1 });
  });

  it.each([
    ["once it has stood for a minute", ["r1", "r2", "r2"], ["r1", "r1", "r2"]],
    ["not while it flaps with the old one", ["r1", "r2", "r1", "r2", "r1", "r2"], ["r1", "r1", "r1", "r1", "r1", "r1"]],
    ["not while it flaps with another one", ["r1", "r2", "r3", "r2", "r3"], ["r1", "r1", "r1", "r1", "r1"]],
    ["the newest of several", ["r1", "r2", "r3", "r3"], ["r1", "r1", "r1", "r3"]],
    ["also where it is an old one again", ["r1", "r2", "r2", "r1", "r1"], ["r1", "r1", "r2", "r2", "r1"]],
  ])("is adopted %s", (_, fetched, expected) => {
    expect(adopted(...fetched)).toEqual(expected);
  });

  it("that is seen often within a minute still takes the minute", () => {
    let state: Adoption = manifestSeen({ adopted: r1 }, r2, now);
    for (const ms of [1, 1_000, STABLE_MS - 1]) state = manifestSeen(state, r2, now + ms);
    expect(state.adopted).toBe(r1);
    expect(manifestSeen(state, r2, now + STABLE_MS)).toEqual({ adopted: r2 });
  });

  it("begins its minute anew when an answer tells another revision", () => {
    const candidate = manifestSeen({ adopted: r1 }, r2, now);
    const doubted = revisionTold(candidate, "r1", now + 40_000);
    expect(manifestSeen(doubted, r2, now + 60_000).adopted).toBe(r1);
    expect(manifestSeen(doubted, r2, now + 100_000).adopted).toBe(r2);
    expect(revisionTold(candidate, "r2", now + 40_000)).toBe(candidate);
  });

  it("is not adopted by what answers tell alone", () => {
    expect(revisionTold({ adopted: r1 }, "r2", now)).toEqual({ adopted: r1 });
    expect(revisionTold({}, r3.revision, now)).toEqual({});
  });
});
