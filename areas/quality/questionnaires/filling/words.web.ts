import { createContext, useContext } from 'react'
import type { Language } from '#kit/contract/words.ts'
import { nameOf, useLanguage } from '#kit/web/i18n/index.ts'
import type { QuestionnaireWords } from '../types/form.contract.ts'

/** The language in which a form is shown; null: the reader's. */
export const FormLanguage = createContext<Language | null>(null)

/** Words of a form in the language in which it is shown; the English ones where there are none. */
export function useFormWords(): (words: QuestionnaireWords) => string {
  const reads = useLanguage()
  const lang = useContext(FormLanguage) ?? reads
  return (words) => {
    const own = lang === 'de' || lang === 'fr' || lang === 'pt' ? words[lang] : null
    return own || nameOf({ name: words.name, name_local: words.name_local }, lang)
  }
}
