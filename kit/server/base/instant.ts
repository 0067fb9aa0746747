import { zoneOfUniversity } from '#kit/contract/day.ts'
import { LOCALES } from '#kit/contract/words.ts'
import type { Language } from '#kit/contract/words.ts'

/** An instant by the university's clock, as `formatInstant` of the screens says it: `5 Nov 2026, 14:05`. */
export function instantIn(instant: string, lang: Language): string {
  const zone = zoneOfUniversity()
  return new Intl.DateTimeFormat(LOCALES[lang], {
    ...(zone && { timeZone: zone }),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(instant))
}
