import { goTimeError } from "./go-time.ts";

const LETTER = "[a-zA-Z0-9\\p{L}]";
const LABEL = `${LETTER}(?:[a-zA-Z0-9\\p{L}-]{0,61}${LETTER})?`;
const UNITS = new Set(
  (
    "ns nano nanos nanosecond nanoseconds us µs micro micros microsecond microseconds ms milli millis millisecond " +
    "milliseconds s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w wk week weeks"
  ).split(" "),
);

const matching = (form: RegExp) => (text: string) => form.test(text);
const uuid = (version: string) =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, "i"));

const FORMATS: Record<string, (text: string) => boolean> = {
  "date-time": isDateTime,
  datetime: isDateTime,
  date: isDate,
  duration: isDuration,
  email: matching(/^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/),
  hostname: matching(new RegExp(`^(?:${LABEL}|(?:${LABEL}\\.)+[a-zA-Z\\p{L}]{2,63})$`, "u")),
  ipv4: isIpv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: isMac,
  uri: (text) => /^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|\/)/.test(text) && !/%(?![0-9a-fA-F]{2})|\p{Cc}/u.test(text),
  uuid: uuid("[0-9a-f]"),
  uuid3: uuid("3"),
  uuid4: uuid("4"),
  uuid5: uuid("5"),
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  hexcolor: matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  byte: matching(/^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
};

/**
 * Whether a string has a format that the API server checks. A format that it does not know fits everything; so do here
 * its formats of book, card and insurance numbers.
 */
export function matchesFormat(format: string, value: string): boolean {
  return !Object.hasOwn(FORMATS, format) || FORMATS[format]!(value);
}

function isDateTime(text: string): boolean {
  return goTimeError(text.toUpperCase(), "Time") === undefined;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isDateTime(`${text}T00:00:00Z`);
}

/** As Go writes them, and with days, weeks and whole words. */
function isDuration(text: string): boolean {
  const parts = [...text.matchAll(/\d+(?:\.\d+)?\s*([A-Za-zµ]+)/g)];
  return text === "0" || (parts.length > 0 && parts.every(([, unit]) => UNITS.has(unit!.toLowerCase())));
}

function isIpv4(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  return /^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$/.test(text) && URL.canParse(`http://[${text}]`);
}

function isCidr(text: string): boolean {
  const [, address = "", length] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  return (isIpv4(address) && Number(length) <= 32) || (isIpv6(address) && Number(length) <= 128);
}

/** Of 6, 8 or 20 bytes. */
function isMac(text: string): boolean {
  if (/^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text)) return [14, 19, 49].includes(text.length);
  return /^[0-9a-f]{2}(?:(?::[0-9a-f]{2})+|(?:-[0-9a-f]{2})+)$/i.test(text) && [17, 23, 59].includes(text.length);
}
