// Browser storage with a fallback. If storage is unavailable (private windows, full or turned off), values are stored
// in memory while the page is open.

/** Opens `localStorage` or `sessionStorage`, with a fallback in memory. */
function openStore(name) {
  const memory = new Map();
  let storage = null;
  try {
    storage = window[name];
    storage.getItem("");
  } catch {
    storage = null;
  }
  return {
    get(key) {
      if (memory.has(key)) return memory.get(key);
      try {
        return JSON.parse(storage?.getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        storage.setItem(key, JSON.stringify(value));
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    remove(key) {
      memory.delete(key);
      try {
        storage?.removeItem(key);
      } catch {
        // Storage is unavailable.
      }
    },
    /** Returns whether the browser stores the value of a key beyond this page. */
    isStored(key) {
      try {
        return storage !== null && storage.getItem(key) !== null && !memory.has(key);
      } catch {
        return false;
      }
    },
    keys(prefix) {
      let stored = [];
      try {
        stored = storage ? Object.keys(storage) : [];
      } catch {
        stored = [];
      }
      return [...new Set([...stored, ...memory.keys()])].filter((key) => key.startsWith(prefix));
    },
  };
}

/** Storage shared by all windows, until removed. */
export const localStore = openStore("localStorage");

/** Storage of this window. */
export const sessionStore = openStore("sessionStorage");

/** Returns a random UUID. `crypto.randomUUID` is missing on plain http. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [0, 8, 12, 16, 20].map((from, part) => hex.slice(from, [8, 12, 16, 20, 32][part])).join("-");
}
