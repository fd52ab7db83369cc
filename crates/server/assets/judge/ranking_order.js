// Order of a ranking: groups of equal items, the most similar first, and unranked items. Independent of the page.

export class RankingOrder {
  constructor(keys, draft = null) {
    const known = (key) => keys.includes(key);
    this.groups = (draft?.groups ?? []).map((group) => group.filter(known)).filter((group) => group.length > 0);
    const ranked = this.groups.flat();
    this.unranked = (draft?.unranked ?? []).filter((key) => known(key) && !ranked.includes(key));
    this.unranked.push(...keys.filter((key) => !ranked.includes(key) && !this.unranked.includes(key)));
  }

  /** Returns the index of a key's group, or -1. */
  groupIndex(key) {
    return this.groups.findIndex((group) => group.includes(key));
  }

  /** Returns whether a key is alone in its group. */
  isAlone(key) {
    return this.groups[this.groupIndex(key)]?.length === 1;
  }

  remove(key) {
    this.groups = this.groups.map((group) => group.filter((other) => other !== key));
    this.groups = this.groups.filter((group) => group.length > 0);
    this.unranked = this.unranked.filter((other) => other !== key);
  }

  /** Moves a key one step up: out of its group, above the previous group, or from unranked to the last place. */
  up(key) {
    const index = this.groupIndex(key);
    if (index === 0 && this.isAlone(key)) return false;
    const to = index === -1 ? this.groups.length : this.isAlone(key) ? index - 1 : index;
    this.remove(key);
    this.groups.splice(to, 0, [key]);
    return true;
  }

  /** Moves a key one step down: out of its group, or below the next group. */
  down(key) {
    const index = this.groupIndex(key);
    if (index === -1 || (index === this.groups.length - 1 && this.isAlone(key))) return false;
    this.remove(key);
    this.groups.splice(index + 1, 0, [key]);
    return true;
  }

  /** Returns the key that `=` makes a key equal to: the one above it, or the last one for an unranked key. */
  above(key) {
    const index = this.groupIndex(key);
    if (index === -1) return this.groups.at(-1)?.[0] ?? null;
    // A key below another key of its group is already equal to it.
    return this.groups[index][0] === key ? (this.groups[index - 1]?.[0] ?? null) : null;
  }

  /** Makes a key equal to the one above. */
  equal(key) {
    const above = this.above(key);
    return above !== null && this.join(key, above);
  }

  /** Makes a key equal to another. */
  join(key, other) {
    if (key === other) return false;
    this.remove(key);
    this.groups[this.groupIndex(other)].push(key);
    return true;
  }

  /** Moves a key directly above the group of another, or to the end. */
  before(key, other) {
    this.remove(key);
    const to = other === null ? this.groups.length : this.groupIndex(other);
    this.groups.splice(to, 0, [key]);
    return true;
  }

  unrank(key) {
    if (this.groupIndex(key) === -1) return false;
    this.remove(key);
    this.unranked.push(key);
    return true;
  }

  get fields() {
    return { groups: this.groups, unranked: this.unranked };
  }
}
