/** What this browser remembers under a name; null when it's nothing, or when storage is forbidden. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Remembers a text under a name, or forgets it for null. False when storage is forbidden: a choice then lasts as long as the page. */
export function keep(name: string, text: string | null): boolean {
  try {
    if (text === null) {
      localStorage.removeItem(name);
    } else {
      localStorage.setItem(name, text);
    }
    return true;
  } catch {
    return false;
  }
}
