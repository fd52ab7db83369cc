// What somebody has done with a task so far. It is kept in the window, so that a reload loses nothing of it.

import { passing } from "./storage.js";

const PREFIX = "partita:task:";

export class Record {
  constructor(task) {
    this.key = PREFIX + task.task;
    this.kept = { seconds: 0, hidden: 0, listened: {}, comment: "", ...(passing.get(this.key) ?? {}) };
    this.since = performance.now();
    this.away = document.hidden ? this.since : null;
    this.look = () => {
      const now = performance.now();
      if (document.hidden) this.away ??= now;
      else if (this.away !== null) {
        this.kept.hidden += (now - this.away) / 1_000;
        this.away = null;
      }
      this.save();
    };
    document.addEventListener("visibilitychange", this.look);
    window.addEventListener("pagehide", this.look);
  }

  /** How a part was heard, to be counted up. */
  heard(part) {
    this.kept.listened[part] ??= { plays: 0, ended: false };
    return this.kept.listened[part];
  }

  /** How many seconds the task has taken. */
  get seconds() {
    return rounded(this.kept.seconds + (performance.now() - this.since) / 1_000);
  }

  /** How many of them the page was out of sight. */
  get hidden() {
    const now = this.away === null ? 0 : (performance.now() - this.away) / 1_000;
    return rounded(this.kept.hidden + now);
  }

  save() {
    passing.set(this.key, { ...this.kept, seconds: this.seconds });
  }

  /** The task is over, or left. */
  end(forgotten) {
    document.removeEventListener("visibilitychange", this.look);
    window.removeEventListener("pagehide", this.look);
    if (forgotten) passing.remove(this.key);
  }
}

function rounded(seconds) {
  return Math.round(seconds * 1_000) / 1_000;
}
