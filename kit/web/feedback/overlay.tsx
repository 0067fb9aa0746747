import { Loader } from '@mantine/core'
import { createStore } from '../store.ts'
import { useT } from '../i18n/catalogue.ts'
import css from './feedback.module.css'

interface Waiting {
  readonly text?: string
  readonly percent?: number
}
const overlays = createStore<readonly Waiting[]>([])

/**
 * Covers the screen during `work`, with a text and, through `report`, its progress. For work that must not be
 * interrupted.
 */
export async function withOverlay<T>(
  work: Promise<T> | ((report: (percent: number) => void) => Promise<T>),
  text?: string,
): Promise<T> {
  let entry: Waiting = { text }
  overlays.set((kept) => [...kept, entry])
  const report = (percent: number) => {
    const next = { text, percent }
    overlays.set((kept) => kept.map((o) => (o === entry ? next : o)))
    entry = next
  }
  try {
    return await (typeof work === 'function' ? work(report) : work)
  } finally {
    overlays.set((kept) => kept.filter((o) => o !== entry))
  }
}
/** Takes every overlay away: after a navigation nothing may stay covered. */
export const hideOverlays = (): void => overlays.set([])

export function Overlays() {
  const t = useT('kit')
  const top = overlays.use().at(-1)
  if (!top) return null
  return (
    <output className={css.overlay} aria-live="polite">
      <Loader size="md" />
      <p>
        {top.text ?? t('working')}
        {top.percent !== undefined && <bdi dir="ltr"> {top.percent}%</bdi>}
      </p>
    </output>
  )
}
