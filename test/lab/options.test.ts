import { expect, test } from "vitest";
import { optionsOf, UsageError } from "../../examples/lab/options.ts";

test.each([
  [[], { json: false, help: false }],
  [["--json"], { json: true, help: false }],
  [["--kubeconfig", "a.yaml"], { kubeconfig: "a.yaml", json: false, help: false }],
  [["-h"], { json: false, help: true }],
])("%j", (argv, options) => expect(optionsOf(argv)).toEqual(options));

test.each([
  [["--colour"], "--colour"],
  [["somewhere"], "somewhere"],
  [["--kubeconfig"], "--kubeconfig"],
  [["--kubeconfig", ""], "--kubeconfig"],
  [["--json=yes"], "--json"],
])("%j is refused by the name of what is wrong", (argv, named) => {
  expect(() => optionsOf(argv)).toThrow(UsageError);
  expect(() => optionsOf(argv)).toThrow(named);
});
