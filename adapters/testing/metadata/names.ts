/** The forms of names, and what the API server says of a text that has not the form. */
const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LETTER_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const QUALIFIED_CHARACTERS = "alphanumeric characters, '-', '_' or '.'";
const QUALIFIED_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${QUALIFIED_PART})?`;
const ENDS = "and must start and end with an alphanumeric character";

function full(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

function explain(rule: string, examples: readonly string[], pattern: string): string {
  const eg = examples.map((example) => `'${example}'`).join(",  or ");
  return `${rule} (e.g. ${eg}, regex used for validation is '${pattern}')`;
}

/** What is wrong with a name of most kinds. */
export function subdomainProblems(name: string): string[] {
  const problems = tooLong(name, 253, "characters");
  if (!full(SUBDOMAIN).test(name)) {
    const rule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ENDS}`;
    problems.push(explain(rule, ["example.com"], SUBDOMAIN));
  }
  return problems;
}

/** What is wrong with a name that must begin with a letter: of a CRD's version and names. */
export function letterLabelProblems(name: string): string[] {
  const problems = tooLong(name, 63, "characters");
  if (full(LETTER_LABEL).test(name)) return problems;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...problems, explain(rule, ["my-name", "abc-123"], LETTER_LABEL)];
}

/** What is wrong with a namespace's or Service's name. */
export function labelProblems(name: string): string[] {
  const problems = tooLong(name, 63, "characters");
  if (full(LABEL).test(name)) return problems;
  if (full(SUBDOMAIN).test(name)) return [...problems, "must not contain dots"];
  const rule = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ENDS}`;
  return [...problems, explain(rule, ["my-name", "123-abc"], LABEL)];
}

/** What is wrong with a key of labels, annotations and finalizers: `name` or `example.com/name`. */
export function qualifiedNameProblems(text: string): string[] {
  const parts = text.split("/");
  const characters = `must consist of ${QUALIFIED_CHARACTERS}, ${ENDS}`;
  const examples = ["MyName", "my.name", "123-abc"];
  if (parts.length > 2) {
    const rule = explain(`a valid label key ${characters}`, examples, QUALIFIED_PART);
    return [`${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const [prefix, name] = parts.length === 2 ? [parts[0]!, parts[1]!] : [undefined, parts[0]!];
  const problems = prefix === undefined ? [] : prefixProblems(prefix);
  if (name === "") problems.push("name part must be non-empty");
  else problems.push(...tooLong(name, 63, "bytes").map((problem) => `name part ${problem}`));
  if (!full(QUALIFIED_PART).test(name)) problems.push(explain(`name part ${characters}`, examples, QUALIFIED_PART));
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return subdomainProblems(prefix).map((problem) => `prefix part ${problem}`);
}

/** What is wrong with a label's value. */
export function labelValueProblems(value: string): string[] {
  const problems = tooLong(value, 63, "bytes");
  if (full(LABEL_VALUE).test(value)) return problems;
  const rule = `a valid label must be an empty string or consist of ${QUALIFIED_CHARACTERS}, ${ENDS}`;
  return [...problems, explain(rule, ["MyValue", "my_value", "12345"], LABEL_VALUE)];
}

function tooLong(text: string, limit: number, unit: string): string[] {
  return text.length > limit ? [`must be no more than ${limit} ${unit}`] : [];
}
