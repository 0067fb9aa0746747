const KEPT = 'ems.fonts'
/** Milliseconds after the first screen was drawn: what it asks for comes first. */
const AFTER_MS = 1_500

const fetchThem = async (): Promise<void> => {
  const { fetchHeavier } = await import('./heavier.ts')
  localStorage.setItem(KEPT, 'kept')
  await fetchHeavier()
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
  setTimeout(() => void fetchThem().catch(() => undefined), kept ? 0 : AFTER_MS)
}
