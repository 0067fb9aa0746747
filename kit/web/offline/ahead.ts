import { send } from '../api/client.ts'
import type { SendArgs } from '../api/client.ts'
import type { Me } from '../auth/me.ts'
import { loadTexts } from '../i18n/catalogue.ts'
import { areaWebOf, loadScreen } from '../router/load.tsx'
import { SCREENS } from '../router/screens.ts'
import { keptAt } from './kept.ts'
import { lineStore } from './line.ts'

/** What was asked within these hours is not asked ahead again: a hall of phones does not ask all at once. */
const FRESH_MS = 6 * 3_600_000

/**
 * Fetches what a person reads on the way before the line is gone: the code of the offline screens that are open to him or
 * her, and the answers they will ask for. One after the other, when nothing else is to be done.
 */
export async function fetchAhead(me: Me): Promise<void> {
  const wish = navigator as { connection?: { saveData?: boolean } }
  if (wish.connection?.saveData) return
  const screens = SCREENS.filter((screen) => screen.offline && me.opens(screen))
  for (const screen of screens) {
    if (!lineStore.get()) return
    await loadScreen(screen).catch(() => undefined)
  }
  // What is said beside a draft stands in forms alone: a form that is opened first without a line would fail on it.
  if (screens.length) await loadTexts('kit-forms').catch(() => undefined)
  for (const area of new Set(screens.map((one) => one.area))) {
    const web = await areaWebOf(area).catch(() => undefined)
    for (const { call, input = {} } of (await web?.ahead?.(me)) ?? []) {
      const at = await keptAt(call, input)
      if (at !== null && Date.now() - at < FRESH_MS) continue
      if (!lineStore.get()) return
      await send(call, ...([input] as unknown as SendArgs<typeof call>)).catch(() => undefined)
    }
  }
}
