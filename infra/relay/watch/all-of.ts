/** Resolves when all of them have, and those that were added meanwhile. */
export async function allOf(promises: readonly Promise<void>[]): Promise<void> {
  for (let awaited = -1; awaited !== promises.length; ) {
    awaited = promises.length;
    await Promise.all(promises);
  }
}
