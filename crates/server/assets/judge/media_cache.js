// Cache of clips and pictures, preloaded and kept while their tasks are open.

const loaded = new Map();

/** Returns the stimuli of a task, part by part. */
export function parts(task) {
  const items = (task.items ?? []).map(({ key, show }) => [key, show]);
  const single = ["query", "a", "b", "item"].filter((part) => task[part]).map((part) => [part, task[part]]);
  return [...single, ...items];
}

function addresses(task) {
  return parts(task).flatMap(([, show]) => [show.audio?.url, show.image?.url]).filter(Boolean);
}

/** Loads the media of these tasks in their order, and drops all others. */
export async function prefetch(tasks) {
  const wanted = tasks.flatMap(addresses);
  for (const [address, source] of loaded) {
    if (wanted.includes(address)) continue;
    loaded.delete(address);
    if (source.url) URL.revokeObjectURL(source.url);
  }
  for (const address of wanted) {
    if (!loaded.has(address)) await load(address);
  }
}

async function load(address) {
  const source = { url: null };
  loaded.set(address, source);
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(String(response.status));
    source.url = URL.createObjectURL(await response.blob());
  } catch {
    // The next use tries again.
    if (loaded.get(address) === source) loaded.delete(address);
  }
}

/** Returns the URL of a clip or picture, from the cache if it is loaded. */
export function source(address) {
  return loaded.get(address)?.url ?? address;
}

/** Drops a clip that cannot be played, so that the next attempt loads it again. */
export function forget(address) {
  const url = loaded.get(address)?.url;
  loaded.delete(address);
  if (url) URL.revokeObjectURL(url);
}
