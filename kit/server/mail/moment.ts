import { zoneOfUniversity } from '#kit/contract/day.ts'
import { LOCALES } from '#kit/contract/words.ts'
import type { Language } from '#kit/contract/words.ts'

/** A moment as a mail tells it: by the university's clock, to the minute. */
export function momentIn(instant: string | Date, language: Language | null): string {
  const zone = zoneOfUniversity()
  return new Intl.DateTimeFormat(LOCALES[language ?? 'ar'], {
    dateStyle: 'long',
    timeStyle: 'short',
    ...(zone && { timeZone: zone }),
  }).format(new Date(instant))
}
