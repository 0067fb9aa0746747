/**
 * Words that belong to a definition: English and Arabic are beside what they name, so that a missing one does not
 * compile. German, French and Portuguese come from `locales/{lang}/{area}.json`, section `labels`, keyed by the
 * English text.
 */
export type Label = readonly [en: string, ar: string]

/** Languages of the interface. Arabic is written right to left. */
export const LANGUAGES = ['ar', 'en', 'de', 'fr', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

/** Languages of papers (transcripts, lists) and of error texts on the wire. */
export type PaperLanguage = 'ar' | 'en'

/** Locales of dates and numbers. Arabic months and words with Latin digits, as universities in Egypt print them. */
export const LOCALES: Readonly<Record<Language, string>> = {
  ar: 'ar-EG-u-nu-latn',
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  pt: 'pt-PT',
}

/** The text of a label in a paper's language. */
export const inLanguage = (label: Label, lang: PaperLanguage): string => label[lang === 'ar' ? 1 : 0]

/** Fills `{name}` places of a text with data; a place without data stays as it is, so that it is noticed. */
export const fill = (text: string, data: Readonly<Record<string, unknown>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, key: string) => (data[key] === undefined ? whole : String(data[key])))

/** A number of a sentence as people write it: 14452 → `14,452`. One of four digits may be a year, and stays as it is. */
export const groupedNumber = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping: 'min2' }).format(value)

/** Texts as their language is set. French: a narrow space before what ends or divides a sentence and inside its quotation marks, never a line's end. */
export const typeset = (entries: Readonly<Record<string, string>> = {}, l: Language): Record<string, string> =>
  l === 'fr'
    ? Object.fromEntries(
        Object.entries(entries).map(([key, text]) => [
          key,
          text.replace(/ (?=[:;?!»])|(?<=«) /g, '\u202f').replace(/(?<=\p{L})'(?=[\p{L}{])/gu, '’'),
        ]),
      )
    : { ...entries }

/** Reasons that the program itself writes into the audit trail, in words for readers of a history. */
export const PROGRAM_REASONS: Readonly<Record<string, Label>> = {
  'second factor set up': ['Second factor set up', 'إعداد خطوة التحقق الثانية'],
  'new recovery codes': ['New recovery codes', 'رموز استرداد جديدة'],
  'passkey added': ['Passkey added', 'إضافة مفتاح مرور'],
  'passkey added on the way in': ['Passkey added on the way in', 'إضافة مفتاح مرور عند الدخول'],
  'passkey taken off': ['Passkey taken off', 'إزالة مفتاح مرور'],
  'password set by link': ['Password set by a link', 'تعيين كلمة المرور عبر رابط'],
  'own password changed': ['Own password changed', 'تغيير كلمة المرور من صاحبها'],
  'linked by a verified address': ['Linked by a verified address', 'ربط بعنوان موثّق'],
  'linked by the person': ['Linked by the person', 'ربط من صاحب الحساب'],
  'let somebody see parts of the own study': [
    'Let somebody see parts of the own study',
    'السماح لشخص بالاطلاع على أجزاء من الدراسة',
  ],
  'finish term': ['Term finished', 'إنهاء الفصل'],
  'result of a level': ['Result of a level', 'نتيجة مستوى'],
  'second session': ['Second session', 'الدور الثاني'],
  'demo university': ['Demo university', 'جامعة تجريبية'],
  'roles of the program': ['Roles of the program', 'أدوار النظام'],
  import: ['Imported', 'استيراد من ملف'],
  undo: ['Undone', 'تراجع'],
  job: ['By the program, as planned', 'تلقائيًا من النظام'],
}
/** The words for a reason of the program; null for a reason that a person gave, which is shown unchanged. */
export const programReason = (reason: string): Label | null =>
  PROGRAM_REASONS[reason] ??
  (/^import: \S+$/.test(reason)
    ? PROGRAM_REASONS.import!
    : /^undo of \S+ \S+$/.test(reason)
      ? PROGRAM_REASONS.undo!
      : /^job [\w-]+$/.test(reason)
        ? PROGRAM_REASONS.job!
        : null)

/**
 * What a person wrote in several languages (`{ en, ar, de, fr, pt }`), in that of the reader; English where it is not written.
 * undefined: it is no such text.
 */
export function saidIn(value: unknown, lang: string): string | undefined {
  if (typeof value !== 'object' || value === null || !('en' in value)) return undefined
  const texts = value as Readonly<Record<string, unknown>>
  return [texts[lang], texts.en].find((text) => typeof text === 'string' && text !== '') as string | undefined
}
