// Stimulus (clip, picture or text) of the original or of an item.

import { button, el, freshId } from "../shared/dom.js";
import { Clip } from "./clip.js";
import { forget, source } from "./media_cache.js";
import { t } from "../shared/i18n.js";

/** Returns whether any part of a task is a clip. */
export function hasAudio(task) {
  const shows = [task.query, task.a, task.b, task.item, ...(task.items ?? []).map((item) => item.show)];
  return shows.some((show) => show?.audio);
}

/** Creates a picture with a retry button after a failed load. */
function picture(image, name) {
  const img = el("img", { alt: image.alt || name });
  const trouble = el("div", { class: "trouble", role: "alert" });
  const load = () => {
    img.hidden = false;
    trouble.replaceChildren();
    img.src = source(image.url);
  };
  img.addEventListener("error", () => {
    img.hidden = true;
    forget(image.url);
    trouble.replaceChildren(el("p", { text: t("task.failed") }), button(t("task.retry"), load));
  });
  load();
  return [img, trouble];
}

/** Creates a figure with its caption and its clip, if there is one. A `mark` stands beside the name. */
export function stimulusFigure(name, show, { play, heard, changed, mark = null }) {
  const clip = show.audio ? new Clip(play, show.audio, heard, { changed }) : null;
  const caption = el("figcaption", { id: freshId() }, name);
  if (mark) {
    const note = el("strong", { class: "mark", id: freshId(), text: mark });
    caption.append(" ", note);
    // The focus goes to the button first, which must say the same.
    clip?.button.setAttribute("aria-describedby", note.id);
  }
  const element = el(
    "figure",
    { "aria-labelledby": caption.id },
    caption,
    ...(show.image ? picture(show.image, name) : []),
    show.text === undefined ? null : el("p", { class: "text", text: show.text }),
    clip?.element,
  );
  return { element, clip };
}

/** Creates the same content without a figure, for a list item. */
export function stimulusContent(name, show) {
  return [
    ...(show.image ? picture(show.image, name) : []),
    show.text === undefined ? null : el("p", { class: "text", text: show.text }),
  ];
}
