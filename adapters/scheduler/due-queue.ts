type Item = { key: string; at: number; order: number };

/**
 * Keys by the instant at which they may start, the earliest first, equal ones in the order in which they came. A binary
 * heap that knows each key's place, so that a key moves or leaves in O(log n).
 */
export class DueQueue {
  readonly #heap: Item[] = [];
  readonly #places = new Map<string, number>();
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  first(): { key: string; at: number } | undefined {
    return this.#heap[0];
  }

  set(key: string, at: number): void {
    const place = this.#places.get(key);
    if (place === undefined) {
      this.#place(this.#heap.length, { key, at, order: this.#order++ });
      this.#up(this.#heap.length - 1);
    } else if (this.#heap[place]!.at !== at) {
      this.#place(place, { key, at, order: this.#order++ });
      this.#down(place);
      this.#up(place);
    }
  }

  delete(key: string): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    const last = this.#heap.pop()!;
    if (place === this.#heap.length) return;
    this.#place(place, last);
    this.#down(place);
    this.#up(place);
  }

  /** At most `limit` keys that are due at `now` and not to be skipped, in order. Takes nothing out. */
  upTo(now: number, limit: number, skip: (key: string) => boolean): string[] {
    const found: string[] = [];
    // The heap is searched best-first: a place comes up only once its parent was taken. Those that are up are a heap too.
    const up: number[] = this.#heap.length > 0 ? [0] : [];
    while (up.length > 0 && found.length < limit) {
      const place = this.#takeFirst(up);
      const item = this.#heap[place]!;
      if (item.at > now) break;
      if (!skip(item.key)) found.push(item.key);
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

  #place(at: number, item: Item): void {
    this.#heap[at] = item;
    this.#places.set(item.key, at);
  }

  #swap(a: number, b: number): void {
    const item = this.#heap[a]!;
    this.#place(a, this.#heap[b]!);
    this.#place(b, item);
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
