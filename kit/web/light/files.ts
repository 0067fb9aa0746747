/** `kit/web/i18n/files.ts` on light pages: what they say is near; names out of all the other areas (of a paper) are fetched when one is told. */
import type { Catalogue } from '../i18n/files.ts'
import type { Language } from '../i18n/language.ts'

const near = import.meta.glob<Catalogue>(
  '../../../locales/*/{kit,kit-address,kit-pay,certificates,applicants,admission-payments,entrance-exams,papers,notices}.json',
  { import: 'default' },
)
export const fileOf = (l: Language, area: string): (() => Promise<Catalogue>) | undefined =>
  near[`../../../locales/${l}/${area}.json`] ??
  (async () => (await import('../i18n/every-file.ts')).fileOf(l, area)?.() ?? {})
/** Nothing here shows words of every area. */
export const areasIn = (): string[] => []
