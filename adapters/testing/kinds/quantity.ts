const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** A quantity in its shortest form: `1000m` is `1`, `1024Mi` is `1Gi`, a number is its text. */
export function shortestQuantity(value: unknown): string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]?)$/.exec(String(value));
  if (!match) return String(value);
  const [, sign, whole, fraction = "", suffix] = match;
  const binary = BINARY.indexOf(suffix!) > 0;
  const [units, base] = binary ? [BINARY, 1024n] : [DECIMAL, 1000n];
  let index = units.indexOf(suffix!);
  let numerator = BigInt(`${whole}${fraction}` || "0");
  let denominator = 10n ** BigInt(fraction.length);
  while (numerator % denominator !== 0n && index > 0) {
    numerator *= base;
    index--;
  }
  numerator = (numerator + denominator - 1n) / denominator;
  denominator = 1n;
  if (numerator === 0n) return "0";
  while (numerator % base === 0n && index < units.length - 1) {
    numerator /= base;
    index++;
  }
  return `${sign === "-" ? "-" : ""}${numerator}${units[index]}`;
}
