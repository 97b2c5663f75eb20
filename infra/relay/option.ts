/** One option: a flag and a variable that say the same, and what their text must be. */
export type Option<T = unknown> = {
  /** `--port <port>`. None where a command line, which is open to everybody on the machine, is no place for it. */
  flag?: `--${string}`;
  variable: string;
  /** The heading that it stands under in the help. */
  group: string;
  help: string;
  /** The text that counts where neither says anything. */
  default?: string;
  /** Completes "must be". */
  must: string;
  /** Undefined where the text is not what it must be. */
  read(text: string): T | undefined;
  /** Whether the flag may come several times; its texts are then one, with blanks between. */
  repeated?: true;
  /** Whether the text may hold something that no error may repeat (X4). */
  quiet?: true;
};

/** Options by the name of their flag, written as commander hands it on: `gatewayPort` for `--gateway-port`. */
export type OptionTable = Readonly<Record<string, Option>>;

type Read<O extends Option> = Exclude<ReturnType<O["read"]>, undefined>;

/** What the options of a table say. Only those with a default are sure to be there. */
export type OptionValues<T extends OptionTable> = {
  [K in keyof T]: T[K] extends { default: string } ? Read<T[K]> : Read<T[K]> | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;
/** `true`: a flag that takes no text. */
export type Flags = Readonly<Record<string, string | readonly string[] | true | undefined>>;

/**
 * Each option from its flag, else from its variable, else its default. An empty text says nothing.
 * @throws TypeError for a text that is wrong. It names the flag, the variable and what it must be.
 * @example readOptions(relayOptions, { cluster: "home" }, process.env).cluster
 */
export function readOptions<T extends OptionTable>(table: T, flags: Flags, environment: Environment): OptionValues<T> {
  const values = Object.entries(table).map(([name, option]) => {
    const text =
      [flags[name] ?? ""].flat().map(String).join(" ") || variableOf(option, environment) || option.default || "";
    if (text === "") return [name, undefined];
    const value = option.read(text);
    if (value === undefined) throw wrong(option, text);
    return [name, value];
  });
  return Object.fromEntries(values) as OptionValues<T>;
}

/** `--cluster or SLUICE_CLUSTER is needed: the cluster's name` */
export function missing({ flag, variable }: Option, what: string): TypeError {
  return new TypeError(`${flag ? `${nameOf(flag)} or ` : ""}${variable} is needed: ${what}`);
}

/** The variables with our prefix that no option has: probably a mistake, which somebody has to be told of. */
export function unknownVariables(table: OptionTable, environment: Environment, prefix = "SLUICE_"): string[] {
  const known = new Set(Object.values(table).map(({ variable }) => variable));
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.has(name) && !isServiceLink(name, environment[name]))
    .sort();
}

/** `--bind (SLUICE_BIND) must be an IP address, got "home"` */
export function wrong({ flag, variable, must, quiet }: Option, text: string): TypeError {
  const where = flag ? `${nameOf(flag)} (${variable})` : variable;
  return new TypeError(`${where} must be ${must}${quiet ? "" : `, got "${text.slice(0, 80)}"`}`);
}

function nameOf(flag: string): string {
  return flag.split(" ")[0]!;
}

function variableOf({ variable }: Option, environment: Environment): string {
  const text = environment[variable] ?? "";
  return isServiceLink(variable, text) ? "" : text;
}

/**
 * Kubernetes tells each container of the Services in its namespace, by variables that begin with their names: with a Service
 * `sluice-gateway`, SLUICE_GATEWAY_PORT is `tcp://10.0.0.1:80`. They are not meant for us.
 */
function isServiceLink(name: string, text = ""): boolean {
  if (/_PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(text)) return true;
  return /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name);
}
