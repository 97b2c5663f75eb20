type Item = { readonly key: string; at: number; order: number; place: number };

/**
 * Keys by the instant at which they may start, the earliest first, equal ones in the order in which they came. A binary
 * heap whose items know their place, so that a key moves or leaves in O(log n). About 200 bytes a key with its text.
 */
export class DueQueue {
  readonly #heap: Item[] = [];
  readonly #items = new Map<string, Item>();
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  has(key: string): boolean {
    return this.#items.has(key);
  }

  keys(): Iterable<string> {
    return this.#items.keys();
  }

  first(): { readonly key: string; readonly at: number } | undefined {
    return this.#heap[0];
  }

  set(key: string, at: number): void {
    const item = this.#items.get(key);
    if (!item) {
      const added = { key, at, order: this.#order++, place: this.#heap.length };
      this.#items.set(key, added);
      this.#heap.push(added);
      this.#up(added.place);
    } else if (item.at !== at) {
      item.at = at;
      item.order = this.#order++;
      this.#down(item.place);
      this.#up(item.place);
    }
  }

  delete(key: string): void {
    const item = this.#items.get(key);
    if (!item) return;
    this.#items.delete(key);
    const last = this.#heap.pop()!;
    if (last === item) return;
    this.#put(item.place, last);
    this.#down(last.place);
    this.#up(last.place);
  }

  /** At most `limit` keys that are due at `now` and not to be skipped, in order. Takes nothing out. */
  upTo(now: number, limit: number, skip: (key: string) => boolean): { readonly key: string; readonly at: number }[] {
    const found: Item[] = [];
    // The heap is searched best-first: a place comes up only once its parent was taken. Those that are up are a heap too.
    const up: number[] = this.#heap.length > 0 ? [0] : [];
    while (up.length > 0 && found.length < limit) {
      const place = this.#takeFirst(up);
      const item = this.#heap[place]!;
      if (item.at > now) break;
      if (!skip(item.key)) found.push(item);
      for (const child of [2 * place + 1, 2 * place + 2]) if (child < this.#heap.length) this.#add(up, child);
    }
    return found;
  }

  #add(places: number[], place: number): void {
    let at = places.length;
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = places[(at - 1) >> 1]!;
      if (!this.#before(place, parent)) break;
      places[at] = parent;
    }
    places[at] = place;
  }

  #takeFirst(places: number[]): number {
    const first = places[0]!;
    const last = places.pop()!;
    if (places.length === 0) return first;
    let at = 0;
    for (let child = 1; child < places.length; child = 2 * at + 1) {
      if (child + 1 < places.length && this.#before(places[child + 1]!, places[child]!)) child++;
      if (!this.#before(places[child]!, last)) break;
      places[at] = places[child]!;
      at = child;
    }
    places[at] = last;
    return first;
  }

  #before(a: number, b: number): boolean {
    const x = this.#heap[a]!;
    const y = this.#heap[b]!;
    return x.at < y.at || (x.at === y.at && x.order < y.order);
  }

  #put(place: number, item: Item): void {
    this.#heap[place] = item;
    item.place = place;
  }

  #swap(a: number, b: number): void {
    const item = this.#heap[a]!;
    this.#put(a, this.#heap[b]!);
    this.#put(b, item);
  }

  #up(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(from: number): void {
    for (let at = from; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < this.#heap.length && this.#before(child, least)) least = child;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }
}
