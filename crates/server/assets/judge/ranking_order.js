// The order of a ranking: groups of equals, the most similar first, and what is left out. Nothing here knows of
// the page.

export class Order {
  constructor(keys, draft = null) {
    const known = (key) => keys.includes(key);
    this.groups = (draft?.groups ?? []).map((group) => group.filter(known)).filter((group) => group.length > 0);
    const ranked = this.groups.flat();
    this.unranked = (draft?.unranked ?? []).filter((key) => known(key) && !ranked.includes(key));
    this.unranked.push(...keys.filter((key) => !ranked.includes(key) && !this.unranked.includes(key)));
  }

  /** In which group a key is; -1 if in none. */
  place(key) {
    return this.groups.findIndex((group) => group.includes(key));
  }

  /** Whether a key has its group for itself. */
  isAlone(key) {
    return this.groups[this.place(key)]?.length === 1;
  }

  take(key) {
    this.groups = this.groups.map((group) => group.filter((other) => other !== key));
    this.groups = this.groups.filter((group) => group.length > 0);
    this.unranked = this.unranked.filter((other) => other !== key);
  }

  /** One step up: out of a group, above the group before, or from the unranked to the last place. */
  up(key) {
    const place = this.place(key);
    if (place === 0 && this.isAlone(key)) return false;
    const to = place === -1 ? this.groups.length : this.isAlone(key) ? place - 1 : place;
    this.take(key);
    this.groups.splice(to, 0, [key]);
    return true;
  }

  /** One step down: out of a group, or below the group after. */
  down(key) {
    const place = this.place(key);
    if (place === -1 || (place === this.groups.length - 1 && this.isAlone(key))) return false;
    this.take(key);
    this.groups.splice(place + 1, 0, [key]);
    return true;
  }

  /** The key that another becomes equal to: the one above it, or the last for an unranked one. */
  above(key) {
    const place = this.place(key);
    if (place === -1) return this.groups.at(-1)?.[0] ?? null;
    // Whoever has somebody of its own group above it is equal to it already.
    return this.groups[place][0] === key ? (this.groups[place - 1]?.[0] ?? null) : null;
  }

  /** Equal to the one above. */
  equal(key) {
    const above = this.above(key);
    return above !== null && this.join(key, above);
  }

  /** Equal to another. */
  join(key, other) {
    if (key === other) return false;
    this.take(key);
    this.groups[this.place(other)].push(key);
    return true;
  }

  /** Directly above the group of another, or at the end. */
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
