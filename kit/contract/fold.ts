// Combining characters are what this class is for.
const MARKS =
  // oxlint-disable-next-line no-misleading-character-class
  /[\u0300-\u036F\u0610-\u061A\u061C\u0640\u064B-\u065F\u0670\u06D6-\u06ED\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g
const FROM = 'ٱةىیېکہھ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹øđłıð'
const TO = 'اهيييكهه01234567890123456789odlid'
const LETTERS = new Map([...FROM].map((letter, i) => [letter, TO[i] as string]))
const VARIANT = new RegExp(`[${FROM}]`, 'g')

/**
 * A text without what people type differently: case, Arabic letter variants (أ إ آ ا, ة ه, ى ي), diacritics, tatweel,
 * Arabic-Indic digits, accents of Latin, runs of spaces. The database's `fold_text` does the same.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replace(VARIANT, (letter) => LETTERS.get(letter) as string)
    .replace(/\s+/g, ' ')
    .trim()
