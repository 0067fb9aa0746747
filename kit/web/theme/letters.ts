const KEPT = 'ems.fonts'
/** Milliseconds after the first screen was drawn: what it asks for comes first. */
const AFTER_MS = 1_500

const fetchHeavier = async (): Promise<void> => {
  await import('./heavier.css')
  localStorage.setItem(KEPT, 'kept')
}

/**
 * The heavier weights of the letters. A browser that has nothing yet shows its first text with one weight, and fetches them when
 * that stands; one that has them uses them from the beginning, so that nothing changes before the reader's eyes.
 */
export function fetchLetters(): void {
  let kept = false
  try {
    kept = localStorage.getItem(KEPT) !== null
  } catch {
    // Storage is forbidden: they come a moment later each time.
  }
  setTimeout(() => void fetchHeavier().catch(() => undefined), kept ? 0 : AFTER_MS)
}
