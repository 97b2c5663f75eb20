import type { Lab } from "./lab.ts";
import type { Narrator } from "./narrator.ts";
import { createSite, makeConfigMapRight, type SiteName } from "./sites.ts";

/** Starts the controller on what is there already, then creates the other two Sites. */
export async function firstRound(lab: Lab, narrator: Narrator): Promise<void> {
  narrator.heading(
    "docs is there, and so is its ConfigMap, just as its controller would make it. Start the controller.",
  );
  await makeConfigMapRight(lab, await createSite(lab, "docs"));
  await lab.functions.start();
  await lab.relay.start();
  await ran(lab, "docs");

  narrator.heading("Create blog.");
  await createSite(lab, "blog");
  await ran(lab, "blog");

  narrator.heading("Create shop. The Secret that it names is not there.");
  await createSite(lab, "shop");
  await ran(lab, "shop");
}

async function ran({ until, quiet, journal }: Lab, name: SiteName): Promise<void> {
  await until(`${name} ran`, () => journal.of(name).length > 0);
  await quiet();
}
