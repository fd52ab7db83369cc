// Draft of a ranking, saved immediately in the browser and shortly after on the server.

import { ask } from "./session.js";
import { localStore } from "./storage.js";

/** Delay in milliseconds before a change is sent, and longest delay between two attempts. */
const SAVE_DELAY = 400;
const MAX_DELAY = 30_000;

export class RankingDraft {
  /** `listener.state` receives the progress of saving, `listener.newer` a later draft of another window or device. */
  constructor(task, listener) {
    this.task = task.task;
    this.key = `partita:draft:${this.task}`;
    this.listener = listener;
    const own = localStore.get(this.key);
    const known = task.draft ?? null;
    this.latest = own && own.version > (known?.version ?? 0) ? own : known;
    this.isSent = this.latest === known;
    this.delay = 1_000;
    this.wake = () => this.send();
    window.addEventListener("online", this.wake);
    if (!this.isSent) this.schedule(SAVE_DELAY);
  }

  /** Sets a new order. */
  change(fields) {
    this.latest = { version: (this.latest?.version ?? 0) + 1, ...structuredClone(fields) };
    this.isSent = false;
    localStore.set(this.key, this.latest);
    this.listener.state("saving");
    this.schedule(SAVE_DELAY);
  }

  /** Adopts the server's draft. */
  adopt(draft) {
    this.latest = draft;
    this.isSent = true;
    localStore.remove(this.key);
  }

  schedule(pause) {
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
        if (!this.isOver) this.listener.state("saved");
      }
    } catch (problem) {
      if (this.isOver) return;
      if (problem.isTemporary) {
        this.listener.state("waiting");
        this.schedule(this.delay);
        this.delay = Math.min(this.delay * 2, MAX_DELAY);
        return;
      }
      this.isSent = true;
      if (problem.kind === "draft") this.listener.newer();
    } finally {
      this.isSending = false;
    }
    if (!this.isSent) this.schedule(0);
  }

  end(isFinished) {
    this.isOver = true;
    clearTimeout(this.timer);
    window.removeEventListener("online", this.wake);
    if (isFinished) localStore.remove(this.key);
  }
}
