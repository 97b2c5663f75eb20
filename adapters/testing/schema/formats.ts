const FORMATS: Record<string, RegExp> = {
  "date-time": /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^@\s]+@[^@\s]+$/,
  hostname: /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/,
  ipv4: /^\d{1,3}(\.\d{1,3}){3}$/,
  ipv6: /^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$/,
  uri: /^[a-zA-Z][a-zA-Z0-9+.-]*:.+$/,
  uuid: /^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$/,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
};

/** Whether a string has a format that the API server checks. A format that it does not know fits everything. */
export function matchesFormat(format: string, value: string): boolean {
  return FORMATS[format]?.test(value) ?? true;
}
