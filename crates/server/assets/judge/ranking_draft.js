// Draft of a ranking, saved immediately in the browser and shortly after on the server.

import { ask } from "./session.js";
import { lasting } from "./storage.js";

const SOON = 400;
const LONGEST = 30_000;

export class Draft {
  /** `told.state` receives the progress of saving, `told.newer` a later draft of another window or device. */
  constructor(task, told) {
    this.task = task.task;
    this.key = `partita:draft:${this.task}`;
    this.told = told;
    const own = lasting.get(this.key);
    const known = task.draft ?? null;
    this.latest = own && own.version > (known?.version ?? 0) ? own : known;
    this.isSent = this.latest === known;
    this.delay = 1_000;
    this.wake = () => this.send();
    window.addEventListener("online", this.wake);
    if (!this.isSent) this.soon(SOON);
  }

  /** Sets a new order. */
  change(fields) {
    this.latest = { version: (this.latest?.version ?? 0) + 1, ...structuredClone(fields) };
    this.isSent = false;
    lasting.set(this.key, this.latest);
    this.told.state("saving");
    this.soon(SOON);
  }

  /** Adopts the server's draft. */
  adopt(draft) {
    this.latest = draft;
    this.isSent = true;
    lasting.remove(this.key);
  }

  soon(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), pause);
  }

  async send() {
    if (this.isSent || this.isOver || this.isSending) return;
    const { latest } = this;
    this.isSending = true;
    try {
      await ask("PUT", `/drafts/${this.task}`, latest);
      this.delay = 1_000;
      if (this.latest === latest) {
        this.isSent = true;
        if (!this.isOver) this.told.state("saved");
      }
    } catch (problem) {
      if (this.isOver) return;
      if (problem.passes) {
        this.told.state("waiting");
        this.soon(this.delay);
        this.delay = Math.min(this.delay * 2, LONGEST);
        return;
      }
      this.isSent = true;
      if (problem.kind === "draft") this.told.newer();
    } finally {
      this.isSending = false;
    }
    if (!this.isSent) this.soon(0);
  }

  end(forgotten) {
    this.isOver = true;
    clearTimeout(this.timer);
    window.removeEventListener("online", this.wake);
    if (forgotten) lasting.remove(this.key);
  }
}
