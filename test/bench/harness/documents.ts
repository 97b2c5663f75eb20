/** The job's objects, as the bench makes and expects them. */

export const documentsPath = "/apis/example.com/v1/namespaces/default/documents";
export const configMapsPath = "/api/v1/namespaces/default/configmaps";

export function documentNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `doc-${String(index + 1).padStart(5, "0")}`);
}

export const titleOf = (name: string) => `Title of ${name}`;

/** Characters of no pattern, so that nothing on the way compresses them away. */
const filler = Array.from({ length: 4096 }, (_, i) => ((i * 2654435761) >>> 3).toString(36)).join(" ");
const contentSize = 200;

/** 200 characters that begin with the name and the version, so that no two are equal. */
export function contentOf(name: string, version: number): string {
  const head = `${name} v${version} `;
  const from = (version * 31 + Number(name.replace(/\D/g, ""))) % 1000;
  return head + filler.slice(from, from + contentSize - head.length);
}

export const newDocument = (name: string) => ({
  apiVersion: "example.com/v1",
  kind: "Document",
  metadata: { name },
  spec: { title: titleOf(name), content: contentOf(name, 1) },
});
