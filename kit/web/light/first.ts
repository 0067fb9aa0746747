/** What the server drew before the scripts were there (`kit/server/http/first.ts`). */

/** What somebody did meanwhile. */
export interface DoneFirst {
  /** `data-key` of what was opened; null: nothing was. */
  readonly opened: string | null
  /** What was typed there, by the names of the fields. */
  readonly typed: Readonly<Record<string, string>>
}

/**
 * Ends what the server drew, and says what was opened and typed there; null: nothing is drawn (any more). A screen calls it in
 * a layout effect, when it can show the same itself, so that the reader sees one page.
 */
export function endFirst(): DoneFirst | null {
  const first = document.getElementById('first')
  if (!first) return null
  const open = first.querySelector<HTMLDetailsElement>('details[data-key][open]')
  const typed = Object.fromEntries([...(open?.querySelectorAll('input') ?? [])].map(({ name, value }) => [name, value]))
  first.remove()
  return { opened: open?.dataset.key ?? null, typed }
}
