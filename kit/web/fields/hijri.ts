import { formatHijri, hijri } from '#kit/contract/hijri.ts'
import { liveStore } from '../auth/me.ts'
import { localeOf } from '../i18n/language.ts'
import type { Language } from '../i18n/language.ts'
import { universityStore } from '../theme/university.ts'

/** The day in the Hijri calendar, if the reader wants it or the university shows it to readers of Arabic; else null. */
export function hijriText(day: string, lang: Language): string | null {
  const { hijri: shown, hijri_months } = universityStore.get()
  const wanted = liveStore.get()?.user.show_hijri ?? (shown && lang === 'ar')
  if (!wanted || !/^\d{4}-\d\d-\d\d$/.test(day)) return null
  return formatHijri(hijri(day, hijri_months), localeOf(lang))
}
