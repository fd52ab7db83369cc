// Activity of a judge on a task (plays, seconds). It is stored per window, so that a reload keeps it.

import { sessionStore } from "./storage.js";

const PREFIX = "partita:task:";

export class TaskActivity {
  constructor(task) {
    this.key = PREFIX + task.task;
    this.data = { seconds: 0, hidden: 0, listened: {}, comment: "", ...(sessionStore.get(this.key) ?? {}) };
    this.startedAt = performance.now();
    this.hiddenSince = document.hidden ? this.startedAt : null;
    this.onVisibilityChange = () => {
      const now = performance.now();
      if (document.hidden) this.hiddenSince ??= now;
      else if (this.hiddenSince !== null) {
        this.data.hidden += (now - this.hiddenSince) / 1_000;
        this.hiddenSince = null;
      }
      this.save();
    };
    document.addEventListener("visibilitychange", this.onVisibilityChange);
    window.addEventListener("pagehide", this.onVisibilityChange);
  }

  /** Returns the playback record of a part, to be updated by the caller. */
  playback(part) {
    this.data.listened[part] ??= { plays: 0, ended: false };
    return this.data.listened[part];
  }

  /** Returns the seconds spent on the task. */
  get seconds() {
    return rounded(this.data.seconds + (performance.now() - this.startedAt) / 1_000);
  }

  /** Returns the seconds for which the page was hidden. */
  get hidden() {
    const now = this.hiddenSince === null ? 0 : (performance.now() - this.hiddenSince) / 1_000;
    return rounded(this.data.hidden + now);
  }

  save() {
    sessionStore.set(this.key, { ...this.data, seconds: this.seconds });
  }

  /** Stops recording; removes the stored data if the task is finished. */
  end(isFinished) {
    document.removeEventListener("visibilitychange", this.onVisibilityChange);
    window.removeEventListener("pagehide", this.onVisibilityChange);
    if (isFinished) sessionStore.remove(this.key);
  }
}

function rounded(seconds) {
  return Math.round(seconds * 1_000) / 1_000;
}
