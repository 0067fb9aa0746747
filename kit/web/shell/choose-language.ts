import { setLanguage } from '../i18n/catalogue.ts'
import type { LANGUAGES } from '../i18n/language.ts'
import { loadTitles } from '../router/screens.ts'

/** Shows everything in another language, with the names of the screens. */
export const chooseLanguage = async (l: (typeof LANGUAGES)[number]): Promise<void> => {
  await loadTitles(l)
  await setLanguage(l)
}
