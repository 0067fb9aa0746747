import { LANGUAGES, LOCALES } from '#kit/contract/words.ts'
import type { Label, Language } from '#kit/contract/words.ts'
import { createStore } from '../store.ts'

export type { Label, Language }
export { LANGUAGES }

/** How each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  ar: 'العربية',
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  pt: 'Português',
}

const KEPT = 'ems.language'
const isLanguage = (text: string | null | undefined): text is Language => LANGUAGES.includes(text as Language)

/** The language chosen here before, else the first the browser asks for that exists, else English. */
export function preferredLanguage(): Language {
  let kept: string | null = null
  try {
    kept = localStorage.getItem(KEPT)
  } catch {
    // Storage is forbidden: the browser's wish decides.
  }
  if (isLanguage(kept)) return kept
  return navigator.languages.map((l) => l.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** The language on screen. It changes only after the catalogues in use have arrived: see `setLanguage`. */
export const languageStore = createStore<Language>('en')
export const keepLanguage = (language: Language): void => {
  try {
    localStorage.setItem(KEPT, language)
  } catch {
    // The choice lives as long as this tab.
  }
  // The server draws what stands first in it.
  document.cookie = `language=${language}; path=/; max-age=31536000; samesite=lax`
}
export const useLanguage = (): Language => languageStore.use()
export const language = (): Language => languageStore.get()
export const localeOf = (l: Language = language()): string => LOCALES[l]
export const directionOf = (l: Language = language()): 'rtl' | 'ltr' => (l === 'ar' ? 'rtl' : 'ltr')
/** Papers and the server's texts exist in Arabic and English. */
export const paperLanguageOf = (l: Language = language()): 'ar' | 'en' => (l === 'ar' ? 'ar' : 'en')
