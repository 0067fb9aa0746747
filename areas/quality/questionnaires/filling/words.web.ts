import { nameOf, useLanguage } from '#kit/web/i18n/index.ts'
import type { FormQuestion } from '../types/form.contract.ts'

/** Words of a form in the reader's language; the English ones where there are none. */
export function useFormWords(): (words: FormQuestion['text']) => string {
  const lang = useLanguage()
  return (words) => {
    const own = lang === 'de' || lang === 'fr' || lang === 'pt' ? words[lang] : null
    return own || nameOf({ name: words.name, name_local: words.name_local }, lang)
  }
}
