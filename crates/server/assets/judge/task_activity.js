// Activity of a judge on a task (plays, seconds). It is stored per window, so that a reload keeps it.

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

  /** Returns the playback record of a part, to be updated by the caller. */
  heard(part) {
    this.kept.listened[part] ??= { plays: 0, ended: false };
    return this.kept.listened[part];
  }

  /** Returns the seconds spent on the task. */
  get seconds() {
    return rounded(this.kept.seconds + (performance.now() - this.since) / 1_000);
  }

  /** Returns the seconds for which the page was hidden. */
  get hidden() {
    const now = this.away === null ? 0 : (performance.now() - this.away) / 1_000;
    return rounded(this.kept.hidden + now);
  }

  save() {
    passing.set(this.key, { ...this.kept, seconds: this.seconds });
  }

  /** Ends recording when the task is finished or left. */
  end(forgotten) {
    document.removeEventListener("visibilitychange", this.look);
    window.removeEventListener("pagehide", this.look);
    if (forgotten) passing.remove(this.key);
  }
}

function rounded(seconds) {
  return Math.round(seconds * 1_000) / 1_000;
}
