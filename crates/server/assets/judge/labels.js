// Names of the parts of a task, and the texts that mention them. A campaign may set the names; default texts speak of
// an original and its variations.

import { t } from "../shared/i18n.js";

export class Labels {
  /** `texts` are the texts of the judge's campaign, with default values where it sets none. */
  constructor(texts) {
    this.texts = texts;
    this.hasOwnQuery = texts.query !== t("part.query");
    this.hasOwnItem = texts.item !== t("part.item");
  }

  /** Returns the name of a part of a task. */
  part(part) {
    const { query, item } = this.texts;
    if (part === "query") return query;
    return part === "item" ? item : `${item} ${part.toUpperCase()}`;
  }

  /** Returns the label of the button that plays a part. */
  play(part) {
    const isOwn = part === "query" ? this.hasOwnQuery : this.hasOwnItem;
    return isOwn ? t("play.named", { name: this.part(part) }) : t(`play.${part}`);
  }

  /** Returns a text that mentions parts: the default one, or one with the names that the campaign sets. */
  mention(key) {
    if (!this.hasOwnQuery && !this.hasOwnItem) return t(key);
    const names = Object.fromEntries(["query", "item", "a", "b"].map((part) => [part, this.part(part)]));
    return t(`${key}_named`, names);
  }

  /** Returns a text about item `n` of a ranking. */
  rankingItem(what, n, isMelody, values = {}) {
    const { item } = this.texts;
    const words = this.hasOwnItem ? "named" : isMelody ? "melody" : "item";
    return t(`ranking.${words}.${what}`, { n, item, ...values });
  }
}
