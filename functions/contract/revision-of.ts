/** What of a manifest tells revisions. */
export type Declared = {
  revision: string;
  controllers: readonly { name: string; revision?: string | undefined }[];
};

/**
 * A controller's revision, which changes with its own code or declaration: the deployment's, where it tells none of its own.
 * Undefined for a controller that is not declared.
 */
export function revisionOf(manifest: Declared, controller: string): string | undefined {
  const found = manifest.controllers.find(({ name }) => name === controller);
  return found && (found.revision ?? manifest.revision);
}
