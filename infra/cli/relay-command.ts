import { Command, Option } from "commander";
import type { Flags, Option as RelayOption } from "../relay/option.ts";
import { relayOptions } from "../relay/option-table.ts";
import { relay } from "./relay.ts";

/** `sluice relay`, with a flag for every row of the relay's options that has one. */
export function relayCommand(version: string, signal?: Promise<void>): Command {
  const command = new Command("relay").description("watch a cluster and trigger the functions, until SIGTERM");
  const rows: RelayOption[] = Object.values(relayOptions);
  for (const { flag, group, variable, repeated, ...row } of rows) {
    if (!flag) continue;
    const option = new Option(flag, `${described(row)} [${variable}]`).helpGroup(`${group}:`);
    if (repeated) option.argParser((text: string, before: readonly string[] = []) => [...before, text]);
    command.addOption(option);
  }
  const others = rows.filter(({ flag }) => !flag).map((row) => `  ${row.variable.padEnd(WIDTH)}  ${described(row)}`);
  return command
    .addHelpText("after", `\nA flag goes before its [VARIABLE]. Variables without a flag:\n${others.join("\n")}`)
    .action((flags: Flags) => relay(flags, version, signal));
}

const WIDTH = 16;

function described({ help, default: value }: Pick<RelayOption, "help" | "default">): string {
  return value === undefined ? help : `${help} (default: ${value})`;
}
