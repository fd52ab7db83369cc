// Order of a ranking: groups of equal items, the most similar first, and unranked items. Independent of the page.

export class Order {
  constructor(keys, draft = null) {
    const known = (key) => keys.includes(key);
    this.groups = (draft?.groups ?? []).map((group) => group.filter(known)).filter((group) => group.length > 0);
    const ranked = this.groups.flat();
    this.unranked = (draft?.unranked ?? []).filter((key) => known(key) && !ranked.includes(key));
    this.unranked.push(...keys.filter((key) => !ranked.includes(key) && !this.unranked.includes(key)));
  }

  /** Returns the index of a key's group, or -1. */
  place(key) {
    return this.groups.findIndex((group) => group.includes(key));
  }

  /** Returns whether a key is alone in its group. */
  isAlone(key) {
    return this.groups[this.place(key)]?.length === 1;
  }

  take(key) {
    this.groups = this.groups.map((group) => group.filter((other) => other !== key));
    this.groups = this.groups.filter((group) => group.length > 0);
    this.unranked = this.unranked.filter((other) => other !== key);
  }

  /** Moves a key one step up: out of its group, above the previous group, or from unranked to the last place. */
  up(key) {
    const place = this.place(key);
    if (place === 0 && this.isAlone(key)) return false;
    const to = place === -1 ? this.groups.length : this.isAlone(key) ? place - 1 : place;
    this.take(key);
    this.groups.splice(to, 0, [key]);
    return true;
  }

  /** Moves a key one step down: out of its group, or below the next group. */
  down(key) {
    const place = this.place(key);
    if (place === -1 || (place === this.groups.length - 1 && this.isAlone(key))) return false;
    this.take(key);
    this.groups.splice(place + 1, 0, [key]);
    return true;
  }

  /** Returns the key that `=` makes a key equal to: the one above it, or the last one for an unranked key. */
  above(key) {
    const place = this.place(key);
    if (place === -1) return this.groups.at(-1)?.[0] ?? null;
    // A key below another key of its group is already equal to it.
    return this.groups[place][0] === key ? (this.groups[place - 1]?.[0] ?? null) : null;
  }

  /** Makes a key equal to the one above. */
  equal(key) {
    const above = this.above(key);
    return above !== null && this.join(key, above);
  }

  /** Makes a key equal to another. */
  join(key, other) {
    if (key === other) return false;
    this.take(key);
    this.groups[this.place(other)].push(key);
    return true;
  }

  /** Moves a key directly above the group of another, or to the end. */
  before(key, other) {
    this.take(key);
    const to = other === null ? this.groups.length : this.place(other);
    this.groups.splice(to, 0, [key]);
    return true;
  }

  unrank(key) {
    if (this.place(key) === -1) return false;
    this.take(key);
    this.unranked.push(key);
    return true;
  }

  get fields() {
    return { groups: this.groups, unranked: this.unranked };
  }
}
