// Clips. One audio element plays all clips, so that two never play at once. Browsers that allow playback only after
// a user action (Safari) allow it for this element after the first press.

import { el, button } from "../shared/dom.js";
import { forget, source } from "./media_cache.js";
import { t } from "../shared/i18n.js";

const player = new Audio();
player.preload = "auto";
let current = null;

player.addEventListener("playing", () => current?.onPlaying());
player.addEventListener("ended", () => {
  const clip = current;
  stop();
  clip?.onEnded();
});
player.addEventListener("error", () => {
  const clip = current;
  // An audio element without a source also fires an error event.
  if (!clip || !player.hasAttribute("src")) return;
  stop();
  clip.onFailed();
});
player.addEventListener("timeupdate", () => current?.onTime(player.currentTime, player.duration));

/** Stops playback. */
export function stop() {
  const clip = current;
  current = null;
  if (!clip) return;
  player.pause();
  clip.onStopped();
}

/** Returns the playing clip. */
export function playing() {
  return current;
}

/**
 * A clip with its button. `heard` is {plays, ended} and is updated during playback; `changed` is called after each
 * update.
 */
export class Clip {
  constructor(label, audio, heard, { changed = () => {}, short = null } = {}) {
    this.address = audio.url;
    this.heard = heard;
    this.changed = changed;
    this.isBroken = false;
    this.isCounted = false;
    const words = short ?? label;
    this.button = button(null, () => this.toggle(), {
      class: "play",
      "aria-pressed": "false",
      "aria-label": short ? label : null,
      // Style sheet text in high contrast, which drops the backgrounds that otherwise mark a playing clip.
      "data-stop": t("task.stop_clip"),
    });
    this.button.append(el("span", { class: "sign", "aria-hidden": "true" }), words);
    this.time = el("span", { class: "time", "aria-hidden": "true" });
    this.mark = el("span", { class: "heard", text: t("task.heard"), hidden: !heard.ended });
    this.trouble = el("div", { class: "trouble", role: "alert" });
    this.element = el("div", { class: "clip" }, this.button, this.time, this.mark, this.trouble);
    if (audio.seconds) this.time.textContent = minutesAndSeconds(Math.ceil(audio.seconds));
    this.seconds = audio.seconds;
  }

  toggle() {
    if (current === this) stop();
    else this.play();
  }

  play() {
    stop();
    this.trouble.replaceChildren();
    current = this;
    this.isCounted = false;
    this.button.setAttribute("aria-pressed", "true");
    player.src = source(this.address);
    player.play().catch((error) => {
      if (current !== this || error.name === "AbortError") return;
      stop();
      if (error.name === "NotAllowedError") this.trouble.replaceChildren(el("p", { text: t("task.press") }));
      else this.onFailed();
    });
  }

  onPlaying() {
    if (this.isCounted) return;
    this.isCounted = true;
    this.isBroken = false;
    this.heard.plays += 1;
    this.changed();
  }

  onTime(seconds, total) {
    if (!Number.isFinite(total)) return;
    const [now, end] = [Math.floor(seconds), Math.ceil(total)].map(minutesAndSeconds);
    this.time.textContent = `${now} / ${end}`;
  }

  onStopped() {
    this.button.setAttribute("aria-pressed", "false");
    if (this.seconds) this.time.textContent = minutesAndSeconds(Math.ceil(this.seconds));
  }

  onEnded() {
    this.heard.ended = true;
    this.mark.hidden = false;
    this.changed();
  }

  onFailed() {
    this.isBroken = true;
    forget(this.address);
    const retry = button(t("task.retry"), () => {
      this.play();
      this.button.focus();
    });
    this.trouble.replaceChildren(el("p", { text: t("task.failed") }), retry);
    this.changed();
  }
}

function minutesAndSeconds(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
