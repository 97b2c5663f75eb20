/** What the lab made and could not remove, by name, each with the reason. */
export interface Leftovers {
  readonly list: readonly string[];
  add(list: readonly string[]): void;
  /** Notes what is left unless this works. Never rejects, so that whoever removes goes on. */
  unless(what: string, remove: () => unknown): Promise<void>;
}

export function createLeftovers(): Leftovers {
  const list: string[] = [];
  return {
    list,
    add: (more) => void list.push(...more),
    async unless(what, remove) {
      try {
        await remove();
      } catch (error) {
        list.push(`${what}: ${(error as Error).message}`);
      }
    },
  };
}
