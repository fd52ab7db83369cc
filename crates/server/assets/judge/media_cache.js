// Cache of clips and pictures, preloaded and kept while their tasks are open.

const loaded = new Map();

/** Returns the stimuli of a task, part by part. */
export function stimuli(task) {
  const items = (task.items ?? []).map(({ key, show }) => [key, show]);
  const single = ["query", "a", "b", "item"].filter((part) => task[part]).map((part) => [part, task[part]]);
  return [...single, ...items];
}

function mediaUrls(task) {
  return stimuli(task).flatMap(([, show]) => [show.audio?.url, show.image?.url]).filter(Boolean);
}

/** Loads the media of these tasks in their order, and drops all others. */
export async function prefetch(tasks) {
  const wanted = tasks.flatMap(mediaUrls);
  for (const [url, source] of loaded) {
    if (wanted.includes(url)) continue;
    loaded.delete(url);
    if (source.url) URL.revokeObjectURL(source.url);
  }
  for (const url of wanted) {
    if (!loaded.has(url)) await load(url);
  }
}

async function load(url) {
  const source = { url: null };
  loaded.set(url, source);
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(String(response.status));
    source.url = URL.createObjectURL(await response.blob());
  } catch {
    // The next use tries again.
    if (loaded.get(url) === source) loaded.delete(url);
  }
}

/** Returns the URL of a clip or picture, from the cache if it is loaded. */
export function source(url) {
  return loaded.get(url)?.url ?? url;
}

/** Drops a clip that cannot be played, so that the next attempt loads it again. */
export function forget(url) {
  const cached = loaded.get(url);
  loaded.delete(url);
  if (cached?.url) URL.revokeObjectURL(cached.url);
}
